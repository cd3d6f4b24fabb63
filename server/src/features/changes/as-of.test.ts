import type { RestClient } from '@loci/client/rest'
import { beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

const minuteMs = 60_000

describeOnBothDatabases('the graph as it was', (server) => {
  let alice: Person
  let rest: RestClient
  beforeEach(async () => {
    server().clock.now = Date.parse('2026-11-20T10:00:00.000Z')
    alice = await server().signUp()
    rest = alice.rest
  })

  const later = () => {
    server().clock.now += minuteMs
  }
  const get = async (path: string) => server().call('GET', path, { token: alice.token })
  const exported = async (query: { asOf?: string; format?: 'loci' | 'mcp-memory' }) =>
    (await rest.export({ query })).text()

  /** Everything that reads return, now or at a point in time. */
  async function read(asOf?: string) {
    const at = asOf === undefined ? {} : { asOf }
    const list = await rest.listEntities({ query: { include: 'observations', ...at } })
    const { entities, relations, truncated } = await rest.graphData({ query: { limit: '500', ...at } })
    return {
      list,
      entities: await Promise.all(
        list.entities.map(async ({ id }) => (await rest.getEntity({ params: { id }, query: at })).entity),
      ),
      relations: await rest.listRelations({ query: at }),
      graph: { entities, relations: relations.toSorted((a, b) => (a.id < b.id ? -1 : 1)), truncated },
      file: await exported({ format: 'mcp-memory', ...at }),
    }
  }

  test('is shown by every read, at every change and time', async () => {
    type Moment = { seq: string; at: string; seen: Awaited<ReturnType<typeof read>> }
    const moments: Moment[] = []
    const note = async () => {
      const { changes } = await rest.listChanges({ query: { limit: '1' } })
      const at = new Date(server().clock.now).toISOString()
      moments.push({ seq: String(changes[0]?.seq ?? 0), at, seen: await read() })
      later()
    }
    await note()
    const make = async (name: string, observations: string[] = []) =>
      (await rest.createEntity({ body: { name, type: 'thing', metadata: { n: 1 }, observations } })).entity
    const ada = await make('Ada', ['one', 'two'])
    await note()
    const bob = await make('Bob', ['three'])
    await note()
    const { relation } = await rest.createRelation({
      body: { fromEntityId: ada.id, toEntityId: bob.id, type: 'knows' },
    })
    await note()
    await rest.createObservations({ params: { id: bob.id }, body: { observations: ['four', 'five'] } })
    await note()
    await rest.updateEntity({ params: { id: ada.id }, body: { name: 'Eve', type: 'person', metadata: {} } })
    await note()
    const params = { id: ada.id, observationId: ada.observations[0]!.id }
    await rest.updateObservation({ params, body: { content: 'eins', metadata: { lang: 'de' } } })
    await note()
    await rest.updateRelation({ params: { id: relation.id }, body: { type: 'likes' } })
    await note()
    await rest.deleteObservation({ params: { id: ada.id, observationId: ada.observations[1]!.id } })
    await note()
    await rest.mergeEntity({ params: { id: bob.id }, body: { into: ada.id } })
    await note()
    await rest.deleteEntity({ params: { id: ada.id } })
    await note()
    await rest.restoreEntity({ params: { id: ada.id } })
    await note()
    for (const { seq, at, seen } of moments) {
      expect(await read(seq), `seq ${seq}`).toEqual(seen)
      expect(await read(at), at).toEqual(seen)
    }
    const [first] = moments
    expect(await read('2020-01-01')).toEqual(first?.seen)
    expect(await read('999999999')).toEqual(moments.at(-1)?.seen)
  })

  test('is paged and filtered like the present', async () => {
    const ids: string[] = []
    for (let i = 0; i < 7; i += 1) {
      later()
      const type = i % 2 === 0 ? 'even' : 'odd'
      ids.push((await rest.createEntity({ body: { name: `e${i}`, type } })).entity.id)
      const from = ids[i - 1]
      if (from !== undefined)
        await rest.createRelation({ body: { fromEntityId: from, toEntityId: ids[i]!, type: type } })
    }
    const { changes } = await rest.listChanges({ query: { limit: '1' } })
    const asOf = String(changes[0]!.seq)
    const was = async (query: Record<string, string>) => {
      const names: string[] = []
      let cursor: string | undefined
      let total = 0
      do {
        const page = await rest.listEntities({ query: { ...query, limit: '2', ...(cursor && { cursor }) } })
        names.push(...page.entities.map(({ name }) => name))
        total = page.total
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return [total, names]
    }
    const relationsWere = async (query: Record<string, string>) => {
      const { relations, total } = await rest.listRelations({ query })
      return [total, relations]
    }
    const before = [await was({}), await was({ types: 'odd' }), await was({ types: 'odd,even' })]
    const relationsBefore = [
      await relationsWere({ entityId: ids[2]! }),
      await relationsWere({ relationTypes: 'odd' }),
      await relationsWere({ entityId: ids[2]!, relationTypes: 'odd' }),
    ]
    const nearby = await rest.neighbourhood({ params: { id: ids[3]! }, query: { depth: '1' } })
    for (const id of ids.slice(1))
      await rest.updateEntity({ params: { id }, body: { name: `x${id}`, type: 'x' } })
    for (const id of ids.slice(2)) await rest.deleteEntity({ params: { id } })
    expect([
      await was({ asOf }),
      await was({ asOf, types: 'odd' }),
      await was({ asOf, types: 'odd,even' }),
    ]).toEqual(before)
    expect([
      await relationsWere({ asOf, entityId: ids[2]! }),
      await relationsWere({ asOf, relationTypes: 'odd' }),
      await relationsWere({ asOf, entityId: ids[2]!, relationTypes: 'odd' }),
    ]).toEqual(relationsBefore)
    const then = await rest.neighbourhood({ params: { id: ids[3]! }, query: { depth: '1', asOf } })
    expect(then.entities).toEqual(nearby.entities)
    expect(new Set(then.relations)).toEqual(new Set(nearby.relations))
    expect((await rest.graphData({ query: { limit: '3', asOf } })).truncated).toBe(true)
  })

  test('is not searched, and not shown to others', async () => {
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    for (const path of ['/api/entities?query=Ada&asOf=1', '/api/relations?query=Ada&asOf=1']) {
      const { status, body } = await get(path)
      expect([status, body.error.code]).toEqual([400, 'as_of_not_searchable'])
    }
    for (const asOf of ['yesterday', '-1', '1.5', '', '2026-13-01']) {
      expect((await get(`/api/entities?asOf=${asOf}`)).status, asOf).toBe(400)
      expect((await get(`/api/export?asOf=${asOf}`)).status, asOf).toBe(400)
    }
    expect((await get(`/api/entities/${entity.id}?asOf=0`)).status).toBe(404)
    expect((await get(`/api/relations/graph/${entity.id}?asOf=0`)).status).toBe(404)
    expect((await get(`/api/entities/ent_zz?asOf=1`)).status).toBe(404)
    const bob = await server().signUp('bob')
    const foreign = await server().call('GET', `/api/entities/${entity.id}?asOf=1`, { token: bob.token })
    expect(foreign.status).toBe(404)
  })
})
