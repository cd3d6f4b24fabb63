import { spaceHeader } from '@loci/contract/spaces'
import { expect, test, vi } from 'vitest'
import { openTwin, restWith, scopeOf, setEntityCount, setPlan } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'
import { openSocket, patience } from '../../../test/socket.ts'
import { checkAll } from '../checks/checks.service.ts'
import { finishRemovals } from '../removals/removals.ts'
import { deleteSpaceSlice } from './remove-space.ts'

const inSpace = (space: string) => ({ headers: { [spaceHeader]: encodeURIComponent(space) } })
const thing = (name: string) => ({ body: { name, type: 'thing', observations: [`${name} is a fact`] } })

describeOnBothDatabases('spaces', (server) => {
  const callTool = async (token: string, name: string, args: object, path = '/mcp') =>
    (
      await postMcp(`${server().url}${path}`, token, 'current', {
        method: 'tools/call',
        params: { name, arguments: args },
      })
    ).message.result

  test('a space is created, listed with its contents, renamed and deleted', async () => {
    const { rest } = await server().signUp()
    const [first] = (await rest.listSpaces()).spaces
    expect(first).toMatchObject({ name: 'default', entities: 0, relations: 0, observations: 0 })
    const { space } = await rest.createSpace({ body: { name: ' Work – Zürich ' } })
    expect(space).toMatchObject({ name: 'Work – Zürich', entities: 0 })
    await rest.createEntity({ ...thing('Ada'), ...inSpace('Work – Zürich') })
    expect((await rest.listSpaces()).spaces).toEqual([first, { ...space, entities: 1, observations: 1 }])
    const params = { id: space.id }
    const taken = { status: 409, code: 'space_name_taken' }
    await expect(rest.createSpace({ body: { name: 'default' } })).rejects.toMatchObject(taken)
    await expect(rest.updateSpace({ params, body: { name: 'default' } })).rejects.toMatchObject(taken)
    expect((await rest.updateSpace({ params, body: { name: 'Work' } })).space.name).toBe('Work')
    for (const name of ['', '  ', 'x'.repeat(65), 'spc_1'])
      await expect(rest.createSpace({ body: { name } })).rejects.toMatchObject({ status: 400 })
    await rest.deleteSpace({ params })
    expect((await rest.listSpaces()).spaces).toEqual([first])
    await expect(rest.deleteSpace({ params })).rejects.toMatchObject({ code: 'space_not_found' })
    await expect(rest.deleteSpace({ params: { id: first!.id } })).rejects.toMatchObject({
      status: 409,
      code: 'last_space',
    })
    await rest.createSpace({ body: { name: 'Work' } })
  })

  test('a call names its space by id or name, in the header or the address; unknown ones are 404', async () => {
    const { rest, token } = await server().signUp()
    const { space } = await rest.createSpace({ body: { name: 'Möbel/2' } })
    await rest.createEntity({ ...thing('Chair'), ...inSpace(space.id) })
    const total = async (path: string, headers: Record<string, string> = {}) =>
      (await server().call('GET', path, { token, headers })).body.total
    expect(await total('/api/entities')).toBe(0)
    expect(await total(`/api/entities?space=${space.id}`)).toBe(1)
    expect(await total(`/api/entities?space=${encodeURIComponent('Möbel/2')}`)).toBe(1)
    const raw = Buffer.from('Möbel/2').toString('latin1')
    for (const named of [space.id, encodeURIComponent('Möbel/2'), raw])
      expect(await total('/api/entities', { [spaceHeader]: named })).toBe(1)
    for (const path of ['/api/entities', '/api/export', '/api/changes', '/api/analytics/usage']) {
      const { status, body } = await server().call('GET', `${path}?space=nowhere`, { token })
      expect([path, status, body.error.code]).toEqual([path, 404, 'space_not_found'])
    }
    // Calls about the person or the account work whichever space the browser names.
    for (const path of ['/auth/me', '/api/spaces', '/api/keys', '/auth/sessions'])
      expect((await server().call('GET', `${path}?space=nowhere`, { token })).status).toBe(200)
    expect((await rest.me({ headers: { [spaceHeader]: space.id } })).lastSeq).toBe(2)
  })

  test('the names . and .. are refused, since their address over MCP would be that of another space', async () => {
    const { rest } = await server().signUp()
    const { space } = await rest.createSpace({ body: { name: '...' } })
    for (const name of ['.', '..', ' .. ']) {
      const refused = { status: 400, code: 'validation_failed' }
      await expect(rest.createSpace({ body: { name } })).rejects.toMatchObject(refused)
      await expect(rest.updateSpace({ params: { id: space.id }, body: { name } })).rejects.toMatchObject(
        refused,
      )
    }
  })

  test('names, ids and idempotency keys of one space mean nothing in another', async () => {
    const { rest } = await server().signUp()
    await rest.createSpace({ body: { name: 'other' } })
    const headers = { 'idempotency-key': 'once' }
    const { entity } = await rest.createEntity({ ...thing('Ada'), headers })
    const there = await rest.createEntity({
      ...thing('Ada'),
      headers: { ...headers, [spaceHeader]: 'other' },
    })
    expect(there.entity.id).not.toBe(entity.id)
    expect((await rest.createEntity({ ...thing('Ada'), headers })).entity.id).toBe(entity.id)
    await expect(rest.getEntity({ params: { id: entity.id }, ...inSpace('other') })).rejects.toMatchObject({
      code: 'entity_not_found',
    })
  })

  test('the plan counts the entities of all spaces, and deleting a space frees its share', async () => {
    const person = await server().signUp()
    const { rest } = person
    const { space } = await rest.createSpace({ body: { name: 'other' } })
    await rest.createEntity({ ...thing('Ada'), ...inSpace('other') })
    await setEntityCount(server(), person, 1_000)
    await expect(rest.createEntity(thing('Bo'))).rejects.toMatchObject({ code: 'plan_limit_reached' })
    await rest.deleteSpace({ params: { id: space.id } })
    await vi.waitFor(async () => expect((await rest.usage()).entities).toBe(999), patience)
    await rest.createEntity(thing('Bo'))
  })

  test('keys are limited to their spaces and default to the first of them', async () => {
    const person = await server().signUp()
    const { rest } = person
    await setPlan(server(), person, 'pro')
    const a = (await rest.createSpace({ body: { name: 'a' } })).space
    const b = (await rest.createSpace({ body: { name: 'b' } })).space
    const make = async (...spaces: string[]) =>
      restWith(server(), (await rest.createKey({ body: { name: 'k', spaces } })).apiKey)
    const [ofB, ofBoth] = [await make(b.id), await make(b.id, a.name)]
    await ofB.createEntity(thing('Inside'))
    expect((await rest.listEntities({ headers: { [spaceHeader]: 'b' } })).total).toBe(1)
    for (const space of ['default', a.id, 'a', 'nowhere'])
      await expect(ofB.listEntities(inSpace(space))).rejects.toMatchObject({ code: 'space_not_found' })
    expect((await ofB.listSpaces()).spaces.map(({ name }) => name)).toEqual(['b'])
    expect((await ofBoth.listSpaces()).spaces.map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await ofBoth.listEntities()).total).toBe(1)
    expect((await ofBoth.listEntities(inSpace('a'))).total).toBe(0)
    await expect(ofB.createSpace({ body: { name: 'c' } })).rejects.toMatchObject({ code: 'not_permitted' })
    await expect(make('nowhere')).rejects.toMatchObject({ code: 'space_not_found' })
    expect((await rest.listKeys()).apiKeys.map(({ spaces }) => spaces)).toEqual([[b.id, a.id], [b.id]])
    await rest.deleteSpace({ params: { id: b.id } })
    await expect(ofB.listEntities()).rejects.toMatchObject({ status: 404, code: 'space_not_found' })
    expect((await ofBoth.listEntities()).total).toBe(0)
    expect((await ofB.me()).id).toBe(person.userId)
  })

  test('the first space can be deleted too; calls without a space then use the oldest that is left', async () => {
    const { rest, apiKey } = await server().signUp()
    await rest.createEntity(thing('Old'))
    await rest.createSpace({ body: { name: 'next' } })
    const [first] = (await rest.listSpaces()).spaces
    await rest.deleteSpace({ params: { id: first!.id } })
    expect((await rest.listEntities()).total).toBe(0)
    await rest.createEntity(thing('New'))
    expect((await restWith(server(), apiKey).listEntities(inSpace('next'))).total).toBe(1)
    expect((await rest.me()).lastSeq).toBe(2)
  })

  test('over MCP the address selects the space, and results name it if there are several', async () => {
    const person = await server().signUp()
    const { rest, apiKey } = person
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['x'] }]
    const alone = await callTool(apiKey, 'create_entities', { entities })
    expect(JSON.stringify(alone)).not.toContain('default')
    const { space } = await rest.createSpace({ body: { name: 'my work' } })
    const path = `/mcp/spaces/${encodeURIComponent(space.name)}`
    const there = await callTool(apiKey, 'open_nodes', { names: ['Ada'] }, path)
    expect(there.structuredContent).toMatchObject({ notice: 'Space: my work. Not found: Ada.', entities: [] })
    expect(there._meta).toMatchObject({ 'dev.loci/space': 'my work' })
    const deleted = await callTool(apiKey, 'delete_entities', { entityNames: ['Ada'] })
    expect(deleted.content.at(-1).text).toMatch(/^Space: default\.\n/)
    expect(Object.keys(deleted.structuredContent)).toEqual(['success', 'message'])
    const { spaces } = (await callTool(apiKey, 'list_spaces', {}, `/mcp/spaces/${space.id}`))
      .structuredContent
    expect(spaces).toMatchObject([
      { name: 'default', current: false },
      { name: 'my work', current: true },
    ])
    const listed = async (token: string) =>
      (
        await postMcp(`${server().url}/mcp`, token, 'current', { method: 'tools/list' })
      ).message.result.tools.some(({ name }: { name: string }) => name === 'list_spaces')
    expect(await listed(apiKey)).toBe(true)
    const bound = await rest.createKey({ body: { name: 'k', spaces: [space.id] } })
    expect(await listed(bound.apiKey)).toBe(false)
    for (const unknown of ['nowhere', 'default']) {
      const { status, message } = await postMcp(
        `${server().url}/mcp/spaces/${unknown}`,
        bound.apiKey,
        'current',
        { method: 'tools/list' },
      )
      expect([status, message.error.data.code]).toEqual([404, 'space_not_found'])
    }
  })

  test('a deletion ends the connections to the space in every process, and leaves others open', async () => {
    const { rest, token } = await server().signUp()
    const twin = await openTwin(server())
    const { space } = await rest.createSpace({ body: { name: 'short' } })
    const open = (url: string, address: string) => {
      const socket = openSocket(url, { headers: { authorization: `Bearer ${token}` } }, address)
      return socket.heard('connected').then(() => socket)
    }
    const [on, off] = [await open(twin.url, `?space=${space.id}`), await open(server().url, '')]
    on.send({ type: 'subscribe_to_graph_changes', payload: {} })
    off.send({ type: 'subscribe_to_graph_changes', payload: {} })
    await Promise.all([on.heard('subscribed'), off.heard('subscribed')])
    await rest.createEntity({ ...thing('Seen'), ...inSpace('short') })
    await on.heard('entity_created')
    await rest.deleteSpace({ params: { id: space.id } })
    expect(await on.closed).toBe(1008)
    const refusal = await openSocket(twin.url, {}, `?api_key=${token}&space=short`).refusal()
    expect([refusal.status, refusal.body.error.code]).toEqual([404, 'space_not_found'])
    expect(off.events()).toEqual([])
    off.socket.close()
    await twin.close()
  })

  test('a deletion removes everything in slices, and is finished after an interruption', async () => {
    const person = await server().signUp()
    const { rest } = person
    const { space } = await rest.createSpace({ body: { name: 'gone' } })
    await fill(person, space.id)
    const cited = {
      content: 'Runs as root',
      source: { url: 'https://example.org/notes' },
      files: [{ path: 'Dockerfile' }],
    }
    await rest.createEntity({
      ...inSpace(space.id),
      body: { name: 'Container', type: 'thing', observations: [cited] },
    })
    await rest.createEntity(thing('Kept'))
    const { ctx } = server()
    const { accountId } = await scopeOf(server(), person)
    const scope = { accountId, spaceId: 2 }
    // The state that a process that died midway leaves.
    await ctx.db
      .updateTable('spaces')
      .set({ name: ' 2', deleted_at: 1 })
      .where('account_id', '=', accountId)
      .where('space_id', '=', 2)
      .execute()
    await deleteSpaceSlice(ctx, scope, 'relations')
    await expect(rest.listEntities(inSpace(space.id))).rejects.toMatchObject({ code: 'space_not_found' })
    await finishRemovals(ctx)
    for (const table of [
      'entities',
      'past_observations',
      'changes',
      'search_words',
      'type_counts',
      'spaces',
    ] as const)
      expect([
        table,
        await ctx.db
          .selectFrom(table)
          .select('space_id')
          .where('account_id', '=', accountId)
          .where('space_id', '=', 2)
          .execute(),
      ]).toEqual([table, []])
    const differences = await arrayOf(checkAll(ctx))
    expect(differences.filter((one) => one.accountId === person.accountId)).toEqual([])
    expect((await rest.usage()).entities).toBe(1)
    expect((await rest.search({ query: { query: 'fact' } })).results).toHaveLength(1)
  })

  /** Adds entities, relations and history, each with past versions. */
  async function fill({ rest }: Person, space: string): Promise<void> {
    const names = Array.from({ length: 30 }, (_, i) => `Thing ${i}`)
    const { entities } = await rest.createBatch({
      body: {
        entities: names.map((name) => thing(name).body),
        relations: names.slice(1).map((to) => ({ from: names[0]!, to, type: 'knows' })),
      },
      ...inSpace(space),
    })
    await rest.deleteEntity({ params: { id: entities.created[5]!.id }, ...inSpace(space) })
  }
})

describeOnBothDatabases('entities moved to another space', (server) => {
  test('keep ids, times, relations among them and their history; the rest is reported', async () => {
    const { rest } = await server().signUp()
    const { space } = await rest.createSpace({ body: { name: 'there' } })
    const [{ entity: ada }, { entity: engine }, { entity: london }] = [
      await rest.createEntity(thing('Ada')),
      await rest.createEntity(thing('Engine')),
      await rest.createEntity(thing('London')),
    ]
    const relate = (from: string, to: string) =>
      rest.createRelation({ body: { fromEntityId: from, toEntityId: to, type: 'knows' } })
    const { relation } = await relate(ada.id, engine.id)
    await relate(ada.id, london.id)
    await rest.updateEntity({
      params: { id: ada.id },
      body: { name: 'Ada L.', type: 'person', observations: ['x'] },
    })
    server().clock.now += 5_000
    const moved = await rest.moveEntities({ body: { ids: [ada.id, engine.id], space: 'there' } })
    expect(moved).toMatchObject({ entities: 2, observations: 2, relations: 1, relationsDeleted: 1 })
    expect(moved.space.id).toBe(space.id)
    expect((await rest.listEntities()).entities.map(({ name }) => name)).toEqual(['London'])
    expect((await rest.listRelations()).total).toBe(0)
    const there = (await rest.getEntity({ params: { id: ada.id }, ...inSpace('there') })).entity
    expect(there).toMatchObject({ id: ada.id, name: 'Ada L.', createdAt: ada.createdAt })
    expect(there.observations.map(({ content, createdAt }) => [content, createdAt])).toEqual([
      ['x', ada.createdAt],
    ])
    const relations = await rest.listRelations(inSpace('there'))
    expect(relations.relations).toMatchObject([{ id: relation.id, createdAt: relation.createdAt }])
    expect((await rest.search({ query: { query: 'x' }, ...inSpace('there') })).results).toHaveLength(1)
    expect(
      (await rest.listSpaces()).spaces.map(({ entities, observations }) => [entities, observations]),
    ).toEqual([
      [1, 1],
      [2, 2],
    ])
    const history = await changesOf(rest, ada.id, 'there')
    expect(history.map(({ operation, space: of }) => [operation, of])).toContainEqual([
      'entity_updated',
      'spc_1',
    ])
    expect(history.filter(({ operation }) => operation === 'entity_created')).toHaveLength(2)
    expect(history).toEqual((await changesOf(rest, ada.id, 'there', 'asc')).reverse())
    // Later changes there do not concern the first space.
    await rest.updateEntity({
      params: { id: ada.id },
      body: { name: 'Hidden', type: 'person' },
      ...inSpace('there'),
    })
    expect(JSON.stringify(await changesOf(rest, ada.id, 'default'))).not.toContain('Hidden')
  })

  test('never exist twice, neither by a restore nor by undoing the move', async () => {
    const { rest } = await server().signUp()
    await rest.createSpace({ body: { name: 'there' } })
    const { entity } = await rest.createEntity(thing('Ada'))
    const params = { id: entity.id }
    const { setId, space } = await rest.moveEntities({ body: { ids: [entity.id], space: 'there' } })
    const conflict = { status: 409, code: 'undo_conflict' }
    await expect(rest.restoreEntity({ params })).rejects.toMatchObject(conflict)
    await expect(rest.undoChangeSet({ params: { setId } })).rejects.toMatchObject(conflict)
    await rest.undoChangeSet({ params: { setId: space.setId }, ...inSpace('there') })
    await rest.undoChangeSet({ params: { setId } })
    expect((await rest.getEntity({ params })).entity.observations).toHaveLength(1)
    await rest.moveEntities({ body: { ids: [entity.id], space: 'there' } })
    await rest.moveEntities({ body: { ids: [entity.id], space: 'default' }, ...inSpace('there') })
    expect((await rest.search({ query: { query: 'fact' } })).results).toHaveLength(1)
  })

  test('are refused as a whole if a name is taken, a space unknown or the credentials too narrow', async () => {
    const person = await server().signUp()
    const { rest } = person
    await setPlan(server(), person, 'pro')
    await rest.createSpace({ body: { name: 'there' } })
    const [{ entity: ada }, { entity: bo }] = [
      await rest.createEntity(thing('Ada')),
      await rest.createEntity(thing('Bo')),
    ]
    await rest.createEntity({ ...thing('Bo'), ...inSpace('there') })
    const ids = [ada.id, bo.id]
    await expect(rest.moveEntities({ body: { ids, space: 'there' } })).rejects.toMatchObject({
      code: 'entity_name_taken',
    })
    expect((await rest.listEntities()).total).toBe(2)
    const unknown = { code: 'space_not_found' }
    await expect(rest.moveEntities({ body: { ids, space: 'nowhere' } })).rejects.toMatchObject(unknown)
    await expect(rest.moveEntities({ body: { ids, space: 'default' } })).rejects.toMatchObject({
      status: 400,
    })
    const bound = await rest.createKey({ body: { name: 'k', spaces: ['default'] } })
    const agent = restWith(server(), bound.apiKey)
    await expect(agent.moveEntities({ body: { ids: [ada.id], space: 'there' } })).rejects.toMatchObject(
      unknown,
    )
    await expect(rest.moveEntities({ body: { ids: ['ent_zzzz'], space: 'there' } })).rejects.toMatchObject({
      code: 'entity_not_found',
    })
  })

  test('are erased from their original space too', async () => {
    const person = await server().signUp()
    const { rest } = person
    await rest.createSpace({ body: { name: 'there' } })
    const { entity } = await rest.createEntity(thing('Secretary'))
    await rest.moveEntities({ body: { ids: [entity.id], space: 'there' } })
    await rest.eraseEntity({ params: { id: entity.id }, ...inSpace('there') })
    for (const space of ['default', 'there'])
      expect(JSON.stringify(await rest.listChanges(inSpace(space)))).not.toContain('Secretary')
    const differences = await arrayOf(checkAll(server().ctx))
    expect(differences.filter((one) => one.accountId === person.accountId)).toEqual([])
  })

  async function changesOf(
    rest: Person['rest'],
    entityId: string,
    space: string,
    order: 'asc' | 'desc' = 'desc',
  ) {
    const found = []
    for (let cursor: string | undefined; ; ) {
      const query = { entityId, order, limit: '2', ...(cursor === undefined ? {} : { cursor }) }
      const { changes, nextCursor } = await rest.listChanges({ query, ...inSpace(space) })
      found.push(...changes)
      if (nextCursor === null) return found
      cursor = nextCursor
    }
  }
})
