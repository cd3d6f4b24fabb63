import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { expect, onTestFinished, test } from 'vitest'
import { testConfig } from './harness.ts'

const main = join(import.meta.dirname, '../bin/loci.js')
const supervisor = join(import.meta.dirname, 'pass-socket.pl')

/** A server that is started anew, on the same socket, whenever it ends. */
async function startSupervised(dataDir: string) {
  const env = {
    ...process.env,
    LOCI_DATA_DIR: dataDir,
    DATABASE_URL: '',
    LOCI_LOG_LEVEL: 'silent',
    LOCI_BILLING: 'off',
  }
  const child = spawn('perl', [supervisor, process.execPath, main, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => end(child))
  const pids: number[] = []
  const { promise, resolve } = Promise.withResolvers<number>()
  createInterface(child.stdout).on('line', (line) => {
    if (/^\d+$/.test(line)) resolve(Number(line))
    const [, pid] = /^started (\d+)$/.exec(line) ?? []
    if (pid !== undefined) pids.push(Number(pid))
  })
  return { url: `http://127.0.0.1:${await promise}`, pids }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

/** Every call on a connection of its own, as a proxy without kept connections makes them. */
const closingFetch: typeof fetch = async (input, init) => {
  const headers = Object.fromEntries(new Headers(init?.headers))
  const sent = request(String(input), { method: init?.method ?? 'GET', headers, agent: false })
  sent.end(init?.body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return new Response(await text(answer), {
    status: answer.statusCode!,
    headers: { 'content-type': 'application/json' },
  })
}

async function signUp(baseUrl: string): Promise<RestClient> {
  const { token } = await createRestClient({ baseUrl, fetch: closingFetch }).register({
    body: { email: 'ada@example.com', password: 'correct horse battery', firstName: 'A', lastName: 'L' },
  })
  return createRestClient({ baseUrl, token: () => token, fetch: closingFetch })
}

test('no call fails while a server is restarted on a socket that systemd holds', async () => {
  const { config, remove } = await testConfig('sqlite')
  onTestFinished(remove)
  const { url, pids } = await startSupervised(config.dataDir)
  // The socket accepts calls before the server has started.
  const rest = await signUp(url)
  let isOver = false
  let stored = 0
  const caller = async (name: string) => {
    while (!isOver) {
      const { entity } = await rest.createEntity({ body: { name: `${name} ${stored}`, type: 'thing' } })
      await rest.getEntity({ params: { id: entity.id } })
      stored++
    }
  }
  const callers = Promise.all(['a', 'b', 'c', 'd'].map(caller))
  for (const restarts of [1, 2]) {
    const before = stored
    await expect.poll(() => stored, { timeout: 60_000 }).toBeGreaterThan(before + 20)
    process.kill(pids.at(-1)!, 'SIGTERM')
    await expect.poll(() => pids.length, { timeout: 60_000 }).toBe(restarts + 1)
  }
  const before = stored
  await expect.poll(() => stored, { timeout: 60_000 }).toBeGreaterThan(before + 20)
  isOver = true
  await callers
  const { total } = await rest.listEntities({ query: { limit: '1' } })
  expect(total).toBe(stored)
})
