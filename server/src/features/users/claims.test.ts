import { afterEach, describe, expect, test } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import type { Config } from '../../ground/config/config.ts'
import { readConversation } from '../conversations/conversations.service.ts'
import { storeTurns } from '../conversations/store-turns.ts'
import { createEntity } from '../entities/entities.service.ts'
import { finishRemovals } from '../removals/removals.ts'
import { findClaimLink } from './claim-link.ts'
import { findLocalActor } from './local-actor.ts'

/** Stores an entity as `loci mcp` does without a key. */
async function storeWithoutKey(ctx: TestServer['ctx'], name: string) {
  const body = { name, type: 'concept', observations: [`${name} was noticed`] }
  return createEntity(ctx, await findLocalActor(ctx), body)
}

const claimOf = async ({ ctx }: Pick<TestServer, 'ctx'>) =>
  (await findClaimLink(ctx))?.split('#claim=')[1] ?? ''

const person = {
  email: 'carol@example.com',
  password: 'long enough',
  firstName: 'Carol',
  lastName: 'Example',
}

async function namesOf({ rest }: Pick<Person, 'rest'>): Promise<string[]> {
  const { entities } = await rest.listEntities({ query: {} })
  return entities.map(({ name }) => name).sort()
}

describe.each<DialectName>(['sqlite', 'postgres'])('memory without an account (%s)', (dialect) => {
  let server: TestServer
  const start = async (change: Partial<Config> = {}) => {
    server = await startTestServer(dialect, change)
  }
  afterEach(() => server.close())

  const register = (claim: string, email = person.email) =>
    server.call('POST', '/auth/register', { body: { ...person, email, claim } })
  const listAs = async (token: string) => {
    const { body } = await server.call('GET', '/api/entities', { token })
    return body.entities.map(({ name }: { name: string }) => name).sort()
  }

  test('stays where it is when somebody signs up without its link', async () => {
    await start()
    await storeWithoutKey(server.ctx, 'Early')
    const mallory = await server.signUp('mallory')
    expect(await namesOf(mallory)).toEqual([])
    await storeWithoutKey(server.ctx, 'Later')
    expect(await namesOf(mallory)).toEqual([])
    const { body } = await register(await claimOf(server))
    expect(await listAs(body.token)).toEqual(['Early', 'Later'])
  })

  test('belongs to whoever signs up with the link, without limits, and agents continue writing to it', async () => {
    await start()
    const twin = await openTwin(server)
    const early = await claimOf(server)
    await storeWithoutKey(server.ctx, 'Early')
    const claim = await claimOf(twin)
    expect([early, await claimOf(server)]).toEqual(['', claim])
    expect((await server.call('GET', '/auth/claim')).body).toEqual({ waiting: true })
    const { status, body } = await register(claim)
    expect(status).toBe(201)
    expect((await server.call('GET', '/api/analytics/usage', { token: body.token })).body.plan).toBe(
      'self-hosted',
    )
    await storeWithoutKey(twin.ctx, 'Later')
    expect(await listAs(body.token)).toEqual(['Early', 'Later'])
    expect((await server.call('GET', '/auth/claim')).body).toEqual({ waiting: false })
    const again = await register(claim, 'dave@example.com')
    expect([again.status, again.body.error.code]).toEqual([404, 'claim_not_found'])
    expect((await register('', 'dave@example.com')).status).toBe(400)
    const login = { email: 'dave@example.com', password: person.password }
    expect((await server.call('POST', '/auth/login', { body: login })).status).toBe(401)
    await twin.close()
  })

  test('goes to one of several people who open the link at once', async () => {
    await start()
    await storeWithoutKey(server.ctx, 'Early')
    const claim = await claimOf(server)
    const answers = await Promise.all([1, 2, 3].map((i) => register(claim, `eve${i}@example.com`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404])
  })

  test.each(['x', 'A'.repeat(43)])('is not given away for %s', async (claim) => {
    await start()
    await storeWithoutKey(server.ctx, 'Early')
    const { token } = await server.signUp()
    expect((await register(claim)).body.error.code).toBe('claim_not_found')
    const answer = await server.call('POST', '/auth/claim', { token, body: { claim } })
    expect(answer.body.error.code).toBe('claim_not_found')
  })

  test('joins the account of a person who has one', async () => {
    await start()
    await storeWithoutKey(server.ctx, 'Early')
    const { rest, token } = await server.signUp()
    await rest.createEntity({ body: { name: 'Early', type: 'concept', observations: ['Known'] } })
    const claim = await claimOf(server)
    const asKey = await server.call('POST', '/auth/claim', {
      token: (await rest.me()).apiKey!,
      body: { claim },
    })
    expect(asKey.status).toBe(403)
    const { status, body } = await server.call('POST', '/auth/claim', { token, body: { claim } })
    expect([status, body]).toEqual([200, { entities: 0, observations: 1, relations: 0 }])
    expect((await server.call('GET', '/api/analytics/usage', { token })).body.plan).toBe('self-hosted')
    await storeWithoutKey(server.ctx, 'Later')
    expect(await namesOf({ rest })).toEqual(['Early', 'Later'])
    const again = await server.call('POST', '/auth/claim', { token, body: { claim } })
    expect(again.body.error.code).toBe('claim_not_found')
    await finishRemovals(server.ctx)
    expect(await server.ctx.db.selectFrom('accounts').selectAll().execute()).toHaveLength(1)
  })

  test('takes its conversations along, and its facts say where in the copies they are from', async () => {
    await start()
    const { ctx } = server
    const local = await findLocalActor(ctx)
    // So that the numbers of the copies differ.
    const carol = await server.signUp('carol')
    await carol.rest.createEntity({ body: { name: 'Own', type: 'concept', observations: ['one', 'two'] } })
    const turns = ['Which database?', 'PostgreSQL, it was decided.'].map((text, n) => ({
      ...{ externalId: `t${n}`, at: '2026-11-01T10:00:00.000Z', role: 'person' as const, text },
    }))
    const conversation = { agent: 'codex', externalId: 's1', title: 'Which\n database?' }
    const { conversationId } = await storeTurns(ctx, local, { conversation, turns })
    const said = await readConversation(ctx, local, conversationId, { limit: 10 })
    const source = { conversationId, turnId: said.turns[1]!.id }
    const content = `Decided, see "conversationId":"${conversationId}"`
    await createEntity(ctx, local, { name: 'shop', type: 'project', observations: [{ content, source }] })
    const body = { claim: await claimOf(server) }
    expect((await server.call('POST', '/auth/claim', { token: carol.token, body })).status).toBe(200)
    const [copy] = (await carol.rest.listConversations({ query: {} })).conversations
    expect(copy).toMatchObject({ title: 'Which database?', facts: 1 })
    expect(copy!.id).not.toBe(conversationId)
    const { entities } = await carol.rest.listEntities({ query: { query: 'shop', include: 'observations' } })
    const [fact] = entities.find(({ name }) => name === 'shop')!.observations!
    expect(fact!.content).toBe(content)
    const read = await carol.rest.readConversation({ params: { id: copy!.id }, query: {} })
    expect(fact!.source).toEqual({ conversationId: copy!.id, turnId: read.turns[1]!.id })
  })

  test('can be claimed even if sign-up is closed', async () => {
    await start({ signUp: 'closed' })
    await storeWithoutKey(server.ctx, 'Early')
    expect((await server.call('POST', '/auth/register', { body: person })).status).toBe(403)
    expect((await register(await claimOf(server))).status).toBe(201)
    // The result is the same whether or not the email is known.
    for (const email of [person.email, 'nobody@example.com']) {
      const madeUp = { ...person, email, claim: 'made up' }
      const { status, body } = await server.call('POST', '/auth/register', { body: madeUp })
      expect([status, body.error.code]).toEqual([404, 'claim_not_found'])
    }
  })

  test('is not mentioned to strangers', async () => {
    await start({ host: '0.0.0.0' })
    await storeWithoutKey(server.ctx, 'Early')
    expect((await server.call('GET', '/auth/claim')).body).toEqual({ waiting: false })
  })
})
