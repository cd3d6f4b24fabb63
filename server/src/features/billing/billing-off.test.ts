import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restWith, scopeOf, setEntityCount, setMonthOperations, setPlan } from '../../../test/accounts.ts'
import { goodCard } from '../../../test/billing.ts'
import {
  type DialectName,
  describeOnBothDatabases,
  type Person,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'

const noLimits = { maxEntities: -1, maxBytes: -1, maxQueries: -1, maxApiKeys: -1, maxWebhooks: -1 }
const off = { status: 409, code: 'billing_off', message: 'This server does not charge for anything.' }

describe.each<DialectName>(['sqlite', 'postgres'])('a server that does not charge (%s)', (dialect) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(dialect, { billing: 'off' })
  })
  afterAll(() => server?.close())

  test('has no limits', async () => {
    const alice = await server.signUp()
    await setEntityCount(server, alice, 5_000_000)
    await setMonthOperations(server, alice, 50_000_000)
    await restWith(server, alice.apiKey).createEntity({ body: { name: 'One more', type: 'thing' } })
    for (const name of ['one', 'two', 'three']) await alice.rest.createKey({ body: { name } })
    expect(await alice.rest.usage()).toMatchObject({ plan: 'self-hosted', limits: noLimits, apiKeys: 3 })
    expect((await alice.rest.analytics()).userPlan).toBe('self-hosted')
  })

  test('has no prices, and accepts no card or plan', async () => {
    const { rest } = await server.signUp()
    expect(await rest.listPlans()).toEqual({ plans: [] })
    expect(await rest.listPaymentMethods()).toEqual({ paymentMethods: [] })
    expect(await rest.listInvoices()).toEqual({ invoices: [] })
    expect(await rest.subscription()).toMatchObject({
      plan: 'self-hosted',
      status: 'active',
      currentPeriodEnd: null,
      features: noLimits,
      testMode: false,
    })
    const urls = { successUrl: server.url, cancelUrl: server.url }
    await expect(rest.createSetupIntent({ body: {} })).rejects.toMatchObject(off)
    await expect(
      rest.confirmTestCard({ body: { ...goodCard, clientSecret: 'seti_sandbox_secret_x' } }),
    ).rejects.toMatchObject(off)
    await expect(
      rest.createCheckout({ body: { priceId: 'price_sandbox_pro', ...urls } }),
    ).rejects.toMatchObject(off)
    await expect(rest.changePlan({ body: { planId: 'pro', priceId: 'x' } })).rejects.toMatchObject(off)
    await expect(rest.cancelSubscription({ body: { immediate: true } })).rejects.toMatchObject(off)
    await expect(rest.reactivateSubscription({ body: {} })).rejects.toMatchObject(off)
    expect((await fetch(`${server.url}/sandbox/checkout/x`)).status).toBe(404)
  })

  test('deletes an account like any other', async () => {
    const { rest, password } = await server.signUp()
    await rest.deleteAccount({ body: { password } })
    await expect(rest.me()).rejects.toMatchObject({ status: 401 })
  })
})

describeOnBothDatabases('limits', (server) => {
  test('name the upgrade page and the command that lifts them', async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const wayOut = (purpose: string) =>
      new RegExp(`Upgrade at http://[^ ]+/billing to ${purpose}, or lift .* "loci account set-plan"`)
    await rest.createKey({ body: { name: 'one' } })
    await expect(rest.createKey({ body: { name: 'two' } })).rejects.toMatchObject({
      code: 'plan_limit_reached',
      message: expect.stringMatching(wayOut('create more')),
    })
    await setEntityCount(server(), alice, 1_000)
    const entity = { name: 'One more', type: 'thing' }
    await expect(rest.createEntity({ body: entity })).rejects.toMatchObject({
      code: 'plan_limit_reached',
      message: expect.stringMatching(wayOut('store more')),
    })
    await setMonthOperations(server(), alice, 15_000)
    server().clock.now += 11_000
    const agent = restWith(server(), alice.apiKey)
    await expect(agent.createEntity({ body: entity })).rejects.toMatchObject({
      code: 'operations_limit_reached',
      message: expect.stringMatching(wayOut('store more before the month ends')),
    })
    await setPlan(server(), alice, 'self-hosted')
    await agent.createEntity({ body: entity })
  })

  test('an account without limits is offered nothing', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'self-hosted')
    const urls = { successUrl: server().url, cancelUrl: server().url }
    await expect(
      alice.rest.createCheckout({ body: { priceId: 'price_sandbox_pro', ...urls } }),
    ).rejects.toMatchObject({ code: 'billing_conflict' })
    expect((await alice.rest.listPlans()).plans.map(({ id }) => id)).not.toContain('self-hosted')
  })

  test('keys without a plan limit are as many as a list can show', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'self-hosted')
    await insertKeys(server(), alice, 399)
    await alice.rest.createKey({ body: { name: 'the last' } })
    await expect(alice.rest.createKey({ body: { name: 'too many' } })).rejects.toMatchObject({
      code: 'plan_limit_reached',
      message: 'An account has 400 API keys at most. Delete those that nobody uses any more.',
    })
    expect((await alice.rest.listKeys()).apiKeys).toHaveLength(400)
  })
})

/** Keys that nobody uses. */
async function insertKeys(server: TestServer, person: Person, count: number): Promise<void> {
  const { accountId } = await scopeOf(server, person)
  const rows = Array.from({ length: count }, (_, i) => ({
    account_id: accountId,
    id: `key_${i}`,
    name: `key ${i}`,
    key_hash: `hash ${i}`,
    preview: 'loci_1…abcd',
    created_by: person.userId,
    created_at: server.clock.now,
  }))
  await server.ctx.db.insertInto('api_keys').values(rows).execute()
}
