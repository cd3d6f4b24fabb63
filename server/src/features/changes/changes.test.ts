import type { RestClient } from '@loci/client/rest'
import type { Change, ChangeFilters } from '@loci/contract/changes'
import { beforeEach, expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { findActorNumber } from '../../memory/log/actors.repo.ts'
import { appendChanges } from '../../memory/log/append-changes.repo.ts'
import { checkAll } from '../checks/checks.service.ts'

const minuteMs = 60_000

describeOnBothDatabases('the history of a graph', (server) => {
  let alice: Person
  let rest: RestClient
  beforeEach(async () => {
    server().clock.now = Date.parse('2026-11-20T10:00:00.000Z')
    alice = await server().signUp()
    rest = alice.rest
  })

  /** Moves the clock on by a minute before each call. */
  const later = () => {
    server().clock.now += minuteMs
  }
  const create = async (name: string, observations: string[] = [], type = 'thing') => {
    later()
    return (await rest.createEntity({ body: { name, type, observations } })).entity
  }
  const relate = async (fromEntityId: string, toEntityId: string, type = 'knows') => {
    later()
    return (await rest.createRelation({ body: { fromEntityId, toEntityId, type } })).relation
  }
  const call = (method: string, path: string, body?: unknown) =>
    server().call(method, path, { token: alice.token, ...(body === undefined ? {} : { body }) })
  const list = async (query: Parameters<RestClient['listChanges']>[0] = {}) =>
    (await rest.listChanges(query)).changes
  const summary = (changes: readonly Change[]) =>
    changes.map(({ seq, operation, subject }) => `${seq} ${operation} ${subject.name ?? ''}`.trim())
  const newestSet = async () => (await list({ query: { limit: '1' } }))[0]!.setId
  const read = async (id: string) => (await rest.getEntity({ params: { id } })).entity

  test('is referenced by each response that changed something, and by no other', async () => {
    const setOf = async (...args: Parameters<typeof call>) =>
      (await call(...args)).headers.get('loci-change-set')
    const { id } = await create('Ada', ['Lives in Porto', 'Plays chess'])
    const { observations } = await read(id)
    const path = `/api/entities/${id}`
    for (const [method, at, body] of [
      ['PUT', path, { name: 'Ada L.', type: 'person' }],
      ['DELETE', `${path}/observations/${observations[0]!.id}`],
      ['DELETE', path],
    ] as const) {
      const setId = await setOf(method, at, body)
      expect(setId).toBe(await newestSet())
      expect((await call('POST', `/api/changes/sets/${setId}/undo`)).status).toBe(200)
    }
    expect(await read(id)).toMatchObject({ name: 'Ada', observations })
    expect(await setOf('GET', path)).toBeNull()
    const again = () =>
      server().call('POST', `${path}/observations`, {
        token: alice.token,
        body: { content: 'Bakes bread' },
        headers: { 'idempotency-key': 'bread' },
      })
    const [first, replayed] = [await again(), await again()]
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(replayed.headers.get('loci-change-set')).toBe(first.headers.get('loci-change-set'))
    expect(first.headers.get('loci-change-set')).toBe(await newestSet())
    expect((await call('POST', `/api/changes/sets/${await newestSet()}/undo`)).status).toBe(200)
    expect(await setOf('DELETE', '/api/entities/ent_1')).toBeNull()
    expect(await setOf('PUT', path, { name: 'Ada', type: 'thing' })).toBeNull()
  })

  test('records who did what and when, before and after', async () => {
    const ada = await create('Ada', ['Lives in Porto'], 'person')
    later()
    const { observations: _, ...shown } = ada
    await rest.updateEntity({ params: { id: ada.id }, body: { name: 'Ada L.', type: 'person' } })
    const { observations, ...renamed } = await read(ada.id)
    later()
    const params = { id: ada.id, observationId: observations[0]!.id }
    const { observation } = await rest.updateObservation({ params, body: { content: 'Lives in Lisbon' } })
    later()
    await rest.deleteEntity({ params: { id: ada.id } })
    const changes = await list({ query: { order: 'asc' } })
    expect(changes.map(({ operation, before, after }) => [operation, before, after])).toEqual([
      ['entity_created', null, { ...shown, observationsCount: 0 }],
      ['observation_added', null, ada.observations[0]],
      ['entity_updated', shown, renamed],
      ['observation_updated', ada.observations[0], observation],
      ['observation_deleted', observation, null],
      ['entity_deleted', { ...renamed, updatedAt: '2026-11-20T10:03:00.000Z' }, null],
    ])
    expect(changes[3]).toMatchObject({
      seq: 4,
      setId: 'set_4',
      at: '2026-11-20T10:03:00.000Z',
      actor: { kind: 'session', id: alice.userId, name: 'alice Example' },
      subject: { kind: 'observation', id: params.observationId, entityId: ada.id, entityName: 'Ada L.' },
    })
    expect(changes.map(({ setId }) => setId)).toEqual(['set_1', 'set_1', 'set_3', 'set_4', 'set_5', 'set_5'])
    expect(observation).toMatchObject({
      id: params.observationId,
      createdAt: ada.observations[0]!.createdAt,
      updatedAt: '2026-11-20T10:03:00.000Z',
    })
  })

  test('names the tool of an agent, and none for other calls', async () => {
    const agent = await connectOverHttp(server(), alice.token, 'auto')
    await agent.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'Ada', entityType: 'person', observations: [] }] },
    })
    await agent.close()
    await create('Bob')
    expect((await list()).map(({ tool, actor }) => [tool, actor.client])).toEqual([
      [undefined, undefined],
      ['create_entities', 'test-agent'],
    ])
  })

  test('narrows the log of the space and the history of an entity by every filter', async () => {
    const { entity: bob } = await rest.createEntity({ body: { name: 'Bob', type: 'person' } })
    const { apiKey } = await rest.createKey({ body: { name: 'laptop', permissions: [] } })
    const agent = await connectOverHttp(server(), apiKey, 'auto')
    const contents = ['Weaves', 'Spins']
    const observations = contents.map((content) => ({ entityName: 'Bob', contents: [content] }))
    await agent.callTool({ name: 'add_observations', arguments: { observations } })
    await agent.close()
    later()
    await rest.updateEntity({ params: { id: bob.id }, body: { name: 'Bob', type: 'weaver' } })
    await create('Acme')
    const all = await list()
    const byAgent = all.find(({ tool }) => tool !== undefined)!
    const filters: Record<keyof ChangeFilters, string> = {
      after: all.at(-1)!.at,
      before: all.find(({ operation }) => operation === 'entity_updated')!.at,
      entityId: bob.id,
      actorId: byAgent.actor.id,
      client: 'test-agent',
      tool: 'add_observations',
      operation: 'observation_added',
      setId: byAgent.setId,
    }
    const { entityId, ...others } = filters
    for (const scope of [{}, { entityId }]) {
      const unfiltered = await list({ query: scope })
      for (const [name, value] of Object.entries(others)) {
        const found = await list({ query: { ...scope, [name]: value } })
        expect(found.length, name).toBeGreaterThan(0)
        expect(found.length, name).toBeLessThan(unfiltered.length)
      }
    }
    expect((await list({ query: { entityId } })).length).toBeLessThan(all.length)
  })

  test("a person's own changes do not include those of agents with that person's key", async () => {
    await create('Typed')
    const agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    const entities = [{ name: 'Told', entityType: 'person', observations: [] }]
    await agent.callTool({ name: 'create_entities', arguments: { entities } })
    await agent.close()
    const names = async (query: Record<string, string>) =>
      (await list({ query })).map(({ subject }) => subject.name)
    expect(await names({ actorId: alice.userId })).toEqual(['Typed'])
    expect(await names({ actorId: alice.userId, client: 'test-agent' })).toEqual(['Told'])
    expect(await names({ client: 'test-agent' })).toEqual(['Told'])
  })

  test("a key's changes include those of every agent that uses it", async () => {
    const { apiKey, id: actorId } = await rest.createKey({ body: { name: 'laptop' } })
    await server().call('POST', '/api/entities', { token: apiKey, body: { name: 'Script', type: 'thing' } })
    const agent = await connectOverHttp(server(), apiKey, 'auto')
    const entities = [{ name: 'Told', entityType: 'person', observations: [] }]
    await agent.callTool({ name: 'create_entities', arguments: { entities } })
    await agent.close()
    const changes = await list({ query: { actorId } })
    expect(changes.map(({ subject }) => subject.name)).toEqual(['Told', 'Script'])
  })

  test('shows relations with the names that their ends had', async () => {
    const [ada, acme] = [await create('Ada'), await create('Acme')]
    const relation = await relate(ada.id, acme.id)
    await rest.updateEntity({ params: { id: acme.id }, body: { name: 'Acme Ltd', type: 'company' } })
    await rest.updateRelation({ params: { id: relation.id }, body: { type: 'works_at' } })
    const [updated, , created] = await list()
    expect(created).toMatchObject({ operation: 'relation_created', before: null, after: relation })
    const retyped = { type: 'works_at', relationType: 'works_at' }
    const toEntity = { name: 'Acme Ltd', type: 'company' }
    expect(updated?.before).toEqual({ ...relation, toEntity })
    expect(updated?.after).toEqual({ ...relation, toEntity, ...retyped })
  })

  test('is listed by time, number, entity, actor, program, operation and set, page by page', async () => {
    const ada = await create('Ada', ['one', 'two'])
    const bob = await create('Bob', ['three'])
    await relate(bob.id, ada.id)
    const { apiKey, id: keyId } = await rest.createKey({ body: { name: 'agent' } })
    const byKey = { token: apiKey, body: { name: 'Cy', type: 'thing' } }
    later()
    await server().call('POST', '/api/entities', byKey)
    const seqs = async (query: Record<string, string>) => (await list({ query })).map(({ seq }) => seq)
    expect(await seqs({})).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(await seqs({ order: 'asc', limit: '2' })).toEqual([1, 2])
    expect(await seqs({ after: '2', before: '6' })).toEqual([5, 4, 3])
    expect(await seqs({ after: '2026-11-20T10:01:00Z', before: '2026-11-20T10:03:00Z' })).toEqual([5, 4])
    expect(await seqs({ entityId: ada.id })).toEqual([6, 3, 2, 1])
    expect(await seqs({ entityId: bob.id, order: 'asc' })).toEqual([4, 5, 6])
    expect(await seqs({ entityId: 'ent_zzzz' })).toEqual([])
    expect(await seqs({ actorId: keyId })).toEqual([7])
    expect(await seqs({ actorId: alice.userId, operation: 'entity_created' })).toEqual([4, 1])
    expect(await seqs({ client: 'nobody' })).toEqual([])
    expect(await seqs({ operation: 'relation_created,observation_added' })).toEqual([6, 5, 3, 2])
    expect(await seqs({ operation: '' })).toEqual(await seqs({}))
    expect(await seqs({ setId: 'set_1' })).toEqual([3, 2, 1])
    expect(await seqs({ setId: 'set_2' })).toEqual([])
    for (const query of [
      {},
      { entityId: ada.id },
      { entityId: ada.id, order: 'asc' as const },
      { actorId: alice.userId },
    ]) {
      const whole = await seqs(query)
      const found: number[] = []
      let cursor: string | undefined
      do {
        const page = await rest.listChanges({ query: { ...query, limit: '2', ...(cursor && { cursor }) } })
        found.push(...page.changes.map(({ seq }) => seq))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      expect(found).toEqual(whole)
    }
    for (const path of ['?operation=made', '?after=yesterday', '?order=up', '?limit=0'])
      expect((await call('GET', `/api/changes${path}`)).status, path).toBe(400)
  })

  test('is counted by actor and operation, of many changes the newest', async () => {
    await create('Ada', ['one', 'two'])
    const { apiKey, id: keyId } = await rest.createKey({ body: { name: 'agent' } })
    later()
    await server().call('POST', '/api/entities', { token: apiKey, body: { name: 'Cy', type: 'thing' } })
    const count = async (query: { after?: string; before?: string } = {}) => {
      const { counts, isComplete } = await rest.countChanges({ query })
      const rows = counts.map(({ actor, operation, count }) => `${actor.id} ${operation} ${count}`)
      return [...rows.sort(), isComplete]
    }
    const [created, added] = [`${alice.userId} entity_created`, `${alice.userId} observation_added`]
    const all = [`${keyId} entity_created 1`, `${created} 1`, `${added} 2`]
    expect(await count()).toEqual([...all.sort(), true])
    expect(await count({ after: '1', before: '4' })).toEqual([`${added} 2`, true])
    expect(await count({ after: '2026-11-20T10:01:00Z' })).toEqual([`${keyId} entity_created 1`, true])
    expect(await count({ after: '2099-01-01T00:00:00Z' })).toEqual([true])

    const scope = await scopeOf(server(), alice)
    const { db } = server().ctx
    const written = { accountId: scope.accountId, kind: 'session', ref: alice.userId, client: '' }
    const actorId = (await findActorNumber(db, scope.accountId, written))!
    const many = Array.from({ length: 9_998 }, (_, i) => i + 5)
    const changes = many.map((seq) => ({ seq, operation: 'entity_updated' as const, subjectId: seq }))
    await appendChanges(db, scope, changes, { setSeq: 5, at: server().clock.now, actorId })
    const spaces = db.updateTable('spaces').where('account_id', '=', scope.accountId)
    await spaces.set({ seq: 10_002 }).execute()
    const updated = `${alice.userId} entity_updated 9998`
    const counted = await count()
    // No other test may find changes without versions.
    const removeFrom = (table: 'changes' | 'change_sets') =>
      db.deleteFrom(table).where('account_id', '=', scope.accountId).where('seq', '>', 4).execute()
    await removeFrom('changes')
    await removeFrom('change_sets')
    await spaces.set({ seq: 4 }).execute()
    expect(counted).toEqual([...[`${keyId} entity_created 1`, `${added} 1`, updated].sort(), false])
  })

  test('undoes a set as a set of its own, which can be undone too', async () => {
    const ada = await create('Ada', ['one', 'two'], 'person')
    const bob = await create('Bob', ['three'])
    const relation = await relate(ada.id, bob.id)
    const before = await read(ada.id)
    later()
    await rest.deleteEntity({ params: { id: ada.id } })
    later()
    const undone = await rest.undoChangeSet({ params: { setId: await newestSet() } })
    expect(undone).toEqual({ setId: await newestSet(), undone: 4 })
    const restored = await read(ada.id)
    expect(restored).toEqual({ ...before, updatedAt: new Date(server().clock.now).toISOString() })
    const { relations } = await rest.listRelations({ query: {} })
    expect(relations).toEqual([relation])
    const found = await rest.search({ query: { query: 'two' } })
    expect(found.results.map(({ entity }) => entity.name)).toEqual(['Ada'])
    await rest.undoChangeSet({ params: { setId: undone.setId } })
    expect((await call('GET', `/api/entities/${ada.id}`)).status).toBe(404)
    expect((await rest.search({ query: { query: 'two' } })).results).toEqual([])
  })

  test('undoes nothing if anything in it has changed since', async () => {
    const ada = await create('Ada', ['one', 'two'])
    const created = await newestSet()
    later()
    await rest.createObservations({ params: { id: ada.id }, body: { content: 'three' } })
    const refused = await call('POST', `/api/changes/sets/${created}/undo`)
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'undo_conflict',
          details: [{ subject: { kind: 'entity', id: ada.id, name: 'Ada' }, message: expect.any(String) }],
        },
      },
    })
    expect((await read(ada.id)).observations.length).toBe(3)
    const added = await newestSet()
    const { observations } = await read(ada.id)
    const params = { id: ada.id, observationId: observations[2]!.id }
    await rest.updateObservation({ params, body: { content: 'drei' } })
    expect((await call('POST', `/api/changes/sets/${added}/undo`)).body.error.details).toEqual([
      {
        subject: { kind: 'observation', id: params.observationId, entityId: ada.id },
        message: 'this observation was changed since',
      },
    ])
    const once = await newestSet()
    await rest.undoChangeSet({ params: { setId: once } })
    expect((await call('POST', `/api/changes/sets/${once}/undo`)).status).toBe(409)
    for (const setId of ['set_zz', 'set_2', 'nothing', 'set_0'])
      expect((await call('POST', `/api/changes/sets/${setId}/undo`)).body.error.code).toBe(
        'change_set_not_found',
      )
  })

  test('does not restore a name or a relation that has been taken since', async () => {
    const ada = await create('Ada')
    const bob = await create('Bob')
    const relation = await relate(ada.id, bob.id)
    await rest.deleteRelation({ params: { id: relation.id } })
    const deleted = await newestSet()
    await relate(ada.id, bob.id)
    expect((await call('POST', `/api/changes/sets/${deleted}/undo`)).body.error.details[0].message).toBe(
      'there is such a relation already',
    )
    await rest.deleteEntity({ params: { id: ada.id } })
    const gone = await newestSet()
    await create('Ada')
    expect((await call('POST', `/api/changes/sets/${gone}/undo`)).body.error).toMatchObject({
      code: 'undo_conflict',
      details: [{ subject: { id: ada.id }, message: 'another entity has the name "Ada" now' }],
    })
  })

  test('restores a deleted entity with its contents, as far as the other ends exist', async () => {
    const [ada, bob, cy] = [await create('Ada', ['one']), await create('Bob'), await create('Cy')]
    const kept = await relate(ada.id, bob.id)
    await relate(cy.id, ada.id)
    const was = await read(ada.id)
    later()
    await rest.deleteEntity({ params: { id: ada.id } })
    await rest.deleteEntity({ params: { id: cy.id } })
    later()
    const { entity } = await rest.restoreEntity({ params: { id: ada.id } })
    expect(entity).toEqual({ ...was, updatedAt: new Date(server().clock.now).toISOString() })
    expect((await rest.listRelations({ query: {} })).relations).toEqual([kept])
    expect(await rest.restoreEntity({ params: { id: ada.id } })).toEqual({ entity })
    expect((await rest.listEntities({ query: {} })).total).toBe(2)
    await rest.deleteEntity({ params: { id: bob.id } })
    await create('Bob')
    const taken = await call('POST', `/api/entities/${bob.id}/restore`)
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'entity_name_taken' } } })
    for (const id of ['ent_zz', 'obs_1', 'x'])
      expect((await call('POST', `/api/entities/${id}/restore`)).body.error.code).toBe('entity_not_found')
  })

  test('restores a relation with the second of its ends, but none that was deleted separately', async () => {
    const [ada, bob, cy] = [await create('Ada'), await create('Bob'), await create('Cy')]
    const kept = await relate(ada.id, bob.id)
    const dropped = await relate(bob.id, ada.id)
    const toCy = await relate(cy.id, ada.id)
    await rest.deleteRelation({ params: { id: dropped.id } })
    for (const { id } of [ada, bob]) await rest.deleteEntity({ params: { id } })
    await rest.restoreEntity({ params: { id: ada.id } })
    expect((await rest.listRelations({ query: {} })).relations).toEqual([toCy])
    await rest.restoreEntity({ params: { id: bob.id } })
    const { relations } = await rest.listRelations({ query: {} })
    expect(relations.map(({ id }) => id).sort()).toEqual([kept.id, toCy.id].sort())
    await rest.deleteRelation({ params: { id: kept.id } })
    for (const id of [bob.id, ada.id]) await rest.deleteEntity({ params: { id } })
    for (const id of [bob.id, ada.id]) await rest.restoreEntity({ params: { id } })
    expect((await rest.listRelations({ query: {} })).relations).toEqual([toCy])
  })

  test('merges two entities, after which the old name leads to the other one', async () => {
    const eva = await create('Eva', ['one', 'both'])
    const eve = await create('Eve', ['two', 'both'], 'person')
    const [bob, cy] = [await create('Bob'), await create('Cy')]
    const moved = await relate(eva.id, bob.id)
    await relate(eva.id, cy.id)
    await relate(eve.id, cy.id)
    await relate(eva.id, eve.id, 'is')
    const was = [await read(eva.id), await read(eve.id)]
    const relationsBefore = (await rest.listRelations({ query: {} })).relations
    later()
    const { entity, setId } = await rest.mergeEntity({ params: { id: eva.id }, body: { into: eve.id } })
    expect(entity.aliases).toEqual(['Eva'])
    expect(entity.observations.map(({ id, content }) => [id, content])).toEqual([
      [was[0]!.observations[0]!.id, 'one'],
      [was[1]!.observations[0]!.id, 'two'],
      [was[1]!.observations[1]!.id, 'both'],
    ])
    const { relations } = await rest.listRelations({ query: {} })
    expect(
      relations.map(({ fromEntity, type, toEntity }) => `${fromEntity.name} ${type} ${toEntity.name}`),
    ).toEqual(['Eve knows Cy', 'Eve knows Bob'])
    expect(relations[1]).toMatchObject({ id: moved.id, createdAt: moved.createdAt })
    expect((await call('GET', `/api/entities/${eva.id}`)).status).toBe(404)
    const found = await rest.search({ query: { query: 'one' } })
    expect(found.results.map(({ entity }) => entity.name)).toEqual(['Eve'])
    expect((await rest.search({ query: { query: 'Eva' } })).results[0]?.entity.name).toBe('Eve')
    const taken = await call('POST', '/api/entities', { name: 'Eva', type: 'thing' })
    expect(taken).toMatchObject({ status: 409, body: { error: { code: 'entity_name_taken' } } })
    const renaming = await call('PUT', `/api/entities/${bob.id}`, { name: 'Eva', type: 'thing' })
    expect(renaming.status).toBe(409)
    const restoring = await call('POST', `/api/entities/${eva.id}/restore`)
    expect(restoring).toMatchObject({ status: 409, body: { error: { code: 'entity_name_taken' } } })
    expect(restoring.body.error.message).toBe(
      `"Eva" was merged into another entity. Undo the change set ${setId} to part them again.`,
    )
    expect(summary(await list({ query: { setId, operation: 'entity_merged' } }))).toHaveLength(1)
    await rest.undoChangeSet({ params: { setId } })
    expect(await read(eva.id)).toMatchObject({ name: 'Eva', observations: was[0]!.observations })
    const eveAgain = await read(eve.id)
    expect(eveAgain.observations).toEqual(was[1]!.observations)
    expect(eveAgain.aliases).toBeUndefined()
    const relationsAfter = (await rest.listRelations({ query: {} })).relations
    expect(relationsAfter).toEqual(relationsBefore)
    expect((await call('POST', `/api/entities/${eva.id}/merge`, { into: eva.id })).body.error.code).toBe(
      'same_entity',
    )
    expect((await call('POST', `/api/entities/${eva.id}/merge`, { into: 'ent_zz' })).status).toBe(404)
    expect((await call('POST', `/api/entities/ent_zz/merge`, { into: eve.id })).status).toBe(404)
    expect((await call('POST', `/api/entities/${eva.id}/merge`, {})).status).toBe(400)
  })

  test('passes the aliases of a merged entity on, and gives them back', async () => {
    const [ada, eva, eve] = [await create('Ada', ['one']), await create('Eva'), await create('Eve')]
    await rest.mergeEntity({ params: { id: ada.id }, body: { into: eva.id } })
    const { entity, setId } = await rest.mergeEntity({ params: { id: eva.id }, body: { into: eve.id } })
    expect(entity.aliases).toEqual(['Eva', 'Ada'])
    expect(entity.observations).toEqual(ada.observations)
    const undo = await rest.undoChangeSet({ params: { setId } })
    expect((await read(eva.id)).aliases).toEqual(['Ada'])
    expect((await read(eve.id)).aliases).toBeUndefined()
    await rest.undoChangeSet({ params: { setId: undo.setId } })
    expect((await read(eve.id)).aliases).toEqual(['Eva', 'Ada'])
    expect((await call('GET', `/api/entities/${eva.id}`)).status).toBe(404)
  })

  test('removes an alias, which frees the name, and restores it', async () => {
    const [ada, eva, eve] = [await create('Ada'), await create('Eva'), await create('Eve', ['one'], 'person')]
    for (const { id } of [ada, eva]) await rest.mergeEntity({ params: { id }, body: { into: eve.id } })
    const put = (aliases: string[]) =>
      call('PUT', `/api/entities/${eve.id}`, { name: 'Eve', type: 'person', aliases })
    const { entity } = (await put(['Ada'])).body
    expect(entity).toMatchObject({ aliases: ['Ada'], observations: eve.observations })
    expect((await rest.search({ query: { query: 'Eva' } })).results).toEqual([])
    const newest = (await list({ query: { limit: '1' } }))[0]!
    expect(newest).toMatchObject({ operation: 'entity_updated', before: { aliases: ['Ada', 'Eva'] } })
    await rest.undoChangeSet({ params: { setId: newest.setId } })
    expect((await read(eve.id)).aliases).toEqual(['Ada', 'Eva'])
    await put([])
    expect((await read(eve.id)).aliases).toBeUndefined()
    await create('Eva')
    const [, removal] = await list({ query: { limit: '2' } })
    const undo = await call('POST', `/api/changes/sets/${removal!.setId}/undo`)
    expect(undo).toMatchObject({ status: 409, body: { error: { code: 'undo_conflict' } } })
  })

  test('adds a free alias, which leads to the entity, and removes it again', async () => {
    const [eve, bob] = [await create('Eve', [], 'person'), await create('Bob')]
    const put = (aliases: string[]) =>
      call('PUT', `/api/entities/${eve.id}`, { name: 'Eve', type: 'person', aliases })
    expect(await put(['Eva', 'Bob'])).toMatchObject({
      status: 409,
      body: { error: { code: 'entity_name_taken', details: [{ entityId: bob.id, path: 'aliases.1' }] } },
    })
    expect((await put(['Eva', 'Eve', 'Eva', 'Evi'])).body.entity.aliases).toEqual(['Eva', 'Evi'])
    expect((await rest.search({ query: { query: 'Evi' } })).results[0]?.entity.name).toBe('Eve')
    expect((await call('POST', '/api/entities', { name: 'Eva', type: 'thing' })).status).toBe(409)
    const many = Array.from({ length: 101 }, (_, i) => `E${i}`)
    expect((await put(many)).body.error.code).toBe('validation_failed')
    await rest.undoChangeSet({ params: { setId: await newestSet() } })
    expect((await read(eve.id)).aliases).toBeUndefined()
    await create('Eva')
  })

  test('corrects a single observation', async () => {
    const ada = await create('Ada', ['one'])
    const [{ id: observationId } = { id: '' }] = ada.observations
    const path = `/api/entities/${ada.id}/observations/${observationId}`
    later()
    expect((await call('PUT', path, { metadata: { source: 'x' } })).body.observation).toEqual({
      ...ada.observations[0],
      metadata: { source: 'x' },
      updatedAt: new Date(server().clock.now).toISOString(),
    })
    expect((await call('PUT', path, { content: '' })).status).toBe(400)
    expect((await call('PUT', path, {})).status).toBe(400)
    expect(
      (await call('PUT', `/api/entities/ent_zz/observations/${observationId}`, { content: 'x' })).status,
    ).toBe(404)
    const missing = await call('PUT', `/api/entities/${ada.id}/observations/obs_zz`, { content: 'x' })
    expect(missing.body.error.code).toBe('observation_not_found')
    const bob = await server().signUp('bob')
    const foreign = await server().call('PUT', path, { token: bob.token, body: { content: 'mine' } })
    expect(foreign.status).toBe(404)
    expect((await rest.search({ query: { query: 'one' } })).results).toHaveLength(1)
  })

  test('erases for good, and records that it did', async () => {
    const eva = await create('Eva', ['secret alias'])
    later()
    const headers = { 'idempotency-key': 'k1' }
    const body = { name: 'Ada', type: 'person', observations: ['secret one'] }
    const { body: made } = await server().call('POST', '/api/entities', { token: alice.token, body, headers })
    const ada: string = made.entity.id
    const bob = await create('Bob')
    await relate(ada, bob.id)
    await rest.updateEntity({ params: { id: ada }, body: { name: 'Ada secret', type: 'person' } })
    await rest.mergeEntity({ params: { id: eva.id }, body: { into: ada } })
    later()
    expect((await call('POST', `/api/entities/${ada}/erase`)).status).toBe(204)
    const everything = await list({ query: { limit: '500' } })
    expect(JSON.stringify(everything)).not.toMatch(/secret|Ada|Eva/)
    expect(everything[0]).toMatchObject({
      operation: 'entity_erased',
      subject: { kind: 'entity', id: ada },
      actor: { id: alice.userId },
      before: null,
      after: null,
      erased: true,
    })
    expect(everything.filter(({ subject }) => subject.id === ada).every(({ erased }) => erased)).toBe(true)
    expect((await rest.search({ query: { query: 'secret' } })).results).toEqual([])
    expect((await rest.listRelations({ query: {} })).relations).toEqual([])
    expect((await call('POST', `/api/entities/${ada}/restore`)).status).toBe(404)
    expect((await call('POST', `/api/entities/${eva.id}/restore`)).status).toBe(404)
    expect((await call('POST', `/api/entities/${ada}/erase`)).status).toBe(404)
    const again = await server().call('POST', '/api/entities', { token: alice.token, body, headers })
    expect(again.body.entity.id).not.toBe(ada)
    const undo = await call('POST', `/api/changes/sets/${everything[0]!.setId}/undo`)
    expect(undo.body.error.code).toBe('undo_conflict')
    const gone = await create('Gone', ['secret two'])
    await rest.deleteEntity({ params: { id: gone.id } })
    expect((await call('POST', `/api/entities/${gone.id}/erase`)).status).toBe(204)
    expect(JSON.stringify(await list())).not.toContain('secret two')
  })

  test('leaves nothing inconsistent behind', async () => {
    const [ada, bob] = [await create('Ada', ['one']), await create('Bob', ['two'])]
    await relate(ada.id, bob.id)
    await rest.mergeEntity({ params: { id: ada.id }, body: { into: bob.id } })
    await rest.undoChangeSet({ params: { setId: await newestSet() } })
    await rest.deleteEntity({ params: { id: ada.id } })
    await rest.restoreEntity({ params: { id: ada.id } })
    await rest.eraseEntity({ params: { id: bob.id } })
    for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
    const usage = await rest.usage()
    expect(usage.entities).toBe(1)
  })

  test('erases names lent to another entity by a merge that was undone', async () => {
    const [eva, ada] = [await create('Eva secret', ['secret one']), await create('Ada', ['one'])]
    await relate(eva.id, (await create('Bob')).id)
    const { setId } = await rest.mergeEntity({ params: { id: eva.id }, body: { into: ada.id } })
    const merged = String((await list({ query: { limit: '1' } }))[0]!.seq)
    await rest.undoChangeSet({ params: { setId } })
    await rest.eraseEntity({ params: { id: eva.id } })
    expect(JSON.stringify(await list({ query: { limit: '500' } }))).not.toContain('secret')
    const then = await rest.getEntity({ params: { id: ada.id }, query: { asOf: merged } })
    expect(then.entity).toMatchObject({ name: 'Ada', observations: [{ content: 'one' }] })
    expect(JSON.stringify(then)).not.toContain('secret')
    for await (const difference of checkAll(server().ctx)) expect.fail(difference.message)
  })

  test('erases nothing of an entity whose merge was undone', async () => {
    const [eva, ada, eve] = [await create('Eva', ['one', 'two']), await create('Ada'), await create('Eve')]
    const seq = String((await list({ query: { limit: '1' } }))[0]!.seq)
    const first = await rest.mergeEntity({ params: { id: eva.id }, body: { into: ada.id } })
    await rest.undoChangeSet({ params: { setId: first.setId } })
    const params = { id: eva.id, observationId: eva.observations[0]!.id }
    await rest.deleteObservation({ params })
    const { setId } = await rest.mergeEntity({ params: { id: eva.id }, body: { into: eve.id } })
    expect((await call('POST', `/api/entities/${ada.id}/erase`)).status).toBe(204)
    const then = await rest.getEntity({ params: { id: eva.id }, query: { asOf: seq } })
    expect(then.entity).toEqual(eva)
    const differences = await arrayOf(checkAll(server().ctx))
    expect(differences.filter(({ accountId }) => accountId === alice.accountId)).toEqual([])
    await rest.undoChangeSet({ params: { setId } })
    expect((await read(eva.id)).observations).toEqual(eva.observations.slice(1))
  })
})
