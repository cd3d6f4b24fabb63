import { beforeAll, expect, test } from 'vitest'
import { isOnCitus } from './citus.ts'
import { countingFiles, type ListOf } from './files-entered.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { statementsOf } from './statements-of.ts'

/** Most statements and files of ours per call: what was measured. Whoever adds one raises the number knowingly. */
const bounds = {
  read: { statements: { sqlite: 5, postgres: 4 }, files: { sqlite: 33, postgres: 33 } },
  list: { statements: { sqlite: 4, postgres: 3 }, files: { sqlite: 36, postgres: 36 } },
  search: { statements: { sqlite: 5, postgres: 4 }, files: { sqlite: 83, postgres: 84 } },
  create: { statements: { sqlite: 14, postgres: 14 }, files: { sqlite: 79, postgres: 79 } },
  signIn: { statements: { sqlite: 25, postgres: 19 }, files: { sqlite: 52, postgres: 46 } },
}
type Call = keyof typeof bounds
const names = Object.keys(bounds) as Call[]

const isCovered = process.env.NODE_V8_COVERAGE !== undefined

/** Compiles and fills caches. */
const warmUpCalls = 5
/**
 * Jobs of the server join some calls, and a search that a busy machine interrupts for 5 ms lets others go first: so the
 * fewest statements count, and the files that each of so many calls enters.
 */
const tries = 5
const triesMax = 25

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
    signIn: () => send('POST', '/auth/login', { email: alice.email, password: alice.password }),
    create: () =>
      send('POST', '/api/entities', {
        name: `Harbour ${count++}`,
        type: 'place',
        observations: ['Opened on a windy day'],
      }),
  }

  type Join = (before: string[], list: string[]) => string[]

  async function ofSomeCalls(call: () => Promise<unknown>, listOf: ListOf, join: Join, bound: number) {
    for (let i = 0; i < warmUpCalls; i++) await call()
    let joined: string[] | undefined
    for (let i = 0; i < tries || (joined!.length > bound && i < triesMax); i++) {
      // Otherwise the statistics of earlier calls are stored beside this one.
      await server().ctx.usage.flush()
      const list = await listOf(call)
      joined = joined === undefined ? list : join(joined, list)
    }
    return joined!
  }
  const fewer: Join = (before, list) => (list.length < before.length ? list : before)
  const inBoth: Join = (before, list) => before.filter((file) => list.includes(file))

  test.each(names)('%s runs no more statements than it did', async (name) => {
    const bound = bounds[name].statements[dialect]
    const found = await ofSomeCalls(calls[name], statementsOf, fewer, bound)
    requireAtMost(found, bound, `statements of ${name} on ${dialect}`)
  })

  // On a cluster a call takes longer, so jobs of the server join more of them.
  test.skipIf(isCovered || isOnCitus).each(names)('%s enters no more files than it did', async (name) => {
    const bound = bounds[name].files[dialect]
    const found = await countingFiles((filesEntered) => ofSomeCalls(calls[name], filesEntered, inBoth, bound))
    requireAtMost(found, bound, `files entered by ${name} on ${dialect}`)
  })
})

function requireAtMost(found: string[], bound: number, what: string): void {
  const list = found.map((each) => each.replaceAll(/\s+/g, ' ').trim()).join('\n')
  expect(found.length, `${what}: ${found.length} instead of ${bound}\n${list}`).toBeLessThanOrEqual(bound)
  if (found.length < bound)
    console.log(`The bound of ${what} can be lowered from ${bound} to ${found.length}.`)
}
