import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addMember, restWith } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { sweepRecalls } from './recall-sweep.ts'

describeOnBothDatabases('recalls', (server) => {
  let person: Person
  beforeEach(async () => {
    person = await server().signUp()
  })
  afterEach(() => {
    server().ctx.config.recallDays = 30
  })

  async function ask(tool: string, question: string, key = person.apiKey) {
    const agent = await connectOverHttp(server(), key, 'auto')
    await agent.callTool({ name: tool, arguments: { query: question } })
    await agent.close()
  }
  const remember = async (name: string, observations: string[], type = 'person') =>
    (await person.rest.createEntity({ body: { name, type, observations } })).entity
  const recallsOf = async ({ rest }: Pick<Person, 'rest'> = person) => (await rest.listRecalls()).recalls
  const replayOf = async (id: string) => (await person.rest.getRecall({ params: { id } })).recall

  test('keep the question and the ids of what was told, in order and with reasons', async () => {
    const ada = await remember('Ada', ['Ada drinks green tea', 'Ada lives in London'])
    await ask('recall', 'Who drinks green tea?')
    const [recall] = await recallsOf()
    expect(recall).toMatchObject({
      question: 'Who drinks green tea?',
      found: true,
      by: { kind: 'personal_key', id: person.userId, client: 'test-agent' },
      entityIds: [ada.id],
    })
    const ids = ada.observations.map(({ id }) => id)
    expect(recall!.rows[0]).toMatchObject({ observationId: ids[0], rank: 1, reason: 'words' })
    expect(recall!.tokens).toBeGreaterThan(recall!.rows[0]!.tokens)
    expect(JSON.stringify(await server().ctx.db.selectFrom('recalls').selectAll().execute())).not.toContain(
      'lives in London',
    )
  })

  test('keep no secrets and no private parts of a question', async () => {
    await remember('Ada', ['Ada drinks green tea'])
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    for (const tool of ['recall', 'search_nodes'])
      await ask(tool, `Ada, tea, ${secret} <private>my salary is 70000</private>`)
    expect(await recallsOf()).toMatchObject(
      Array(2).fill({ question: 'Ada, tea, [redacted: github-token] [redacted: private]', found: true }),
    )
    const kept = JSON.stringify(await server().ctx.db.selectFrom('recalls').selectAll().execute())
    expect(kept.toLowerCase()).not.toMatch(/ghp|a1b2|salary|70000/)
  })

  test('are kept of a search of entities too, and of an asOf answer, but not of people who look', async () => {
    const ada = await remember('Ada', ['Ada drinks green tea'])
    await ask('search_nodes', 'Ada')
    await person.rest.search({ query: { query: 'Ada' } })
    await person.rest.previewRecall({ body: { query: 'Ada' } })
    await person.rest.askAgain({ body: { question: 'Ada' } })
    expect(await recallsOf()).toMatchObject([{ question: 'Ada', entityIds: [ada.id], rows: [] }])
  })

  test('are shown with their rows as they are now', async () => {
    const { id, observations } = await remember('Ada', [
      'Ada drinks green tea',
      'Ada likes green hats',
      'Ada paints green doors',
    ])
    await ask('recall', 'what is green?')
    const [recall] = await recallsOf()
    server().clock.now += 1_000
    const [tea, hats, doors] = observations.map((observation) => observation.id)
    const content = 'Ada drinks green tea at four'
    await person.rest.updateObservation({ params: { id, observationId: tea! }, body: { content } })
    await person.rest.deleteObservation({ params: { id, observationId: hats! } })
    await person.rest.createObservations({
      params: { id },
      body: { observations: [{ content: 'Ada paints blue doors', replaces: [doors!] }] },
    })
    const { rows, entities } = await replayOf(recall!.id)
    const byId = new Map(rows.map((row) => [row.observationId, row]))
    expect(byId.get(tea!)).toMatchObject({
      ...{ content, since: 'changed', entity: { id, name: 'Ada' }, by: { id: person.userId } },
      highlights: [[11, 16]],
    })
    expect(byId.get(hats!)).toMatchObject({ since: 'forgotten' })
    expect(byId.get(hats!)).not.toHaveProperty('content')
    expect(byId.get(doors!)).toMatchObject({ since: 'replaced' })
    expect(entities).toEqual([{ id, name: 'Ada', type: 'person' }])
  })

  test('tell what was found and not handed over', async () => {
    await remember(
      'Orchard',
      Array.from({ length: 30 }, (_, i) => `The orchard has tree number ${i}, planted by hand last year`),
    )
    const agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await agent.callTool({ name: 'recall', arguments: { query: 'orchard tree', maxTokens: 200 } })
    await agent.close()
    const [recall] = await recallsOf()
    const { rows, missed } = await replayOf(recall!.id)
    expect(missed).toHaveLength(11)
    expect(missed[0]).toMatchObject({ rank: rows.length + 1, entity: { name: 'Orchard' } })
    const told = new Set(rows.map(({ observationId }) => observationId))
    expect(missed.some(({ observationId }) => told.has(observationId))).toBe(false)
  })

  test('are deleted and erased under an idempotency key too, while others wait to be stored', async () => {
    const { id, observations } = await remember('Ada', ['Ada drinks green tea'])
    await ask('recall', 'green tea')
    const [recall] = await recallsOf()
    const paths = [
      ['DELETE', `/api/recalls/${recall!.id}`],
      ['POST', `/api/observations/${observations[0]!.id}/erase`],
      ['POST', `/api/entities/${id}/erase`],
    ] as const
    for (const [method, path] of paths) {
      await ask('recall', 'green tea')
      const headers = { 'idempotency-key': path }
      const { status } = await server().call(method, path, { token: person.token, headers })
      expect([path, status]).toEqual([path, expect.toBeOneOf([200, 204])])
    }
  })

  test('leave nothing of an observation that is erased', async () => {
    const { observations } = await remember('Ada', ['Ada drinks green tea', 'Ada wears hats'])
    await ask('recall', 'green tea')
    await ask('recall', 'hats')
    const tea = observations[0]!.id
    const told = (await recallsOf()).filter(({ rows }) =>
      rows.some(({ observationId }) => observationId === tea),
    )
    expect(told.length).toBeGreaterThan(0)
    await person.rest.eraseObservation({ params: { id: tea }, body: {} })
    const left = await recallsOf()
    expect(JSON.stringify(left)).not.toContain(tea)
    expect(left.map(({ id }) => id)).not.toContain(told[0]!.id)
  })

  test('are asked again without being kept, with what was learned since', async () => {
    await ask('recall', 'Who drinks green tea?')
    const [recall] = await recallsOf()
    expect(recall).toMatchObject({ found: false, rows: [] })
    await remember('Ada', ['Ada drinks green tea'])
    const { answer } = await person.rest.askAgain({ body: { question: recall!.question } })
    expect(answer).toMatchObject({ found: true, rows: [{ content: 'Ada drinks green tea', rank: 1 }] })
    expect(await recallsOf()).toHaveLength(1)
  })

  test('without an answer are grouped by question until one is answered', async () => {
    await ask('recall', 'Who signs for Norway?')
    await ask('recall', 'who signs for norway')
    await ask('recall', 'Zeppelin timetable')
    const unanswered = async () => (await person.rest.listUnanswered()).questions
    expect(await unanswered()).toMatchObject([
      { question: 'Zeppelin timetable', times: 1 },
      { question: 'who signs for norway', times: 2, agents: ['test-agent'] },
    ])
    await remember('Norway', ['Aino signs for Norway'])
    await ask('recall', 'Who signs for Norway?')
    const [left, ...others] = await unanswered()
    expect(others).toEqual([])
    await person.rest.deleteRecall({ params: { id: left!.recallId }, query: { alike: 'true' } })
    expect(await unanswered()).toEqual([])
    expect((await person.rest.listRecalls({ query: { found: 'false' } })).recalls).toHaveLength(2)
  })

  test('are filtered by answer and asker, and read page by page', async () => {
    await remember('Ada', ['Ada drinks green tea'])
    for (const question of ['green tea', 'nothing of that', 'Ada']) await ask('recall', question)
    const questions = async (query: Record<string, string>) =>
      (await person.rest.listRecalls({ query })).recalls.map(({ question }) => question)
    expect(await questions({ found: 'false' })).toEqual(['nothing of that'])
    expect(await questions({ by: 'test-agent' })).toHaveLength(3)
    expect(await questions({ by: person.userId })).toHaveLength(3)
    expect(await questions({ by: 'another' })).toEqual([])
    const first = await person.rest.listRecalls({ query: { limit: '2' } })
    expect(first.recalls.map(({ question }) => question)).toEqual(['Ada', 'nothing of that'])
    expect(await questions({ cursor: first.nextCursor! })).toEqual(['green tea'])
  })

  test('of others need the right to review; anybody sees and deletes their own', async () => {
    const inAccount = await addMember(server(), person)
    await ask('recall', 'a question of the owner')
    const [recall] = await recallsOf()
    expect(await recallsOf({ rest: inAccount })).toEqual([])
    const params = { id: recall!.id }
    for (const call of [inAccount.getRecall, inAccount.deleteRecall])
      await expect(call({ params })).rejects.toMatchObject({ code: 'recall_not_found' })
    const { apiKey } = await inAccount.createKey({ body: { name: 'mine', permissions: [] } })
    await ask('recall', 'a question of the member', apiKey)
    const [own, ...others] = await recallsOf({ rest: inAccount })
    expect([own!.question, others]).toEqual(['a question of the member', []])
    expect(own!.by).toMatchObject({ kind: 'api_key', name: 'mine' })
    expect(await recallsOf()).toHaveLength(2)
    await inAccount.deleteRecall({ params: { id: own!.id } })
    expect(await recallsOf()).toHaveLength(1)
  })

  test('leave nothing of what is erased, stored or not', async () => {
    const ada = await remember('Ada Lovelace', ['Drinks green tea'])
    await remember('Bob', ['Drinks black coffee'])
    await ask('recall', 'who drinks green tea')
    await server().ctx.usage.flush()
    await ask('recall', 'the address of ada lovelace?')
    await ask('recall', 'black coffee')
    await person.rest.eraseEntity({ params: { id: ada.id } })
    expect((await recallsOf()).map(({ question }) => question)).toEqual(['black coffee'])
    const kept = JSON.stringify(await server().ctx.db.selectFrom('recalls').selectAll().execute())
    expect(kept).not.toMatch(/lovelace/i)
  })

  test('are kept as long as the retention says, and no more than so many of a space', async () => {
    await ask('recall', 'first')
    server().clock.now += 20 * dayMs
    for (const question of ['second', 'third', 'fourth']) await ask('recall', question)
    server().clock.now += 10 * dayMs + 1
    // The session has ended by then.
    const byKey = { rest: restWith(server(), person.apiKey) }
    const questions = async () => (await recallsOf(byKey)).map(({ question }) => question)
    const stored = async () => {
      const rows = await server().ctx.db.selectFrom('recalls').select('question').execute()
      return rows.map(({ question }) => question)
    }
    expect(await questions()).toEqual(['fourth', 'third', 'second'])
    expect(await stored()).toContain('first')
    await sweepRecalls(server().ctx, undefined, 2)
    expect(await questions()).toEqual(['fourth', 'third'])
    expect(await stored()).not.toContain('first')
    const goOn = vi.fn(async () => true)
    await sweepRecalls(server().ctx, goOn, 2)
    expect(goOn).not.toHaveBeenCalled()
  })

  test('are not kept when the space stops keeping them while they are stored', async () => {
    const { ctx } = server()
    await ask('recall', 'being stored')
    const { transaction } = ctx.dialect
    const spy = vi.spyOn(ctx.dialect, 'transaction').mockImplementationOnce((db, work, account) =>
      transaction(
        db,
        async (tx) => {
          const result = await work(tx)
          await setTimeout(300)
          return result
        },
        account,
      ),
    )
    const stored = ctx.usage.flush()
    await vi.waitUntil(() => spy.mock.calls.length > 0)
    await person.rest.updateSpace({ params: { id: 'spc_1' }, body: { keepsRecalls: false } })
    await stored
    spy.mockRestore()
    expect(await recallsOf()).toEqual([])
  })

  test('are not kept where the operator or the space says so', async () => {
    const params = { id: 'spc_1' }
    await ask('recall', 'kept')
    const member = await addMember(server(), person)
    await expect(member.updateSpace({ params, body: { keepsRecalls: false } })).rejects.toMatchObject({
      code: 'not_permitted',
    })
    const { space } = await person.rest.updateSpace({ params, body: { keepsRecalls: false } })
    expect(space.keepsRecalls).toBe(false)
    await ask('recall', 'not kept')
    expect(await recallsOf()).toEqual([])
    expect((await person.rest.analytics()).lastRecall).toBeNull()
    await person.rest.updateSpace({ params, body: { keepsRecalls: true } })
    server().ctx.config.recallDays = 0
    await ask('recall', 'not kept either')
    expect(await person.rest.listRecalls()).toEqual({ recalls: [], keptDays: 0, nextCursor: null })
    server().ctx.config.recallDays = 30
    expect(await recallsOf()).toEqual([])
  })
})
