import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DialectName, listenOn, type Person, testConfig } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'
import { setUpTotp } from '../../../test/totp.ts'
import { openContext } from '../../open-context.ts'

const dialect: DialectName = 'sqlite'
const lines: Record<string, unknown>[] = []
let server: Awaited<ReturnType<typeof listenOn>>
let remove: () => Promise<void>
let alice: Person

beforeAll(async () => {
  const prepared = await testConfig(dialect)
  remove = prepared.remove
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  server = await listenOn(await openContext(prepared.config, log))
  alice = await server.signUp()
})
afterAll(async () => {
  await server.close()
  await remove()
})

/** The lines that a call logs. */
async function linesOf(call: () => Promise<unknown>) {
  const before = lines.length
  await call()
  await expect.poll(() => lines.length).toBeGreaterThan(before)
  await sleep(20)
  return lines.slice(before)
}

test('a request says who called, with what and from where', async () => {
  const [line] = await linesOf(() => server.call('GET', '/api/entities?query=hidden', { token: alice.token }))
  expect(line).toMatchObject({
    msg: 'request',
    method: 'GET',
    route: '/api/entities',
    status: 200,
    account: expect.any(Number),
    caller: { kind: 'session', id: expect.stringMatching(/^ses_/), user: alice.userId },
    address: '127.0.0.1',
    pid: process.pid,
  })
  const { id, apiKey } = await alice.rest.createKey({ body: { name: 'key', permissions: [] } })
  const [other] = await linesOf(() => server.call('GET', '/api/entities', { token: apiKey }))
  expect(other).toMatchObject({ caller: { kind: 'api_key', id, user: alice.userId } })
})

test('a refused request says why, a tool call names the tool', async () => {
  const [line] = await linesOf(() => server.call('GET', '/api/entities', { token: 'nonsense' }))
  expect(line).toMatchObject({ status: 401, code: 'not_authenticated', address: '127.0.0.1' })
  expect(line).not.toHaveProperty('account')
  const [called] = await linesOf(() =>
    postMcp(`${server.url}/mcp`, alice.apiKey, 'older', {
      method: 'tools/call',
      params: { name: 'read_graph' },
    }),
  )
  expect(called).toMatchObject({ route: '/mcp', tool: 'read_graph', caller: { kind: 'personal_key' } })
})

test('a failed sign-in says so without the email or the password', async () => {
  const body = { email: alice.email, password: 'not the right password' }
  const [line] = await linesOf(() => server.call('POST', '/auth/login', { body }))
  expect(line).toMatchObject({
    level: 40,
    msg: 'sign-in failed',
    status: 401,
    code: expect.any(String),
    address: '127.0.0.1',
  })
})

test('with a second factor, the right password is not a failure, and a wrong code is one', async () => {
  const { email, password } = alice
  await setUpTotp(alice.rest, password, Date.now())
  let token = ''
  const [first] = await linesOf(async () => {
    const { body } = await server.call('POST', '/auth/login', { body: { email, password } })
    token = body.error.details[0].token
  })
  expect(first).toMatchObject({ level: 30, msg: 'request', status: 403, code: 'second_factor_required' })
  const wrong = { token, code: '0000000000000000' }
  const [second] = await linesOf(() => server.call('POST', '/auth/login/second-factor', { body: wrong }))
  expect(second).toMatchObject({ level: 40, msg: 'sign-in failed', code: 'invalid_credentials' })
  const [late] = await linesOf(() =>
    server.call('POST', '/auth/login/second-factor', { body: { ...wrong, token: 'x'.repeat(43) } }),
  )
  expect(late).toMatchObject({ msg: 'sign-in failed', code: 'second_step_expired' })
  expect(JSON.stringify(lines)).not.toContain(token)
})

test('no line contains a secret, an email or a query', () => {
  const all = JSON.stringify(lines)
  for (const secret of [alice.email, alice.password, alice.token, alice.apiKey, 'hidden', 'not the right']) {
    expect(all).not.toContain(secret)
  }
})
