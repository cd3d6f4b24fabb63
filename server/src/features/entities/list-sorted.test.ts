import type { RestClient } from '@loci/client/rest'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { importLines } from '../../../test/import-lines.ts'

type Query = Parameters<RestClient['listEntities']>[0] extends infer P | undefined
  ? NonNullable<P extends { query?: infer Q } ? Q : never>
  : never

describeOnBothDatabases('sorted lists of entities', (server) => {
  /** Names of all pages, two a page. */
  async function namesOf({ rest }: Person, query: Query): Promise<string[]> {
    const names: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await rest.listEntities({ query: { limit: '2', ...query, cursor } })
      names.push(...page.entities.map(({ name }) => name))
      if (page.nextCursor === null) return names
      cursor = page.nextCursor
    }
  }

  /** delta has the most relations, Alpha the most facts, charlie was changed last. */
  async function seeded(): Promise<Person> {
    const person = await server().signUp()
    const { rest } = person
    const create = async (name: string, type: string, observations: string[]) => {
      server().clock.now += 1_000
      return (await rest.createEntity({ body: { name, type, observations } })).entity
    }
    const alpha = await create('Alpha', 'person', ['One', 'Two', 'Three'])
    const bravo = await create('bravo', 'place', [])
    const charlie = await create('charlie', 'person', ['One'])
    const delta = await create('delta', 'person', ['One', 'Two'])
    for (const [from, to] of [
      [alpha, delta],
      [bravo, delta],
      [alpha, bravo],
      [charlie, delta],
    ] as const) {
      await rest.createRelation({ body: { fromEntityId: from.id, toEntityId: to.id, type: 'knows' } })
    }
    server().clock.now += 1_000
    await rest.updateEntity({
      params: { id: charlie.id },
      body: { name: 'charlie', type: 'person', metadata: { a: 1 } },
    })
    return person
  }

  test('each order goes through all pages, both ways, for all types or some', async () => {
    const person = await seeded()
    const orders: [Query, string[]][] = [
      [{ sort: 'newest' }, ['delta', 'charlie', 'bravo', 'Alpha']],
      [{ sort: 'newest', order: 'asc' }, ['Alpha', 'bravo', 'charlie', 'delta']],
      [{ sort: 'changed' }, ['charlie', 'delta', 'bravo', 'Alpha']],
      [{ sort: 'name' }, ['Alpha', 'bravo', 'charlie', 'delta']],
      [{ sort: 'name', order: 'desc' }, ['delta', 'charlie', 'bravo', 'Alpha']],
      [{ sort: 'connected' }, ['delta', 'bravo', 'Alpha', 'charlie']],
      [{ sort: 'facts' }, ['Alpha', 'delta', 'charlie', 'bravo']],
      [{ sort: 'facts', types: 'person' }, ['Alpha', 'delta', 'charlie']],
      [{ sort: 'name', types: 'place,person', order: 'desc' }, ['delta', 'charlie', 'bravo', 'Alpha']],
      [{ sort: 'connected', types: 'person', order: 'asc' }, ['charlie', 'Alpha', 'delta']],
    ]
    for (const [query, names] of orders) expect([query, await namesOf(person, query)]).toEqual([query, names])
  })

  test('search results can be sorted too', async () => {
    const person = await seeded()
    expect(await namesOf(person, { query: 'person', sort: 'name' })).toEqual(['Alpha', 'charlie', 'delta'])
    expect(await namesOf(person, { query: 'person', sort: 'facts' })).toEqual(['Alpha', 'delta', 'charlie'])
  })

  test('the latest two facts, the writer and the number of relations are included on request', async () => {
    const { rest } = await seeded()
    const include = 'latest,by,relations'
    const { entities } = await rest.listEntities({ query: { sort: 'name', include } })
    const shown = entities.map(({ observations = [], relationsCount, by }) => ({
      facts: observations.map(({ content }) => content),
      relationsCount,
      kind: by?.kind,
      authors: [...new Set(observations.map((observation) => observation.by?.kind))],
    }))
    expect(shown).toEqual([
      { facts: ['Two', 'Three'], relationsCount: 2, kind: 'session', authors: ['session'] },
      { facts: [], relationsCount: 2, kind: 'session', authors: [] },
      { facts: ['One'], relationsCount: 1, kind: 'session', authors: ['session'] },
      { facts: ['One', 'Two'], relationsCount: 3, kind: 'session', authors: ['session'] },
    ])
    const [plain] = (await rest.listEntities()).entities
    expect([plain?.observations, plain?.by, plain?.relationsCount]).toEqual([undefined, undefined, undefined])
  })

  test('pages of many entities of some types follow the order of the whole list', async () => {
    const person = await server().signUp()
    const { accountId } = await scopeOf(server(), person)
    const { db } = server().ctx
    await db.updateTable('accounts').set({ plan: 'starter' }).where('account_id', '=', accountId).execute()
    const line = (name: string, entityType: string) => JSON.stringify({ type: 'entity', name, entityType })
    const lines = Array.from({ length: 1_100 }, (_, i) =>
      line(`n${String(i).padStart(4, '0')}`, i % 11 === 0 ? 'rare' : 'common'),
    )
    await importLines(server(), person, lines.join('\n'))
    const names = await namesOf(person, { types: 'common,rare', sort: 'name', limit: '400' })
    expect(names).toHaveLength(1_100)
    expect(names).toEqual(names.toSorted())
  })

  test('refuses a cursor of another order, an unknown order, and sorting the past', async () => {
    const { rest, token } = await seeded()
    const { nextCursor } = await rest.listEntities({ query: { sort: 'name', limit: '1' } })
    const codeOf = async (query: string) => {
      const { status, body } = await server().call('GET', `/api/entities?${query}`, { token })
      return [status, body.error?.code]
    }
    expect(await codeOf(`sort=facts&cursor=${nextCursor}`)).toEqual([400, 'invalid_cursor'])
    expect(await codeOf('sort=colour')).toEqual([400, 'validation_failed'])
    expect(await codeOf('sort=name&asOf=1')).toEqual([400, 'validation_failed'])
    expect(await codeOf('sort=newest&asOf=1')).toEqual([200, undefined])
  })
})
