import { expect, test } from 'vitest'
import {
  openTwin,
  restWith,
  scopeOf,
  setEntityCount,
  setMonthOperations,
  setPlan,
} from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { restoreClock } from '../../../test/restore-clock.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'
import { finishRemovals } from '../removals/removals.ts'

/** How a hook marks its calls. */
const check = { 'dev.loci/check': true }

const monthStart = Date.UTC(2030, 0, 1)
const monthEnd = Date.UTC(2030, 1, 1)

describeOnBothDatabases('analytics and limits', (server) => {
  restoreClock(server, Date.UTC(2030, 0, 15, 12))

  test('a new account has zeros in every field', async () => {
    const { rest } = await server().signUp()
    const counts = { queries: 0, creates: 0, updates: 0, deletes: 0, total: 0 }
    const { total, ...breakdown } = counts
    expect(await rest.analytics()).toEqual({
      totalEntities: 0,
      totalRelations: 0,
      totalObservations: 0,
      recentEntities: [],
      entityTypeStats: [],
      activityStats: [],
      createdToday: { entities: 0, relations: 0, observations: 0 },
      lastRecall: null,
      userPlan: 'free',
      apiKeyCount: 0,
      webhookCount: 0,
      todayApiCalls: 0,
      monthlyUsage: counts,
      billingData: { totalRequests: total, breakdown, details: [] },
    })
  })

  test('the summary has totals, recent entities, types, and entities per day', async () => {
    const { rest } = await server().signUp()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await rest.createEntity({
        body: { name, type: name === 'a' ? 'person' : 'thing', observations: ['x'] },
      })
      server().clock.now += dayMs / 2
    }
    const { entities } = await rest.listEntities()
    await rest.createRelation({
      body: { fromEntityId: entities[0]!.id, toEntityId: entities[1]!.id, type: 'uses' },
    })
    expect(await rest.analytics()).toMatchObject({
      totalEntities: 6,
      totalRelations: 1,
      totalObservations: 6,
      recentEntities: entities
        .slice(0, 5)
        .map(({ id, name, type, createdAt }) => ({ id, name, type, created_at: createdAt })),
      entityTypeStats: [
        { type: 'thing', count: 5 },
        { type: 'person', count: 1 },
      ],
      activityStats: [
        { date: '2030-01-18', count: 1 },
        { date: '2030-01-17', count: 2 },
        { date: '2030-01-16', count: 2 },
        { date: '2030-01-15', count: 1 },
      ],
    })
  })

  test('agents are listed by name, with their calls of today and the latest one', async () => {
    const { rest, token } = await server().signUp()
    const agent = await connectOverHttp(server(), token, 'auto')
    await agent.callTool({
      name: 'create_entities',
      arguments: {
        entities: [
          { name: 'Ada', entityType: 'person', observations: ['Ada drinks green tea'] },
          { name: 'Loom', entityType: 'product', observations: ['The loom weaves cloth'] },
        ],
      },
    })
    await agent.callTool({ name: 'recall', arguments: { query: 'Who drinks green tea?' } })
    await agent.close()
    const at = toIso(server().clock.now)
    const summary = await rest.analytics()
    expect(summary).toMatchObject({
      createdToday: { entities: 2, relations: 0, observations: 2 },
      todayApiCalls: 2,
      lastRecall: { question: 'Who drinks green tea?', agent: 'test-agent', at },
    })
    expect(summary.lastRecall?.observations).toBeGreaterThan(0)
    expect(summary.lastRecall?.entities[0]).toMatchObject({ name: 'Ada', type: 'person' })
    const ada = summary.lastRecall!.entities[0]!.id
    await rest.deleteEntity({ params: { id: ada } })
    server().clock.now += dayMs
    const later = await rest.analytics()
    expect(later.lastRecall?.entities.map(({ id }) => id)).not.toContain(ada)
    expect(later).toMatchObject({ todayApiCalls: 0, createdToday: { entities: 0 } })
    expect(await rest.usage()).toMatchObject({
      agents: [{ name: 'test-agent', firstSeenAt: at, lastSeenAt: at, callsToday: 0 }],
    })
  })

  test('of very many agent names the last hundred are kept', async () => {
    const person = await server().signUp()
    const { accountId } = await scopeOf(server(), person)
    const { usage } = server().ctx
    for (let i = 0; i < 120; i++) {
      server().clock.now += 1
      usage
        .begin(
          { accountId, client: `agent ${i}` },
          { type: 'query', resource: 'graph', requires: 'memory:read' },
        )
        .end(1)
    }
    await usage.flush()
    const { agents } = await person.rest.usage()
    expect(agents).toHaveLength(100)
    expect(agents[0]).toMatchObject({ name: 'agent 119', callsToday: 1 })
  })

  test('every call is counted at once by operation and resource, including failed ones', async () => {
    const person = await server().signUp()
    const rest = restWith(server(), person.apiKey)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => rest.createEntity({ body: { name: `n${i}`, type: 't' } })),
    )
    const { entities } = await rest.listEntities()
    const id = entities[0]!.id
    await rest.updateEntity({ params: { id }, body: { name: 'new', type: 't' } })
    await rest.createObservations({ params: { id }, body: { content: 'x' } })
    await rest.deleteEntity({ params: { id } })
    await expect(rest.getEntity({ params: { id } })).rejects.toMatchObject({ status: 404 })
    await expect(rest.createEntity({ body: { name: '', type: 't' } })).rejects.toMatchObject({ status: 400 })
    const counts = { queries: 2, creates: 22, updates: 1, deletes: 1 }
    expect(await person.rest.realTimeStats()).toEqual({ ...counts, total: 26 })
    const summary = await person.rest.monthlySummary()
    expect(summary).toMatchObject({ totalRequests: 26, breakdown: counts })
    expect(summary.details[0]).toMatchObject({
      operation_type: 'create',
      resource_type: 'entity',
      request_count: 21,
    })
    expect(summary.details[0]!.avg_response_time).toBeGreaterThan(0)
    expect(summary.details.map((detail) => `${detail.operation_type} ${detail.resource_type}`)).toContain(
      'create observation',
    )
  })

  test('a call that is refused because rights are missing is not counted', async () => {
    const { rest } = await server().signUp()
    const { apiKey } = await rest.createKey({ body: { name: 'reads', permissions: ['memory:read'] } })
    const reader = restWith(server(), apiKey)
    const refused = { status: 403 }
    await expect(reader.createEntity({ body: { name: 'a', type: 't' } })).rejects.toMatchObject(refused)
    await expect(reader.listMembers()).rejects.toMatchObject(refused)
    await reader.listEntities()
    expect(await rest.usage()).toMatchObject({ operations: 1 })
    expect(await rest.analytics()).toMatchObject({ todayApiCalls: 1 })
  })

  test('what a signed-in person does in the browser is not counted, nor refused past the monthly operations', async () => {
    const person = await server().signUp()
    const { rest } = person
    const { entity } = await rest.createEntity({ body: { name: 'a', type: 't' } })
    await rest.listEntities()
    expect(await rest.usage()).toMatchObject({ operations: 0 })
    expect(await rest.analytics()).toMatchObject({ todayApiCalls: 0, monthlyUsage: { total: 0 } })
    await setMonthOperations(server(), person, 15_000)
    server().clock.now += 60_000
    await rest.updateEntity({ params: { id: entity.id }, body: { name: 'b', type: 't' } })
    expect(await rest.usage()).toMatchObject({ operations: 15_000 })
  })

  test('an agent is counted over MCP whatever it signs in with', async () => {
    const { rest, token, apiKey } = await server().signUp()
    for (const credential of [token, apiKey]) {
      const agent = await connectOverHttp(server(), credential, 'auto')
      await agent.callTool({ name: 'read_graph' })
      await agent.close()
    }
    expect(await rest.usage()).toMatchObject({ operations: 2 })
  })

  test.each(['auto', 'legacy'] as const)(
    'a hook that looks into the memory is not counted (%s)',
    async (mode) => {
      const { rest, apiKey } = await server().signUp()
      const hook = await connectOverHttp(server(), apiKey, mode)
      await hook.callTool({ name: 'recall', arguments: { query: 'the project' }, _meta: check })
      expect(await rest.usage()).toMatchObject({ operations: 0 })
      const observations = ['Remembered']
      const entities = [{ name: 'Ada', entityType: 'person', observations }]
      await hook.callTool({ name: 'create_entities', arguments: { entities }, _meta: check })
      expect(await rest.usage()).toMatchObject({ operations: 1 })
      await hook.close()
    },
  )

  test('an account has a hundred such checks a day, after which they count', async () => {
    const { rest, apiKey } = await server().signUp()
    const hook = await connectOverHttp(server(), apiKey, 'auto')
    const checkOften = async (times: number) => {
      for (let i = 0; i < times; i++)
        await hook.callTool({ name: 'open_nodes', arguments: { names: ['a'] }, _meta: check })
    }
    await checkOften(103)
    expect(await rest.usage()).toMatchObject({ operations: 3 })
    server().clock.now += dayMs / 10
    await checkOften(11)
    expect(await rest.usage()).toMatchObject({ operations: 4 })
    await hook.close()
  })

  test('two processes on one database count together', async () => {
    const person = await server().signUp()
    const { apiKey } = person
    const rest = restWith(server(), apiKey)
    const twin = await openTwin(server())
    const other = restWith(twin, apiKey)
    await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? rest : other).listEntities()))
    await twin.ctx.usage.flush()
    expect(await person.rest.realTimeStats()).toMatchObject({ queries: 30 })
    await twin.close()
    expect(await person.rest.usage()).toMatchObject({ operations: 30 })
  })

  test('counts survive the end of the process', async () => {
    const { rest, apiKey } = await server().signUp()
    const twin = await openTwin(server())
    await restWith(twin, apiKey).listEntities()
    await twin.close()
    expect(await rest.realTimeStats()).toMatchObject({ queries: 1 })
  })

  test('numbers belong to the account', async () => {
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    await restWith(server(), alice.apiKey).listEntities()
    expect(await alice.rest.realTimeStats()).toMatchObject({ total: 1 })
    expect(await bob.rest.realTimeStats()).toMatchObject({ total: 0 })
  })

  test('days and months begin at midnight UTC', async () => {
    const { rest, apiKey } = await server().signUp()
    const agent = restWith(server(), apiKey)
    server().clock.now = monthEnd - 1
    await agent.listEntities()
    expect(await rest.usage()).toMatchObject({
      operations: 1,
      periodStart: toIso(monthStart),
      periodEnd: toIso(monthEnd),
    })
    server().clock.now = monthEnd
    expect(await rest.usage()).toMatchObject({ operations: 0, periodStart: toIso(monthEnd) })
    await agent.listEntities()
    expect(await rest.analytics()).toMatchObject({ todayApiCalls: 1, monthlyUsage: { total: 1 } })
  })

  test('past the monthly operations writes are refused, while reads and deletes continue', async () => {
    const person = await server().signUp()
    const rest = restWith(server(), person.apiKey)
    const { entity } = await rest.createEntity({ body: { name: 'kept', type: 't' } })
    await setMonthOperations(server(), person, 14_990)
    server().clock.now += 60_000
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => rest.createEntity({ body: { name: `n${i}`, type: 't' } })),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(10)
    expect(refused[0]?.reason).toMatchObject({
      status: 429,
      code: 'operations_limit_reached',
      details: [{ limit: 15_000, used: 15_000, plan: 'free' }],
    })
    const params = { id: entity.id }
    await expect(rest.updateEntity({ params, body: { name: 'x', type: 't' } })).rejects.toMatchObject({
      status: 429,
    })
    await expect(rest.createBatch({ body: { entities: [], relations: [] } })).rejects.toMatchObject({
      status: 429,
    })
    await rest.getEntity({ params })
    await expect(rest.import({ body: '' })).rejects.toMatchObject({ status: 429 })
    await rest.graphData()
    await (await rest.export()).text()
    await rest.deleteEntity({ params })
  })

  test('the refusal says when to come back, and the next month is open', async () => {
    const person = await server().signUp()
    await setMonthOperations(server(), person, 15_000)
    server().clock.now = monthEnd - 90_500
    const create = () =>
      fetch(`${server().url}/api/entities`, {
        method: 'POST',
        headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'n', type: 't' }),
      })
    const refused = await create()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('91')
    expect(refused.headers.get('ratelimit-limit')).toBe('15000')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('ratelimit-reset')).toBe('91')
    server().clock.now = monthEnd
    expect((await create()).status).toBe(201)
  })

  test('a larger plan lifts the limit at once in every process', async () => {
    const person = await server().signUp()
    await setMonthOperations(server(), person, 15_000)
    const twin = await openTwin(server())
    const other = restWith(twin, person.apiKey)
    const body = { name: 'n', type: 't' }
    await expect(other.createEntity({ body })).rejects.toMatchObject({ status: 429 })
    await setPlan(server(), person, 'starter')
    await other.createEntity({ body })
    await twin.close()
  })

  test('of a hundred concurrent creates with ten places left, ten succeed', async () => {
    const person = await server().signUp()
    await setEntityCount(server(), person, 990)
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => person.rest.createEntity({ body: { name: `n${i}`, type: 't' } })),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(90)
    for (const { reason } of refused) {
      expect(reason).toMatchObject({
        status: 403,
        code: 'plan_limit_reached',
        details: [{ limit: 1_000, used: 1_000, plan: 'free' }],
      })
    }
    expect(await person.rest.usage()).toMatchObject({ entities: 1_000 })
    expect((await person.rest.listEntities()).total).toBe(10)
  })

  test('concurrent batches fill the plan exactly or not at all', async () => {
    const person = await server().signUp()
    await setEntityCount(server(), person, 990)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        person.rest.createBatch({
          body: { entities: [0, 1, 2].map((j) => ({ name: `n${i}.${j}`, type: 't' })), relations: [] },
        }),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3)
    expect(await person.rest.usage()).toMatchObject({ entities: 999 })
    await person.rest.createEntity({ body: { name: 'last', type: 't' } })
    await expect(person.rest.createEntity({ body: { name: 'over', type: 't' } })).rejects.toMatchObject({
      code: 'plan_limit_reached',
    })
  })

  test('usage is told by day, days without any included', async () => {
    const person = await server().signUp()
    const agent = restWith(server(), person.apiKey)
    await agent.listEntities()
    server().clock.now += 2 * dayMs
    for (const name of ['a', 'b']) await agent.createEntity({ body: { name, type: 't' } })
    const { days } = await person.rest.usageDays()
    expect(days.map(({ total }) => total).slice(-4)).toEqual([0, 1, 0, 2])
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ day: toIso(server().clock.now).slice(0, 10), creates: 2 })
  })

  test('an account deleted with unsaved counts leaves nothing behind', async () => {
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    await restWith(server(), alice.apiKey).listEntities()
    await restWith(server(), bob.apiKey).listEntities()
    const { accountId } = await scopeOf(server(), alice)
    await alice.rest.deleteAccount({ body: { password: alice.password } })
    await finishRemovals(server().ctx)
    expect(await bob.rest.realTimeStats()).toMatchObject({ queries: 1 })
    const left = await server()
      .ctx.db.selectFrom('operation_counts')
      .where('account_id', '=', accountId)
      .selectAll()
      .execute()
    expect(left).toEqual([])
  })
})
