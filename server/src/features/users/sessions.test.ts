import { expect, test } from 'vitest'
import { describeOnBothDatabases, startTestServer } from '../../../test/harness.ts'
import { restoreClock } from '../../../test/restore-clock.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'

describeOnBothDatabases('the end of a session', (server) => {
  restoreClock(server)

  test('comes ninety days after the sign-in, however often it is used', async () => {
    const { rest, apiKey } = await server().signUp()
    const startedAt = server().clock.now
    const end = startedAt + 90 * dayMs
    const session = async () => (await rest.listSessions()).sessions[0]
    for (const day of [20, 40, 60, 80]) {
      server().clock.now = startedAt + day * dayMs
      // Recorded in the background; the call does not wait for it.
      await expect.poll(async () => (await session())?.lastSeenAt).toBe(toIso(server().clock.now))
    }
    expect((await session())?.expiresAt).toBe(toIso(end))
    server().clock.now = end - 1
    await rest.me()
    server().clock.now = end
    await expect(rest.me()).rejects.toMatchObject({ status: 401, code: 'not_authenticated' })
    expect((await server().call('GET', '/auth/me', { token: apiKey })).status).toBe(200)
  })
})

describeOnBothDatabases('the other sessions', (server) => {
  test('are ended at once, and this one stays', async () => {
    const { rest, email, password } = await server().signUp()
    const { token } = await server().anonymous.login({ body: { email, password } })
    await rest.deleteSessions({ query: { others: 'true' } })
    expect((await server().call('GET', '/auth/me', { token })).status).toBe(401)
    expect((await rest.listSessions()).sessions).toMatchObject([{ current: true, network: null }])
  })
})

test('a session shows the wider network it began from if the operator wants that', async () => {
  const server = await startTestServer('sqlite', { sessionNetworks: true })
  const { rest } = await server.signUp()
  expect((await rest.listSessions()).sessions).toMatchObject([{ network: '127.0.0.0/24' }])
  await server.close()
})

describeOnBothDatabases('a changed password', (server) => {
  test('leaves keys working, unless it rolls the personal one', async () => {
    const { rest, token, apiKey, password } = await server().signUp()
    const { apiKey: other } = await rest.createKey({ body: { name: 'agent' } })
    const statusOf = async (key: string) =>
      (await server().call('GET', '/api/entities', { token: key })).status
    const next = 'quite another one'
    await rest.changePassword({ body: { currentPassword: password, newPassword: next } })
    expect([await statusOf(apiKey), await statusOf(other)]).toEqual([200, 200])
    const body = { currentPassword: 'not it', newPassword: 'and yet another', rollApiKey: true }
    const refused = await server().call('POST', '/auth/me/password', { token, body })
    expect([refused.status, await statusOf(apiKey)]).toEqual([400, 200])
    await rest.changePassword({ body: { ...body, currentPassword: next } })
    const { apiKey: rolled } = await rest.me()
    expect(rolled).not.toBe(apiKey)
    expect([await statusOf(apiKey), await statusOf(rolled!), await statusOf(other)]).toEqual([401, 200, 200])
  })
})
