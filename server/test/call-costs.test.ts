import { beforeAll, expect, test } from 'vitest'
import { countingFiles, type ListOf } from './files-entered.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { statementsOf } from './statements-of.ts'

/** Most statements and files of ours per call: what was measured. Whoever adds one raises the number knowingly. */
const bounds = {
  read: { statements: { sqlite: 5, postgres: 4 }, files: { sqlite: 40, postgres: 40 } },
  list: { statements: { sqlite: 5, postgres: 4 }, files: { sqlite: 47, postgres: 47 } },
  search: { statements: { sqlite: 16, postgres: 9 }, files: { sqlite: 91, postgres: 93 } },
  create: { statements: { sqlite: 26, postgres: 20 }, files: { sqlite: 105, postgres: 94 } },
}
type Call = keyof typeof bounds
/** Files of search without those that analyse texts or read the index. */
const walkedMax = 20
const names = Object.keys(bounds) as Call[]

const isCovered = process.env.NODE_V8_COVERAGE !== undefined

/** Compiles and fills caches. */
const warmUpCalls = 5
/** The smallest figure counts, since jobs of the server join some calls. */
const tries = 5

describeOnBothDatabases('a call', (server, dialect) => {
  let alice: Person
  let id: string
  let count = 0

  beforeAll(async () => {
    alice = await server().signUp()
    for (let i = 0; i < 30; i++) await calls.create()
    const { entities } = (await calls.list()) as { entities: { id: string }[] }
    id = entities[0]!.id
  })

  async function send(method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${alice.apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(server().url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBeLessThan(300)
    return answer.json()
  }

  const calls: Record<Call, () => Promise<unknown>> = {
    read: () => send('GET', `/api/entities/${id}`),
    list: () => send('GET', '/api/entities?limit=20'),
    search: () => send('GET', '/api/search?query=windy'),
    create: () =>
      send('POST', '/api/entities', {
        name: `Harbour ${count++}`,
        type: 'place',
        observations: ['Opened on a windy day'],
      }),
  }

  async function fewest(call: () => Promise<unknown>, listOf: ListOf): Promise<string[]> {
    for (let i = 0; i < warmUpCalls; i++) await call()
    const lists: string[][] = []
    for (let i = 0; i < tries; i++) {
      // Otherwise the statistics of earlier calls are stored beside this one.
      await server().ctx.usage.flush()
      lists.push(await listOf(call))
    }
    return lists.toSorted((a, b) => a.length - b.length)[0]!
  }

  test.each(names)('%s runs no more statements than it did', async (name) => {
    const found = await fewest(calls[name], statementsOf)
    requireAtMost(found, bounds[name].statements[dialect], `statements of ${name} on ${dialect}`)
  })

  test.skipIf(isCovered)(
    'a question walks through no more files between route and index than it did',
    async () => {
      const found = await countingFiles((filesEntered) => fewest(calls.search, filesEntered))
      const walked = found.filter((file) =>
        /\/(?:features\/search|search\/(?:ask|meaning|match|rank|find))\//.test(file),
      )
      requireAtMost(walked, walkedMax, 'files that a question walks through')
    },
  )

  test.skipIf(isCovered).each(names)('%s enters no more files than it did', async (name) => {
    const found = await countingFiles((filesEntered) => fewest(calls[name], filesEntered))
    requireAtMost(found, bounds[name].files[dialect], `files entered by ${name} on ${dialect}`)
  })
})

function requireAtMost(found: string[], bound: number, what: string): void {
  const list = found.map((each) => each.replaceAll(/\s+/g, ' ').trim()).join('\n')
  expect(found.length, `${what}: ${found.length} instead of ${bound}\n${list}`).toBeLessThanOrEqual(bound)
  if (found.length < bound)
    console.log(`The bound of ${what} can be lowered from ${bound} to ${found.length}.`)
}
