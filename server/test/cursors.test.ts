import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { beforeAll, expect, test, vi } from 'vitest'
import { setPlan } from './accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from './harness.ts'
import { proposerOf } from './proposer.ts'

type Ids = { conversations: string[]; webhooks: string[] }

/** Every list with a cursor, in each of its orders. */
const listsOf = ({ conversations, webhooks }: Ids) => [
  '/api/entities?',
  '/api/entities?asOf=2100-01-01',
  '/api/entities?query=shed',
  '/api/entities?query=shed&sort=name',
  '/api/entities?sort=name',
  '/api/entities?sort=name&order=desc',
  '/api/entities?order=asc',
  '/api/entities?sort=changed',
  '/api/entities?sort=connected',
  '/api/entities?sort=facts',
  '/api/observations/cited?repository=ada/engine',
  '/api/observations/stale?',
  `/api/observations/sourced?conversation=${conversations[0]}`,
  '/api/conversations?',
  '/api/conversations?order=agent',
  '/api/conversations?order=project',
  ...conversations.map((id) => `/api/conversations/${id}?`),
  '/api/drafts?',
  '/api/duplicates?',
  '/api/health/memory?',
  '/api/changes?',
  '/api/changes?order=asc',
  '/api/proposals?',
  '/api/relations?',
  '/api/relations?asOf=2100-01-01',
  '/api/search?query=shed',
  '/api/search/observations?query=shed',
  '/api/recalls?',
  '/api/audit?',
  ...webhooks.map((id) => `/api/webhooks/${id}/deliveries?`),
]

/** Puts two rows or more into every list. */
async function fillLists(person: Person): Promise<Ids> {
  const { rest } = person
  const said = [1, 2].map((i) =>
    rest.storeTurns({
      body: {
        conversation: { agent: `agent ${i}`, externalId: `${i}`, project: { name: `project ${i}` } },
        turns: ['a', 'b'].map((externalId) => ({
          ...{ externalId, at: new Date().toISOString(), role: 'person' as const },
          text: `From now on, paint shed ${i}${externalId} blue`,
        })),
      },
    }),
  )
  const conversations = (await Promise.all(said)).map(({ conversationId }) => conversationId)
  const { turns } = await rest.readConversation({ params: { id: conversations[0]! } })
  const source = { conversationId: conversations[0]!, turnId: turns[0]!.id }
  const files = [{ path: 'a.ts', hash: 'old', repository: 'ada/engine' }]
  const entities = ['Shed one', 'Shed two', 'shed One', 'shed Two'].map((name) => ({
    ...{ name, type: 'building' },
    observations: [{ content: `${name} stands by the river`, files, source }],
  }))
  const relations = ['beside', 'behind'].map((type) => ({ from: 'Shed one', to: 'Shed two', type }))
  await rest.createBatch({ body: { entities, relations } })
  const now = [{ path: 'a.ts', hash: 'new' }]
  await rest.verifyObservations({ body: { repository: 'ada/engine', files: now } })
  const proposer = await proposerOf(person)
  for (const name of ['Barn', 'Byre']) {
    await proposer.rest.createEntity({ body: { name, type: 'building' } })
    await proposer.callTool('recall', { query: name })
  }
  const webhooks: string[] = []
  for (const path of ['a', 'b']) {
    const { webhook } = await rest.createWebhook({ body: { url: `https://receiver.invalid/${path}` } })
    for (let i = 0; i < 2; i++) await rest.testWebhook({ params: { id: webhook.id } })
    webhooks.push(webhook.id)
  }
  return { conversations, webhooks }
}

const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
const partsOf = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString())

describeOnBothDatabases('a cursor', (server: () => TestServer) => {
  let token: string
  let lists: string[]
  const cursors = new Map<string, string>()

  async function answerOf(list: string, cursor: string) {
    const { status, body } = await server().call('GET', `${list}&limit=1&cursor=${cursor}`, { token })
    return [status, body.error?.code]
  }

  /** Of the first of two rows; a report of health takes a moment. */
  async function cursorOf(list: string): Promise<string> {
    const { body } = await server().call('GET', `${list}&limit=1`, { token })
    expect([list, body.nextCursor]).toEqual([list, expect.any(String)])
    return body.nextCursor
  }

  beforeAll(async () => {
    const alice = await server().signUp()
    token = alice.token
    await setPlan(server(), alice, 'power-user')
    lists = listsOf(await fillLists(alice))
    for (const list of lists) cursors.set(list, await vi.waitFor(() => cursorOf(list), { timeout: 20_000 }))
  })

  test('is here of every list that has one', () => {
    const withCursor = Object.values<Endpoint>(api).filter(({ query }) => 'cursor' in (query?.shape ?? {}))
    const listed = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '\\w+')}\\?`)
    const missing = withCursor.filter(({ path }) => !lists.some((list) => listed(path).test(list)))
    expect(missing).toEqual([])
  })

  test('continues its own list and is refused by every other', async () => {
    for (const [own, cursor] of cursors)
      for (const list of lists)
        expect([own, list, ...(await answerOf(list, cursor))]).toEqual([
          ...[own, list],
          ...(list === own ? [200, undefined] : [400, 'invalid_cursor']),
        ])
  })

  test.each([
    ['a NUL', 'a\0'],
    ['a fraction', 0.5],
    ['too large', 1e300],
    ['nothing', null],
    ['a list', []],
  ])('that somebody forged with %s is read or refused, never an error', async (_, value) => {
    for (const [list, cursor] of cursors) {
      const parts = partsOf(cursor)
      for (const at of parts.keys()) {
        const [status] = await answerOf(list, forged(parts.with(at, value)))
        expect([list, at, [200, 400].includes(status as number)]).toEqual([list, at, true])
      }
    }
  })
})
