import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { dayMs, toIso } from '../../lib/time.ts'

describeOnBothDatabases('the end of a session', (server) => {
  let startedAt: number
  beforeEach(() => {
    startedAt = server().clock.now
  })
  afterEach(() => {
    server().clock.now = startedAt
  })

  test('comes ninety days after the sign-in, though it is used every day', async () => {
    const { rest, apiKey } = await server().signUp()
    const end = startedAt + 90 * dayMs
    for (let day = 1; day < 90; day += 1) {
      server().clock.now = startedAt + day * dayMs
      await rest.me()
    }
    const slid = async () => (await rest.listSessions()).sessions[0]?.expiresAt
    await expect.poll(slid).toBe(toIso(end))
    server().clock.now = end - 1
    await rest.me()
    server().clock.now = end
    await expect(rest.me()).rejects.toMatchObject({ status: 401, code: 'not_authenticated' })
    expect((await server().call('GET', '/auth/me', { token: apiKey })).status).toBe(200)
  })
})
