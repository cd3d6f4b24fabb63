import { expect, test } from 'vitest'
import { scopeOf, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { writeGraph } from './write-graph.ts'

async function accountOf(server: TestServer, person: Person) {
  const { accountId } = await scopeOf(server, person)
  return server.ctx.db
    .selectFrom('accounts')
    .select(['bytes', 'entities', 'next_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
}

async function rowsOf(server: TestServer, person: Person) {
  const { accountId } = await scopeOf(server, person)
  const { db } = server.ctx
  return {
    entities: await db.selectFrom('entities').selectAll().where('account_id', '=', accountId).execute(),
    observations: await db
      .selectFrom('observations')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute(),
    relations: await db.selectFrom('relations').selectAll().where('account_id', '=', accountId).execute(),
  }
}

async function bytesInRows(server: TestServer, person: Person): Promise<number> {
  const { entities, observations, relations } = await rowsOf(server, person)
  const texts = [
    ...entities.flatMap(({ name, type, metadata }) => [name, type, metadata]),
    ...observations.flatMap(({ content, metadata }) => [content, metadata ?? '']),
    ...relations.map(({ type }) => type),
  ]
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

describeOnBothDatabases('a write to the graph', (server) => {
  test('counts the stored bytes through any change', async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const expectCounted = async (step: string) =>
      expect((await accountOf(server(), alice)).bytes, step).toBe(await bytesInRows(server(), alice))
    const { entity } = await rest.createEntity({
      body: { name: 'Zoë', type: 'person', metadata: { city: 'Zürich' }, observations: ['日本', 'one'] },
    })
    await expectCounted('created')
    expect((await accountOf(server(), alice)).bytes).toBe(4 + 6 + 18 + 6 + 3)
    const { entity: other } = await rest.createEntity({ body: { name: 'B', type: 'thing' } })
    const { relation } = await rest.createRelation({
      body: { fromEntityId: entity.id, toEntityId: other.id, type: 'kennt' },
    })
    await expectCounted('related')
    await rest.updateRelation({ params: { id: relation.id }, body: { type: 'mag ♥' } })
    await expectCounted('retyped')
    const params = { id: entity.id }
    await rest.createObservations({ params, body: { content: 'x', metadata: { source: '✓' } } })
    await expectCounted('added')
    const observations = [{ content: 'one', metadata: { a: 1 } }, 'changed', { content: 'x', metadata: {} }]
    await rest.updateEntity({ params, body: { name: 'Z', type: 'p', metadata: {}, observations } })
    await expectCounted('replaced')
    const { entity: now } = await rest.getEntity({ params })
    await rest.deleteObservation({ params: { ...params, observationId: now.observations[0]!.id } })
    await expectCounted('observation deleted')
    await rest.deleteEntity({ params })
    await expectCounted('entity deleted')
    expect((await accountOf(server(), alice)).bytes).toBe(1 + 5 + 2)
  })

  test("is refused if it would exceed the plan's bytes, but never if it does not grow", async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const { entity } = await rest.createEntity({
      body: { name: 'A', type: 't', observations: ['a text', 'b'] },
    })
    const { accountId } = await scopeOf(server(), alice)
    const setBytes = (bytes: number) =>
      server().ctx.db.updateTable('accounts').set({ bytes }).where('account_id', '=', accountId).execute()
    const limit = 100_000_000
    await setBytes(limit - 10)
    const params = { id: entity.id }
    const add = (content: string) => rest.createObservations({ params, body: { content } })
    const refused = (used: number) => ({
      status: 403,
      code: 'plan_limit_reached',
      message: expect.stringMatching(/^Your plan allows 100 MB of stored text. Upgrade at /),
      details: [{ limit, used, plan: 'free' }],
    })
    await expect(add('x'.repeat(11))).rejects.toMatchObject(refused(limit - 10))
    await add('x'.repeat(10))
    await expect(add('y')).rejects.toMatchObject(refused(limit))
    expect((await rest.getEntity({ params })).entity.observationsCount).toBe(3)
    await setBytes(limit + 1_000)
    const observations = ['a tex', 'b', 'xxxxxxxxxx']
    await rest.updateEntity({ params, body: { name: 'A', type: 't', observations } })
    await expect(
      rest.updateEntity({ params, body: { name: 'A longer name', type: 't' } }),
    ).rejects.toMatchObject(refused(limit + 999))
    await rest.deleteEntity({ params })
    await setPlan(server(), alice, 'starter')
    await rest.createEntity({ body: { name: 'A', type: 't' } })
  })

  test('keeps each ended version, without a gap to the next', async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const { entity } = await rest.createEntity({ body: { name: 'A', type: 't', observations: ['o', 'p'] } })
    const { entity: b } = await rest.createEntity({ body: { name: 'B', type: 't' } })
    const { relation } = await rest.createRelation({
      body: { fromEntityId: entity.id, toEntityId: b.id, type: 'x' },
    })
    await rest.updateRelation({ params: { id: relation.id }, body: { type: 'y' } })
    const params = { id: entity.id }
    const [first] = entity.observations
    await rest.updateEntity({
      params,
      body: { name: 'A2', type: 'u', observations: [{ id: first!.id, content: 'better' }, 'p'] },
    })
    await rest.deleteEntity({ params })
    const { db } = server().ctx
    const { accountId } = await scopeOf(server(), alice)
    const past = async (table: 'past_entities' | 'past_observations' | 'past_relations') => {
      const rows = db.selectFrom(table).selectAll().where('account_id', '=', accountId)
      return rows.orderBy('id').orderBy('since').execute()
    }
    expect(await past('past_entities')).toMatchObject([
      { name: 'A', type: 't', since: 1, until: 7, observations_count: 2, since_observations: 0 },
      { name: 'A2', type: 'u', since: 7, until: 12, observations_count: 2, since_observations: 2 },
    ])
    expect(await past('past_observations')).toMatchObject([
      { content: 'o', since: 2, until: 8, updated_at: null },
      { content: 'better', since: 8, until: 10, updated_at: server().clock.now },
      { content: 'p', since: 3, until: 11 },
    ])
    expect(await past('past_relations')).toMatchObject([
      { type: 'x', since: 5, until: 6 },
      { type: 'y', since: 6, until: 9 },
    ])
  })

  test('inside another one is part of its change set', async () => {
    const alice = await server().signUp()
    const scope = await scopeOf(server(), alice)
    const actor = { ...scope, kind: 'session', userId: alice.userId, role: 'owner' } as const
    const { ctx } = server()
    const { next_id } = await accountOf(server(), alice)
    await writeGraph(ctx, actor, async (outer) => {
      expect(await writeGraph(outer.ctx, actor, async (inner) => inner === outer)).toBe(true)
      await expect(writeGraph(outer.ctx, { ...actor, spaceId: 2 }, async () => {})).rejects.toThrow(
        /cannot contain/,
      )
    })
    expect((await accountOf(server(), alice)).next_id).toBe(next_id)
  })

  test('distinguishes texts with the same checksum', async () => {
    const alice = await server().signUp()
    const client = await connectOverHttp(server(), alice.apiKey, 'auto')
    try {
      await alice.rest.createEntity({ body: { name: 'A', type: 't' } })
      // These have the same CRC-32.
      for (const content of ['plumless', 'buckeroo', 'plumless']) {
        const observations = [{ entityName: 'A', contents: [content] }]
        await client.callTool({ name: 'add_observations', arguments: { observations } })
      }
      const { observations } = await rowsOf(server(), alice)
      expect(observations.map(({ content }) => content).sort()).toEqual(['buckeroo', 'plumless'])
      await client.callTool({
        name: 'delete_observations',
        arguments: { deletions: [{ entityName: 'A', observations: ['buckeroo'] }] },
      })
      const left = (await rowsOf(server(), alice)).observations
      expect(left.map(({ content }) => content)).toEqual(['plumless'])
    } finally {
      await client.close()
    }
  })
})
