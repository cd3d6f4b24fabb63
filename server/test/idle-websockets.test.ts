import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConfig } from './harness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const program = fileURLToPath(new URL('./websocket-client.ts', import.meta.url))

/** `IDLE_SOCKETS=5000` prints the figures of docs/reliability.md. */
const asked = process.env.IDLE_SOCKETS
const accounts = 3
const each = Math.ceil(Number(asked ?? 300) / accounts)
const callsTimed = 100
/** Per socket, which has a kernel buffer, a parser and listeners. */
const kilobytesMax = 60

let place: Awaited<ReturnType<typeof testConfig>>
let server: ServerProcess
const holders: ChildProcess[] = []

beforeAll(async () => {
  place = await testConfig('sqlite')
  server = await startServerProcess(place.config)
})
afterAll(async () => {
  for (const holder of holders) holder.kill()
  await server?.stop()
  await place?.remove()
})

async function signUp(name: string): Promise<{ token: string; rest: RestClient }> {
  const anonymous = createRestClient({ baseUrl: server.url, token: () => undefined })
  const person = { email: `${name}@example.com`, password: 'correct horse', firstName: name, lastName: 'X' }
  const { token } = await anonymous.register({ body: person })
  return { token, rest: createRestClient({ baseUrl: server.url, token: () => token }) }
}

/** Opens the sockets of one account; returns a function that waits for the next line of their process. */
function hold(token: string): () => Promise<unknown> {
  const holder = spawn(process.execPath, [program, server.url, token, String(each)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  holders.push(holder)
  const words = createInterface(holder.stdout!)[Symbol.asyncIterator]()
  return async () => (await words.next()).value
}

/** Resident megabytes of the server; undefined without /proc. */
function memory(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** Median and 99th percentile of another account's calls, in milliseconds. */
async function timeCalls(rest: RestClient): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  for (let i = 0; i < callsTimed; i++) {
    const startedAt = performance.now()
    const { entity } = await rest.createEntity({ body: { name: `e${Math.random()}`, type: 'thing' } })
    expect((await rest.getEntity({ params: { id: entity.id } })).entity).toEqual(entity)
    times.push(performance.now() - startedAt)
  }
  times.sort((one, other) => one - other)
  return { p50: times[callsTimed / 2]!, p99: times[callsTimed - 2]! }
}

test('idle WebSockets cost little memory, others are served, and each hears of a change', {
  timeout: 600_000,
}, async () => {
  const bystander = await signUp('bystander')
  const alone = await timeCalls(bystander.rest)
  const before = memory()
  const people = await Promise.all(Array.from({ length: accounts }, (_, i) => signUp(`listener${i}`)))
  const nextWords: (() => Promise<unknown>)[] = []
  for (const { token } of people) {
    const nextWord = hold(token)
    expect(await nextWord()).toBe('open')
    nextWords.push(nextWord)
  }
  const after = memory()
  const beside = await timeCalls(bystander.rest)
  const startedAt = performance.now()
  await people[0]!.rest.createEntity({ body: { name: 'News', type: 'thing' } })
  expect(await nextWords[0]!()).toBe('told')
  const toldMs = performance.now() - startedAt
  const kilobytes = (((after ?? 0) - (before ?? 0)) * 1024) / (accounts * each)
  // A few sockets cost less than what the server still loads meanwhile.
  if (each >= 1_000) expect(kilobytes).toBeLessThan(kilobytesMax)
  expect(holders.every(({ exitCode }) => exitCode === null)).toBe(true)
  if (asked !== undefined)
    process.stdout.write(
      `${JSON.stringify({ sockets: accounts * each, before, after, kilobytes, alone, beside, toldMs })}\n`,
    )
})
