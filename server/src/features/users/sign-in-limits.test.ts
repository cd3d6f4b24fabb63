import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import type { TrustedProxies } from '../../ground/config/config-proxies.ts'
import { minuteMs } from '../../ground/lib/time.ts'

type Place = Pick<TestServer, 'call'>
type Try = { email: string; password?: string; from?: string; deviceTokens?: string[] }

function signIn(place: Place, { from = '198.51.100.1', password = 'a guess', ...body }: Try) {
  return place.call('POST', '/auth/login', {
    body: { ...body, password },
    headers: { 'x-forwarded-for': from },
  })
}

/** Makes guesses one after the other. */
async function guess(place: Place, times: number, attempt: (i: number) => Try): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await signIn(place, attempt(i))).status)
  return statuses
}

const times = (count: number, status: number) => Array<number>(count).fill(status)

/** Lets counted failures expire, so that they do not affect the next test. */
async function forget({ clock }: TestServer) {
  clock.now += 200 * minuteMs
}

// Each client address counts separately, as behind a proxy.
for (const dialect of ['sqlite', 'postgres'] as const) {
  describe(`the limits on signing in (${dialect})`, () => {
    let server: TestServer
    let alice: Person
    let device: string
    beforeAll(async () => {
      server = await startTestServer(dialect, { trustProxy: 1 })
      alice = await server.signUp()
      device = (await signIn(server, alice)).body.deviceToken
    })
    afterAll(() => server.close())

    test('ten failures slow an address down for one email, and nobody else', async () => {
      await forget(server)
      const { email, password } = alice
      expect(await guess(server, 12, () => ({ email }))).toEqual([...times(10, 401), ...times(2, 429)])
      const refused = await signIn(server, { email, password })
      expect(refused.body.error).toEqual({
        code: 'rate_limited',
        message: 'Too many attempts. Try again in 60 seconds.',
      })
      expect(refused.headers.get('retry-after')).toBe('60')
      expect(refused.headers.get('ratelimit-remaining')).toBe('0')
      expect((await signIn(server, { email, password, from: '198.51.100.2' })).status).toBe(200)
      const bob = await server.signUp('bob')
      expect((await signIn(server, bob)).status).toBe(200)
      server.clock.now += minuteMs
      expect(await guess(server, 2, () => ({ email }))).toEqual([401, 429])
      server.clock.now += minuteMs
      expect((await signIn(server, { email, password })).status).toBe(200)
    })

    test('an unknown email is refused the same way', async () => {
      await forget(server)
      const email = 'nobody@example.com'
      expect(await guess(server, 11, () => ({ email }))).toEqual([...times(10, 401), 429])
    })

    test('concurrent guesses count each other, also across processes', async () => {
      await forget(server)
      const { email } = alice
      const twin = await openTwin(server)
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) => signIn(i % 2 === 0 ? server : twin, { email })),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(14)
      await twin.close()
    })

    test('neither successes nor sign-ups count', async () => {
      await forget(server)
      const { email, password } = alice
      expect(await guess(server, 12, () => ({ email, password }))).toEqual(times(12, 200))
      const body = { email, password: 'long enough', firstName: 'A', lastName: 'B' }
      for (let i = 0; i < 12; i++)
        expect((await server.call('POST', '/auth/register', { body })).status).toBe(409)
      expect((await signIn(server, { email, password, from: '127.0.0.1' })).status).toBe(200)
    })

    test('a device that signed in before is not slowed down by strangers, wherever they are', async () => {
      await forget(server)
      const { email, password } = alice
      const from = '203.0.113.9'
      const guesses = await guess(server, 52, (i) => ({ email, from: `203.0.113.${i}` }))
      expect(guesses).toEqual([...times(50, 401), ...times(2, 429)])
      await guess(server, 10, () => ({ email, from }))
      expect((await signIn(server, { email, password, from })).status).toBe(429)
      const known = await signIn(server, { email, password, from, deviceTokens: ['forged.token', device] })
      expect(known.status).toBe(200)
      expect(known.body.deviceToken).toBe(device)
    })

    test('a device counts separately, and only for the email that signed in there', async () => {
      await forget(server)
      const { email, password } = alice
      const deviceTokens = [device]
      const byDevice = await guess(server, 11, (i) => ({ email, deviceTokens, from: `192.0.2.${i}` }))
      expect(byDevice).toEqual([...times(10, 401), 429])
      expect((await signIn(server, { email, password })).status).toBe(200)
      const bob = await server.signUp('bob')
      const atBob = await guess(server, 11, () => ({ email: bob.email, deviceTokens }))
      expect(atBob).toEqual([...times(10, 401), 429])
      for (const forged of [`${device}x`, device.replace(/^./, '~'), '.', '']) {
        expect(
          (await signIn(server, { email: bob.email, password: bob.password, deviceTokens: [forged] })).status,
        ).toBe(429)
      }
    })

    test('an address is slowed down for all emails after a hundred failures', async () => {
      await forget(server)
      const guesses = await guess(server, 102, (i) => ({ email: `${i}@example.com` }))
      expect(guesses).toEqual([...times(100, 401), ...times(2, 429)])
      expect((await signIn(server, { ...alice, from: '198.51.100.2' })).status).toBe(200)
    })

    test('a session allows ten wrong passwords, then one a minute', async () => {
      await forget(server)
      const { email, password } = await server.signUp()
      const { token } = (await signIn(server, { email, password })).body
      const change = (currentPassword: string, as: string) =>
        server.call('POST', '/auth/me/password', {
          token: as,
          body: { currentPassword, newPassword: 'brand new one' },
        })
      for (let i = 0; i < 5; i++) expect((await change(`guess ${i}`, token)).status).toBe(400)
      for (let i = 0; i < 5; i++) {
        const body = { password: `other guess ${i}` }
        expect((await server.call('DELETE', '/auth/me', { token, body })).status).toBe(400)
      }
      expect((await change(password, token)).status).toBe(429)
      expect((await server.call('DELETE', '/auth/me', { token, body: { password } })).status).toBe(429)
      const other = (await signIn(server, { email, password })).body.token
      expect((await change(password, other)).status).toBe(204)
    })

    test('expired attempts are deleted from the database', async () => {
      const rows = () => server.ctx.db.selectFrom('attempts').selectAll().execute()
      await guess(server, 12, (i) => ({ email: `sweep${i}@example.com`, from: `192.0.2.${i}` }))
      expect((await rows()).length).toBeGreaterThan(30)
      expect(JSON.stringify(await rows())).not.toMatch(/example\.com|192\.0/)
      await forget(server)
      for (let i = 0; i < 4; i++) await signIn(server, { email: 'last@example.com' })
      // Few may stay.
      expect((await rows()).length).toBeLessThan(3 + 20)
    })
  })
}

describe('the address that counts', () => {
  const last = '203.0.113.7'
  /** Eleven guesses, each with this `X-Forwarded-For`. */
  async function statusAfter(trustProxy: TrustedProxies, forwarded: (i: number) => string) {
    const server = await startTestServer('sqlite', { trustProxy })
    const statuses = await guess(server, 11, (i) => ({ email: 'a@example.com', from: forwarded(i) }))
    await server.close()
    return statuses.at(-1)
  }

  test.each<[string, TrustedProxies, (i: number) => string, number]>([
    ['without a proxy, what a client writes counts for nothing', false, (i) => `10.0.0.${i}`, 429],
    ['behind one proxy, only what that one added counts', 1, (i) => `10.0.0.${i}, ${last}`, 429],
    ['behind one proxy, clients are told apart', 1, (i) => `${last}, 10.0.0.${i}`, 401],
    ['behind two proxies, what the first one added counts', 2, (i) => `10.0.0.${i}, ${last}`, 401],
    [
      'behind known proxies, what they added counts',
      ['loopback', last],
      (i) => `1.1.1.1, 10.0.0.${i}, ${last}`,
      401,
    ],
    ['behind unknown proxies, their own address counts', ['192.0.2.1'], (i) => `10.0.0.${i}`, 429],
    ['whoever has an IPv6 network counts once', 1, (i) => `2001:db8:1:2:${i}::1`, 429],
    ['neighbouring IPv6 networks are told apart', 1, (i) => `2001:db8:1:${i}::1`, 401],
    ['IPv4 written as IPv6 is IPv4', 1, (i) => (i % 2 === 0 ? last : `::ffff:${last}`), 429],
  ])('%s', async (_title, trustProxy, forwarded, status) => {
    expect(await statusAfter(trustProxy, forwarded)).toBe(status)
  })
})
