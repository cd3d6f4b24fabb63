import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { restWith, scopeOf } from '../../../../test/accounts.ts'
import { type DialectName, listenOn, type Person, testConfig } from '../../../../test/harness.ts'
import { startServerProcess } from '../../../../test/server-process.ts'
import { type StripeDouble, signEvent, startStripeDouble } from '../../../../test/stripe-double.ts'
import { runDueSyncs } from '../../../../test/stripe-syncs.ts'
import type { Config } from '../../../ground/config/config.ts'
import { minuteMs } from '../../../ground/lib/time.ts'
import { openContext } from '../../../open-context.ts'
import { transact } from '../../../store/transact.ts'
import { getSubscriptionRow } from '../subscriptions.repo.ts'
import { claimMs } from './sync-pool.ts'
import { scheduleUnsynced } from './sync-queue.repo.ts'
import { webhookPath } from './webhook.ts'

type Customer = { person: Person; customer: string }

const silent = pino({ level: 'silent' })
const patience = { timeout: 60_000, interval: 20 }

describe.each<DialectName>(['sqlite', 'postgres'])("Stripe's events and a kill -9 (%s)", (dialect) => {
  let stripe: StripeDouble
  let config: Config
  let remove: () => Promise<void>
  beforeAll(async () => {
    stripe = await startStripeDouble(Date.now)
    const { config: defaults, ...rest } = await testConfig(dialect)
    remove = rest.remove
    config = { ...defaults, billing: 'stripe', stripe: stripe.config }
  })
  afterAll(async () => {
    await stripe?.close()
    await remove?.()
  })

  /** A server in this process whose clock is ahead, until the test ends. */
  async function serve(aheadMs = 0) {
    const server = await listenOn(await openContext(config, silent, { now: () => Date.now() + aheadMs }))
    let closed: Promise<void> | undefined
    const close = () => (closed ??= server.close())
    onTestFinished(close)
    return { ...server, close }
  }
  const serveAside = () =>
    startServerProcess(config, { env: { ...variablesOf(stripe.config), LOCI_BILLING: 'stripe' } })

  const post = async (url: string, customer: string, id: string, aheadMs = 0): Promise<number> => {
    const object = { object: 'checkout.session' as const, customer, mode: 'subscription' as const }
    const event = { id, type: 'checkout.session.completed' as const, object, previous: {} }
    const { body, signature } = signEvent(event, Date.now() + aheadMs)
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return (await fetch(url + webhookPath, { method: 'POST', headers, body })).status
  }

  /** People who have begun a checkout. */
  async function makeCustomers(count: number): Promise<Customer[]> {
    const server = await serve()
    const urls = { successUrl: `${server.url}/done`, cancelUrl: `${server.url}/back` }
    const made: Customer[] = []
    for (let i = 0; i < count; i++) {
      const person = await server.signUp()
      await person.rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
      const { accountId } = await scopeOf(server, person)
      made.push({ person, customer: (await getSubscriptionRow(server.ctx.db, accountId)).customerId ?? '' })
    }
    await transact(server.ctx, ({ db }) => scheduleUnsynced(db, server.ctx.now()))
    await runDueSyncs(server.ctx)
    // From here on only events ask for a look.
    const dueSoon = server.ctx.db
      .selectFrom('subscriptions')
      .select('account_id')
      .where('sync_due_at', '<', server.ctx.now() + claimMs + minuteMs)
    await expect.poll(() => dueSoon.execute(), patience).toEqual([])
    await server.close()
    return made
  }

  test('the next process handles acknowledged events; Stripe sends the others again', async () => {
    const customers = await makeCustomers(3)
    const [first, second, third] = customers.map(({ customer }) => customer) as [string, string, string]
    const killed = await serveAside()
    for (const { customer } of customers) {
      stripe.state.addSubscription(customer, 'price_pro')
      stripe.state.addCard(customer)
      stripe.delays.set(`GET /v1/customers/${customer}`, new Promise(() => {}))
    }
    const looks = () => stripe.sentTo('GET', `/v1/customers/${first}`).length
    const before = looks()
    expect(await post(killed.url, first, 'evt_1')).toBe(200)
    // Stripe does not answer the look, so it is under way when the process is killed.
    await expect.poll(looks, patience).toBeGreaterThan(before)
    expect(await post(killed.url, second, 'evt_2')).toBe(200)
    const unknown = post(killed.url, third, 'evt_3').catch(() => undefined)
    await killed.kill()
    await unknown
    stripe.delays.clear()

    const next = await serve(claimMs)
    const planOf = async ({ token }: Person) => (await restWith(next, token).subscription()).plan
    const plans = () => Promise.all(customers.slice(0, 2).map(({ person }) => planOf(person)))
    await expect.poll(plans, patience).toEqual(['pro', 'pro'])
    expect(await post(next.url, third, 'evt_3', claimMs)).toBe(200)
    await expect.poll(() => planOf(customers[2]!.person), patience).toBe('pro')
    const known = await next.ctx.db.selectFrom('stripe_events').select('id').orderBy('id').execute()
    expect(known.map(({ id }) => id)).toEqual(['evt_1', 'evt_2', 'evt_3'])
    await next.close()
  })

  test('nobody looks for accounts to read but who is asked to; another process takes over when one stops', async () => {
    const [{ person, customer }, other] = (await makeCustomers(2)) as [Customer, Customer]
    const first = await serve()
    const leases = first.ctx.db.selectFrom('leases').select('holder').where('name', '=', 'stripe')
    await expect.poll(() => leases.execute(), patience).toHaveLength(1)
    const second = await serve()
    // What a start looks for.
    await sleep(2_000)
    const looks = [first, second].map(({ ctx }) => vi.spyOn(ctx.db, 'selectFrom'))
    await sleep(7_000)
    for (const look of looks) expect(look.mock.calls.flat()).not.toContain('subscriptions')
    stripe.state.addSubscription(other.customer, 'price_pro')
    stripe.state.addCard(other.customer)
    expect(await post(second.url, other.customer, 'evt_5')).toBe(200)
    const planOfOther = async () => (await restWith(second, other.person.token).subscription()).plan
    await expect.poll(planOfOther, patience).toBe('pro')
    expect(looks[1]!.mock.calls.flat()).toContain('subscriptions')
    await first.close()
    stripe.state.addSubscription(customer, 'price_pro')
    stripe.state.addCard(customer)
    expect(await post(second.url, customer, 'evt_4')).toBe(200)
    const plan = async () => (await restWith(second, person.token).subscription()).plan
    await expect.poll(plan, patience).toBe('pro')
    await second.close()
  })
})

/** The settings of the double, as environment variables. */
function variablesOf({
  secretKey,
  publishableKey,
  webhookSecret,
  prices,
  apiUrl = '',
}: StripeDouble['config']) {
  const byPlan = Object.entries(prices).map(([plan, price]) => {
    const interval = plan.endsWith('-annual') ? 'ANNUAL' : 'MONTHLY'
    const name = plan.replace('-annual', '').replaceAll('-', '_').toUpperCase()
    return [`STRIPE_PRICE_${name}_${interval}`, price]
  })
  return {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl,
    ...Object.fromEntries(byPlan),
  }
}
