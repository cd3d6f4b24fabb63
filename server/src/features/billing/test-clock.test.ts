import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCard, startTrial } from '../../../test/billing.ts'
import { type DialectName, startTestServer, type TestServer } from '../../../test/harness.ts'

const daySeconds = 86_400

describe.each<DialectName>(['sqlite', 'postgres'])('the test clock (%s)', (dialect) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(dialect, { testClock: true })
  })
  afterAll(() => server?.close())

  test('takes an account through a year of billing and leaves it signed in', async () => {
    const person = await server.signUp()
    const { rest } = person
    const advance = async (days: number) =>
      (await rest.moveTestClock({ body: { advanceBySeconds: days * daySeconds } })).now
    const begun = await advance(0)
    await addCard(person)
    await startTrial(person, 'pro')
    expect(await rest.subscription()).toMatchObject({ status: 'trialing', trialEnd: begun + 14 * daySeconds })
    expect(await advance(14)).toBe(begun + 14 * daySeconds)
    expect(await rest.subscription()).toMatchObject({ status: 'active' })
    for (const days of [31, 31, 31, 272]) await advance(days)
    const { invoices } = await rest.listInvoices()
    expect(invoices.length).toBeGreaterThanOrEqual(12)
    expect(new Set(invoices.map(({ amount, status }) => `${amount} ${status}`))).toEqual(
      new Set(['2000 paid']),
    )
    expect((await rest.subscription()).currentPeriodEnd).toBeGreaterThan(begun + 379 * daySeconds)
    expect(await rest.me()).toMatchObject({ email: person.email })
  })

  test('goes neither back nor more than two years forward at once', async () => {
    const { token } = await server.signUp()
    for (const advanceBySeconds of [-1, 0.5, 733 * daySeconds]) {
      const body = { advanceBySeconds }
      expect((await server.call('POST', '/api/billing/sandbox/clock', { token, body })).status).toBe(400)
    }
  })
})

test('is absent unless it is switched on', async () => {
  const server = await startTestServer('sqlite')
  const { rest } = await server.signUp()
  await expect(rest.moveTestClock({ body: {} })).rejects.toMatchObject({ status: 404 })
  await server.close()
})
