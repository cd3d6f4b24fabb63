import { AsyncLocalStorage } from 'node:async_hooks'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, openTwin, restWith, scopeOf, signIn } from '../../../../test/accounts.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../../test/harness.ts'
import {
  type EventType,
  type StripeDouble,
  type SubjectOf,
  signBody,
  signEvent,
  startStripeDouble,
} from '../../../../test/stripe-double.ts'
import { periodSeconds } from '../../../../test/stripe-double-calls.ts'
import { runDueSyncs } from '../../../../test/stripe-syncs.ts'
import { dayMs, hourMs } from '../../../ground/lib/time.ts'
import { transact } from '../../../store/transact.ts'
import { reconcileBilling } from '../billing.service.ts'
import { getSubscriptionRow } from '../subscriptions.repo.ts'
import { describeMissingEvents, newestEventSeconds } from './missing-events.ts'
import { callStripe, stripeOf } from './stripe-client.ts'
import { syncAccount } from './sync.ts'
import { claimMs } from './sync-pool.ts'
import { webhookPath } from './webhook.ts'

const toPowerUser = { planId: 'power-user', priceId: 'price_power_user' }
let urls: { successUrl: string; cancelUrl: string }

describe.each<DialectName>(['sqlite', 'postgres'])('billing at Stripe (%s)', (dialect) => {
  let server: TestServer
  let stripe: StripeDouble
  let events = 0
  let callsInTransaction: () => string[]
  const logged: string[] = []
  beforeAll(async () => {
    stripe = await startStripeDouble(() => server.clock.now)
    server = await startTestServer(dialect, { billing: 'stripe', stripe: stripe.config })
    urls = { successUrl: `${server.url}/done`, cancelUrl: `${server.url}/back` }
    callsInTransaction = watchTransactions(server)
    const { log } = server.ctx
    const error = log.error.bind(log)
    log.error = (...args: unknown[]) => {
      logged.push(String(args.at(-1)))
      error(...(args as Parameters<typeof error>))
    }
  })
  afterAll(async () => {
    expect(callsInTransaction()).toEqual([])
    await server?.close()
    await stripe?.close()
  })

  const customerOf = async (person: Person) =>
    (await getSubscriptionRow(server.ctx.db, (await scopeOf(server, person)).accountId)).customerId ?? ''
  const send = async <T extends EventType>(
    type: T,
    object: SubjectOf<T>,
    { id = `evt_${++events}`, previous = {} } = {},
  ) => {
    const response = await post(signEvent({ id, type, object, previous }, server.clock.now))
    await inStep()
    return response
  }
  /** Waits until all requested and all due accounts have been read from Stripe. */
  const inStep = async () => {
    await runDueSyncs(server.ctx)
    const { now } = server.clock
    const underWay = server.ctx.db
      .selectFrom('subscriptions')
      .select(['account_id', 'sync_due_at', 'sync_tries'])
      .where('customer_id', 'is not', null)
      .where((eb) => eb.or([eb('sync_due_at', '<=', now), eb('sync_due_at', '=', now + claimMs)]))
    await expect.poll(() => underWay.execute()).toEqual([])
  }
  const post = ({ body, signature }: { body: string; signature: string }) =>
    fetch(`${server.url}${webhookPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
    })
  const looksAt = (customer: string) => stripe.sentTo('GET', `/v1/customers/${customer}`).length
  const lastSent = (method: string, path: string | RegExp) => stripe.sentTo(method, path).at(-1)!

  /** An account with a subscription at Stripe, as after a checkout. */
  async function subscribe(
    price: string,
    trialDays = 0,
  ): Promise<Person & { customer: string; sub: string }> {
    const person = await server.signUp()
    await person.rest.createCheckout({ body: { priceId: price, ...urls } })
    const customer = await customerOf(person)
    const sub = stripe.state.addSubscription(customer, price, trialDays)
    stripe.state.addCard(customer)
    await send('checkout.session.completed', { object: 'checkout.session', customer, mode: 'subscription' })
    return { ...person, customer, sub }
  }

  test('plans are offered at the configured prices', async () => {
    const { rest } = await server.signUp()
    const { plans } = await rest.listPlans()
    expect(plans.map((plan) => [plan.id, plan.priceId])).toEqual([
      ['free', null],
      ['starter', 'price_starter'],
      ['starter-annual', 'price_starter_year'],
      ['pro', 'price_pro'],
      ['pro-annual', 'price_pro_year'],
      ['power-user', 'price_power_user'],
      ['power-user-annual', 'price_power_user_year'],
    ])
  })

  test('Stripe mails the new owner after a handover, and the response says if it does not', async () => {
    const owner = await server.signUp('owner')
    await owner.rest.createSetupIntent({ body: {} })
    const heir = await addPerson(server, owner, 'member')
    const handOver = (token: string, userId: string) =>
      server.call('POST', `/api/members/${userId}/ownership`, { token, body: { password: owner.password } })
    expect((await handOver(owner.token, heir.userId)).body.billingFollows).toBe(true)
    const [customer] = [...stripe.state.customers.values()].filter(({ email }) =>
      email?.includes(owner.email),
    )
    expect(customer?.email).toBe(`member-of-${owner.email}`)
    const error = { type: 'api_error', message: 'Down' }
    stripe.refusals.set(`POST /v1/customers/${customer?.id}`, { status: 400, error })
    expect((await handOver(heir.token, owner.userId)).body).toMatchObject({
      member: { role: 'owner' },
      billingFollows: false,
    })
  })

  test("a card form gets a setup intent for the account's one customer", async () => {
    const { rest, accountId, email, userId } = await server.signUp()
    expect(await rest.createSetupIntent({ body: {} })).toEqual({
      clientSecret: 'seti_1_secret_x',
      gateway: 'stripe',
      publishableKey: 'pk_test_double',
    })
    await rest.createSetupIntent({ body: {} })
    const made = stripe.sentTo('POST', '/v1/customers').filter((sent) => sent.params.email === email)
    expect(made).toHaveLength(1)
    expect(made[0]).toMatchObject({
      params: { metadata: { accountId } },
      headers: {
        authorization: 'Bearer sk_test_double',
        'stripe-version': '2026-10-28.endive',
        'idempotency-key': `customer-${accountId}-0`,
      },
    })
    expect(lastSent('POST', '/v1/setup_intents').params).toEqual({
      customer: expect.stringMatching(/^cus_/),
      usage: 'off_session',
      allowed_payment_method_types: { 0: 'card' },
      metadata: { userId },
    })
  })

  test('test cards of the sandbox are not accepted', async () => {
    const { rest } = await server.signUp()
    const body = { clientSecret: 'x', number: '4242424242424242', expMonth: 1, expYear: 2090, cvc: '123' }
    await expect(rest.confirmTestCard({ body })).rejects.toMatchObject({ status: 404 })
    expect((await fetch(`${server.url}/sandbox/checkout/x`)).status).toBe(404)
  })

  test('checkout asks Stripe for a page with a trial that needs no card', async () => {
    const { rest, accountId } = await server.signUp()
    const { url } = await rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.test\/cs_/)
    expect(lastSent('POST', '/v1/checkout/sessions').params).toEqual({
      mode: 'subscription',
      customer: expect.stringMatching(/^cus_/),
      client_reference_id: accountId,
      line_items: { 0: { price: 'price_pro', quantity: '1' } },
      success_url: urls.successUrl,
      cancel_url: urls.cancelUrl,
      payment_method_collection: 'if_required',
      automatic_tax: { enabled: 'true' },
      tax_id_collection: { enabled: 'true' },
      allow_promotion_codes: 'true',
      customer_update: { address: 'auto', name: 'auto' },
      subscription_data: {
        metadata: { accountId },
        trial_period_days: '14',
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      },
    })
  })

  test('the webhook of a finished checkout updates the plan, its limits, cards and invoices', async () => {
    const { rest, customer } = await subscribe('price_pro', 14)
    stripe.state.addInvoice(customer, 2_000, 'paid')
    await send('invoice.paid', { object: 'invoice', customer })
    expect(await rest.subscription()).toMatchObject({
      plan: 'pro',
      status: 'trialing',
      features: { maxEntities: 100_000 },
      testMode: true,
    })
    expect((await rest.listPaymentMethods()).paymentMethods).toMatchObject([{ brand: 'visa', last4: '4242' }])
    expect((await rest.listInvoices()).invoices).toMatchObject([
      {
        amount: 2_000,
        status: 'paid',
        hostedInvoiceUrl: expect.stringMatching(/^https:\/\/invoice\.stripe/),
      },
    ])
    await expect(rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })).rejects.toMatchObject({
      code: 'billing_conflict',
    })
  })

  test('a second checkout has no second trial', async () => {
    const { rest, customer, sub } = await subscribe('price_pro', 14)
    stripe.state.subscriptions.get(sub)!.status = 'canceled'
    await send('customer.subscription.deleted', { object: 'subscription', customer })
    expect(await rest.subscription()).toMatchObject({ plan: 'free', status: 'active' })
    await rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
    const { params } = lastSent('POST', '/v1/checkout/sessions')
    expect(params.payment_method_collection).toBe('always')
    expect(params.subscription_data).not.toHaveProperty('trial_period_days')
  })

  test('of two checkouts, the first can no longer be paid', async () => {
    const { rest } = await server.signUp()
    const begin = async () => {
      const { url } = await rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
      return url.split('/').at(-1)!
    }
    const [first, second] = [await begin(), await begin()]
    expect([first, second].map((id) => stripe.state.sessions.get(id)?.status)).toEqual(['expired', 'open'])
    const third = await Promise.all([begin(), begin()])
    const open = [...stripe.state.sessions.values()].filter(
      ({ id, status }) => status === 'open' && [second, ...third].includes(id!),
    )
    expect(open).toHaveLength(1)
  })

  test('two tabs that upgrade at once leave one subscription, charged once', async () => {
    const { rest, customer } = await subscribe('price_starter')
    const upgrade = { body: { planId: 'pro', priceId: 'price_pro' } }
    await Promise.all([rest.changePlan(upgrade), rest.changePlan(upgrade)])
    const [subscription, ...others] = [...stripe.state.subscriptions.values()].filter(
      (one) => one.customer === customer,
    )
    expect(others).toEqual([])
    expect(subscription?.items?.data?.[0]?.price?.id).toBe('price_pro')
    expect(await rest.subscription()).toMatchObject({ plan: 'pro', pendingPlan: null })
  })

  test('a plan whose event has not arrived yet is not bought a second time', async () => {
    const person = await server.signUp()
    const checkout = () => person.rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
    await checkout()
    stripe.state.addSubscription(await customerOf(person), 'price_pro')
    await expect(checkout()).rejects.toMatchObject({ code: 'billing_conflict' })
    expect(await person.rest.subscription()).toMatchObject({ plan: 'pro' })
  })

  test('the webhook accepts only what Stripe recently signed, byte for byte', async () => {
    const { rest, customer, sub } = await subscribe('price_pro')
    stripe.state.subscriptions.get(sub)!.status = 'canceled'
    const object = { object: 'subscription', customer }
    const event = { id: 'evt_forged', type: 'customer.subscription.deleted', object } as const
    const good = signEvent(event, server.clock.now)
    const refused = [
      signEvent(event, server.clock.now, 'whsec_other'),
      signEvent(event, server.clock.now - 301_000),
      { ...good, body: `${good.body} ` },
      { ...good, signature: '' },
    ]
    for (const message of refused) expect((await post(message)).status).toBe(400)
    const tooLarge = { ...good, body: ' '.repeat(1024 ** 2 + 1) }
    expect((await post(tooLarge)).status).toBe(413)
    expect(await rest.subscription()).toMatchObject({ plan: 'pro' })
    expect((await post(good)).status).toBe(200)
    await inStep()
    expect(await rest.subscription()).toMatchObject({ plan: 'free' })
  })

  test('a live-mode event changes nothing if the key is for test mode', async () => {
    const { rest, customer, sub } = await subscribe('price_pro')
    const looks = looksAt(customer)
    const newestAt = await newestEventSeconds(server.ctx)
    server.clock.now += 1_000
    stripe.state.subscriptions.get(sub)!.status = 'canceled'
    const event = { id: 'evt_live', object: 'event', type: 'customer.subscription.deleted', livemode: true }
    const body = JSON.stringify({ ...event, data: { object: { object: 'subscription', customer } } })
    expect((await post(signBody(body, server.clock.now))).status).toBe(200)
    expect(logged.at(-1)).toContain('STRIPE_WEBHOOK_SECRET')
    await inStep()
    expect(looksAt(customer)).toBe(looks)
    expect(await newestEventSeconds(server.ctx)).toBe(newestAt)
    expect(await rest.subscription()).toMatchObject({ plan: 'pro' })
  })

  test('a repeated event is handled once', async () => {
    const { customer } = await subscribe('price_pro')
    const looks = () => looksAt(customer)
    const before = looks()
    await send('invoice.paid', { object: 'invoice', customer }, { id: 'evt_twice' })
    await send('invoice.paid', { object: 'invoice', customer }, { id: 'evt_twice' })
    expect(looks()).toBe(before + 1)
  })

  test('events in any order lead to the state at Stripe', async () => {
    const { rest, customer, sub } = await subscribe('price_starter')
    stripe.state.subscriptions.get(sub)!.status = 'past_due'
    const old = { object: 'subscription', customer, status: 'active' } as const
    await send('customer.subscription.deleted', { ...old, status: 'canceled' })
    await Promise.all([
      send('customer.subscription.created', old),
      send('customer.subscription.updated', old),
      send('invoice.payment_failed', { object: 'invoice', customer }),
    ])
    expect(await rest.subscription()).toMatchObject({ plan: 'starter', status: 'past_due' })
  })

  test('an event is answered at once; a failed sync is retried without another event', async () => {
    const { rest, customer, sub } = await subscribe('price_starter')
    stripe.state.subscriptions.get(sub)!.status = 'canceled'
    const error = { type: 'invalid_request_error', message: 'down' }
    stripe.refusals.set(`GET /v1/customers/${customer}`, { status: 400, error })
    expect((await send('customer.subscription.deleted', { object: 'subscription', customer })).status).toBe(
      200,
    )
    expect(await rest.subscription()).toMatchObject({ plan: 'starter' })
    server.clock.now += 5_000
    await inStep()
    expect(await rest.subscription()).toMatchObject({ plan: 'free' })
  })

  test('many events of a customer cause few syncs, one at a time', async () => {
    const { customer } = await subscribe('price_pro')
    const before = looksAt(customer)
    const gate = Promise.withResolvers<void>()
    stripe.delays.set(`GET /v1/customers/${customer}`, gate.promise)
    const event = () =>
      post(signEvent({ id: `evt_${++events}`, type: 'invoice.paid', object: { customer } }, server.clock.now))
    await Promise.all(Array.from({ length: 50 }, event))
    await expect.poll(() => stripe.delays.size).toBe(0)
    await Promise.all(Array.from({ length: 50 }, event))
    gate.resolve()
    await inStep()
    expect(looksAt(customer) - before).toBeLessThanOrEqual(3)
  })

  test('a customer for whom Stripe does not respond delays nobody else', async () => {
    const slow = await subscribe('price_starter')
    const others = [await subscribe('price_starter'), await subscribe('price_starter')]
    const gate = Promise.withResolvers<void>()
    stripe.delays.set(`GET /v1/customers/${slow.customer}`, gate.promise)
    const tell = ({ customer, sub }: { customer: string; sub: string }) => {
      stripe.state.subscriptions.get(sub)!.status = 'canceled'
      const object = { object: 'subscription' as const, customer }
      const event = { id: `evt_${++events}`, type: 'customer.subscription.deleted' as const, object }
      return post(signEvent(event, server.clock.now))
    }
    await tell(slow)
    await expect.poll(() => stripe.delays.size).toBe(0)
    for (const other of others) {
      await tell(other)
      await expect.poll(async () => (await other.rest.subscription()).plan).toBe('free')
    }
    const looks = looksAt(slow.customer)
    await tell(slow)
    expect(await slow.rest.subscription()).toMatchObject({ plan: 'starter' })
    expect(looksAt(slow.customer)).toBe(looks)
    gate.resolve()
    await inStep()
    expect(await slow.rest.subscription()).toMatchObject({ plan: 'free' })
  })

  test('an event without data is accepted', async () => {
    for (const data of [undefined, null, {}, { object: null }, { object: 'cus_1' }, { object: [] }]) {
      const event = { id: `evt_${++events}`, object: 'event', type: 'invoice.paid', livemode: false, data }
      const body = JSON.stringify(event)
      expect((await post(signBody(body, server.clock.now))).status).toBe(200)
    }
  })

  test('each account is synced once an hour, even without events', async () => {
    const { rest, sub } = await subscribe('price_pro')
    stripe.state.subscriptions.get(sub)!.status = 'canceled'
    server.clock.now += hourMs
    await inStep()
    expect(await rest.subscription()).toMatchObject({ plan: 'free' })
  })

  test('oddities at Stripe are shown to the owner', async () => {
    const { rest, customer, sub } = await subscribe('price_pro')
    const tell = async () => {
      await send('customer.subscription.updated', { object: 'subscription', customer })
      const { plan, status, notices, currentPeriodEnd: end, cancelAtPeriodEnd } = await rest.subscription()
      return { plan, status, codes: notices.map(({ code }) => code), end, cancelAtPeriodEnd }
    }
    const subscription = stripe.state.subscriptions.get(sub)!
    const item = subscription.items!.data![0]!
    const end = item.current_period_end!
    expect(await tell()).toMatchObject({ plan: 'pro', codes: [] })

    item.price = { id: 'price_of_old' }
    expect(await tell()).toMatchObject({ plan: 'pro', status: 'active', codes: ['unknown_price'] })
    item.price = { id: 'price_pro' }
    subscription.cancel_at = end - 1_000
    expect(await tell()).toMatchObject({ cancelAtPeriodEnd: true, end: end - 1_000, codes: [] })
    subscription.cancel_at = end + 1_000
    expect(await tell()).toMatchObject({ cancelAtPeriodEnd: false, end, codes: ['ends_later'] })
    subscription.cancel_at = null
    const second = stripe.state.addSubscription(customer, 'price_starter')
    expect(await tell()).toMatchObject({ plan: 'pro', codes: ['two_subscriptions'] })
    stripe.state.subscriptions.get(second)!.status = 'canceled'
    subscription.status = 'unpaid'
    expect(await tell()).toMatchObject({ plan: 'free', status: 'past_due', codes: ['unpaid'] })
    const checkout = rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
    await expect(checkout).rejects.toMatchObject({ code: 'billing_conflict' })
    stripe.state.deleteCustomer(customer)
    await send('customer.deleted', { object: 'customer', id: customer })
    expect((await rest.subscription()).notices).toMatchObject([{ code: 'customer_deleted' }])
  })

  test('while Stripe is unreachable a plan is kept, and ends a week after its period', async () => {
    const person = await subscribe('price_pro')
    const { customer, sub } = person
    const item = stripe.state.subscriptions.get(sub)!.items!.data![0]!
    const end = item.current_period_end! * 1_000
    const stateAt = async (moment: number) => {
      server.clock.now = moment
      const error = { type: 'invalid_request_error', message: 'down' }
      stripe.refusals.set(`GET /v1/customers/${customer}`, { status: 400, error })
      await inStep()
      const { plan, notices } = await (await signIn(server, person)).subscription()
      return [plan, ...notices.map(({ message }) => message)]
    }
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
      end + 7 * dayMs,
    )
    const why = 'This account pays through Stripe, which cannot be reached at the moment.'
    expect(await stateAt(end + 6 * dayMs)).toEqual(['pro', `${why} The plan is kept until ${day} (UTC).`])
    expect(await stateAt(end + 7 * dayMs)).toEqual(['free', `${why} The plan has ended on this server.`])
    Object.assign(item, {
      current_period_start: end / 1_000,
      current_period_end: end / 1_000 + periodSeconds,
    })
    server.clock.now += hourMs
    await inStep()
    expect(await (await signIn(server, person)).subscription()).toMatchObject({ plan: 'pro', notices: [] })
  })

  test('a wrong key, rate limits and outages are distinguished', async () => {
    const { rest } = await subscribe('price_pro')
    const told = async (status: number, type: string) => {
      stripe.refusals.set('POST /v1/setup_intents', { status, error: { type, message: 'secret detail' } })
      return rest.createSetupIntent({ body: {} }).catch(({ status: seen, message, details }) => ({
        seen,
        message,
        details,
      }))
    }
    expect(await told(401, 'invalid_request_error')).toEqual({
      seen: 502,
      message: 'This server may not talk to its payment provider. Please tell whoever runs it.',
      details: [{ reason: 'misconfigured' }],
    })
    expect(await told(400, 'invalid_request_error')).toMatchObject({ details: [{ reason: 'refused' }] })
    // The SDK retries these by itself, so the refusal has to last.
    stripe.outage = { status: 429, error: { type: 'rate_limit_error', message: 'secret detail' } }
    expect(await told(429, 'rate_limit_error')).toMatchObject({ details: [{ reason: 'busy' }] })
    stripe.outage = { status: 500, error: { type: 'api_error', message: 'secret detail' } }
    expect(await told(500, 'api_error')).toMatchObject({
      message: 'The payment provider cannot be reached. Try again later.',
      details: [{ reason: 'unreachable' }],
    })
    stripe.outage = undefined
  })

  test('events of unknown customers are accepted and dropped', async () => {
    expect((await send('customer.created', { object: 'customer', id: 'cus_other' })).status).toBe(200)
    expect((await send('balance.available', { object: 'balance' })).status).toBe(200)
  })

  test('a sync that began earlier does not undo a later one', async () => {
    const { rest, customer, sub, ...person } = await subscribe('price_starter')
    const { accountId } = await scopeOf(server, person)
    const gate = Promise.withResolvers<void>()
    await inStep()
    stripe.delays.set('GET /v1/subscriptions', gate.promise)
    const early = syncAccount(server.ctx, accountId, customer)
    await expect.poll(() => stripe.delays.size).toBe(0)
    stripe.state.subscriptions.get(sub)!.status = 'past_due'
    await syncAccount(server.ctx, accountId, customer)
    gate.resolve()
    await early
    expect(await rest.subscription()).toMatchObject({ status: 'past_due' })
  })

  test('an upgrade makes Stripe invoice at once, with a payment that must succeed', async () => {
    const { rest, sub } = await subscribe('price_starter')
    expect(await rest.changePlan({ body: { planId: 'pro', priceId: 'price_pro' } })).toMatchObject({
      plan: 'pro',
    })
    expect((await rest.listInvoices()).invoices).toMatchObject([{ amount: 1_000, status: 'paid' }])
    expect(lastSent('POST', `/v1/subscriptions/${sub}`)).toMatchObject({
      params: {
        items: { 0: { id: expect.stringMatching(/^si_/), price: 'price_pro' } },
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      },
      headers: { 'idempotency-key': expect.stringMatching(/^stripe-node-retry-/) },
    })
  })

  test('an upgrade that the bank wants confirmed begins when it is confirmed, and ends a planned end', async () => {
    const { rest, sub, customer } = await subscribe('price_starter')
    stripe.state.asking.add(
      String(stripe.state.customers.get(customer)?.invoice_settings?.default_payment_method),
    )
    await rest.cancelSubscription({ body: {} })
    const asked = await rest.changePlan({ body: { planId: 'pro', priceId: 'price_pro' } })
    const { pendingUpgrade, plan, cancelAtPeriodEnd } = asked
    expect({ plan, cancelAtPeriodEnd }).toEqual({ plan: 'starter', cancelAtPeriodEnd: true })
    expect(pendingUpgrade).toMatchObject({
      plan: 'pro',
      confirmUrl: expect.stringMatching(/^https:\/\/invoice\.stripe/),
      expiresAt: Math.floor(server.clock.now / 1_000) + 23 * 3_600,
    })
    stripe.state.confirmPayment(String(stripe.state.subscriptions.get(sub)!.latest_invoice))
    await send('customer.subscription.pending_update_applied', { object: 'subscription', customer })
    expect(await rest.subscription()).toMatchObject({
      plan: 'pro',
      pendingUpgrade: null,
      cancelAtPeriodEnd: false,
    })
    expect(stripe.state.subscriptions.get(sub)).toMatchObject({ cancel_at_period_end: false })
  })

  test('an upgrade that is not confirmed changes nothing, and another choice takes its place', async () => {
    const { rest, sub, customer } = await subscribe('price_pro')
    await rest.changePlan({ body: { planId: 'starter', priceId: 'price_starter' } })
    stripe.state.asking.add(
      String(stripe.state.customers.get(customer)?.invoice_settings?.default_payment_method),
    )
    const before = await rest.subscription()
    const { pendingUpgrade, ...same } = await rest.changePlan({ body: toPowerUser })
    expect(pendingUpgrade).toMatchObject({ plan: 'power-user' })
    expect({ ...same, pendingUpgrade: null }).toEqual(before)
    const first = String(stripe.state.subscriptions.get(sub)!.latest_invoice)
    await rest.changePlan({ body: toPowerUser })
    expect(stripe.state.invoices.get(first)).toMatchObject({ status: 'void' })
    const second = String(stripe.state.subscriptions.get(sub)!.latest_invoice)
    stripe.state.subscriptions.get(sub)!.pending_update = null
    stripe.state.invoices.get(second)!.status = 'void'
    await send('customer.subscription.pending_update_expired', { object: 'subscription', customer })
    expect(await rest.subscription()).toEqual(before)
    await rest.changePlan({ body: toPowerUser })
    expect(await rest.reactivateSubscription({ body: {} })).toMatchObject({
      plan: 'pro',
      pendingPlan: null,
      pendingUpgrade: null,
    })
  })

  test("a declined card is reported in Stripe's words and changes nothing", async () => {
    const { rest, sub } = await subscribe('price_starter')
    stripe.refusals.set(`POST /v1/subscriptions/${sub}`, {
      status: 402,
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      },
    })
    const body = { planId: 'pro', priceId: 'price_pro' }
    await expect(rest.changePlan({ body })).rejects.toMatchObject({
      status: 400,
      code: 'card_declined',
      message: 'Your card has insufficient funds.',
      details: [{ reason: 'insufficient_funds' }],
    })
    expect(await rest.subscription()).toMatchObject({ plan: 'starter' })
  })

  test('a declined upgrade leaves a cancellation as it was, at Stripe and here', async () => {
    const { rest, sub } = await subscribe('price_pro')
    await rest.cancelSubscription({ body: {} })
    const before = await rest.subscription()
    for (const card of stripe.state.cards.keys()) stripe.state.declined.set(card, 'insufficient_funds')
    await expect(rest.changePlan({ body: toPowerUser })).rejects.toMatchObject({ code: 'card_declined' })
    expect(stripe.state.subscriptions.get(sub)).toMatchObject({ cancel_at_period_end: true })
    expect(await rest.subscription()).toEqual(before)
    stripe.state.declined.clear()
    expect(await rest.changePlan({ body: toPowerUser })).toMatchObject({
      plan: 'power-user',
      cancelAtPeriodEnd: false,
    })
  })

  test('a declined upgrade leaves a scheduled downgrade as it was, a paid one ends it', async () => {
    const { rest, sub, customer } = await subscribe('price_pro')
    await rest.changePlan({ body: { planId: 'starter', priceId: 'price_starter' } })
    const card = stripe.state.customers.get(customer)?.invoice_settings?.default_payment_method
    stripe.state.declined.set(String(card), 'generic_decline')
    await expect(rest.changePlan({ body: toPowerUser })).rejects.toMatchObject({ code: 'card_declined' })
    expect(stripe.state.subscriptions.get(sub)?.schedule).toMatch(/^sub_sched_/)
    expect(await rest.subscription()).toMatchObject({ plan: 'pro', pendingPlan: 'starter' })
    stripe.state.declined.clear()
    expect(await rest.changePlan({ body: toPowerUser })).toMatchObject({
      plan: 'power-user',
      pendingPlan: null,
    })
    expect(stripe.state.subscriptions.get(sub)?.schedule).toBeNull()
  })

  test('what Stripe did before it refused is shown', async () => {
    const { rest, sub } = await subscribe('price_pro')
    await rest.cancelSubscription({ body: {} })
    stripe.state.subscriptions.get(sub)!.cancel_at_period_end = false
    const error = { type: 'invalid_request_error', message: 'no' }
    stripe.refusals.set(`POST /v1/subscriptions/${sub}`, { status: 400, error })
    await expect(rest.changePlan({ body: toPowerUser })).rejects.toMatchObject({ status: 502 })
    expect(await rest.subscription()).toMatchObject({ plan: 'pro', cancelAtPeriodEnd: false })
  })

  test('an upgrade without a card is refused with advice', async () => {
    const { rest, customer } = await subscribe('price_pro')
    const [card] = (await rest.listPaymentMethods()).paymentMethods
    await rest.deletePaymentMethod({ params: { id: card!.id } })
    expect(stripe.state.customers.get(customer)?.invoice_settings).toEqual({})
    await expect(rest.changePlan({ body: toPowerUser })).rejects.toMatchObject({
      code: 'card_declined',
      message: 'Add a payment method first.',
    })
  })

  test('a preview shows what Stripe then charges', async () => {
    const { rest, sub } = await subscribe('price_starter')
    server.clock.now += 10 * dayMs
    const { id: item, current_period_end: end } = stripe.state.subscriptions.get(sub)!.items!.data![0]!
    const preview = await rest.previewChange({ body: { planId: 'pro' } })
    expect(preview).toEqual({
      now: 1_333 - 667,
      next: { amount: 2_000, at: end },
      lines: [
        { description: 'Unused time', amount: -667 },
        { description: 'Remaining time', amount: 1_333 },
      ],
      effectiveAt: Math.floor(server.clock.now / 1_000),
    })
    expect(lastSent('POST', '/v1/invoices/create_preview').params).toMatchObject({
      subscription: sub,
      subscription_details: { items: { 0: { id: item } }, proration_behavior: 'always_invoice' },
    })
    server.clock.now += 60 * 60_000 - 1_000
    const { effectiveAt, now } = preview
    await rest.changePlan({ body: { planId: 'pro', priceId: 'price_pro', effectiveAt } })
    expect((await rest.listInvoices()).invoices[0]).toMatchObject({ amount: now })
    expect(await rest.previewChange({ body: { planId: 'starter' } })).toEqual({
      now: 0,
      next: { amount: 1_000, at: end },
      lines: [],
      effectiveAt: end,
    })
    expect(await rest.previewChange({ body: { planId: 'free' } })).toMatchObject({ now: 0, next: null })
  })

  test('a preview includes the credit that a change leaves', async () => {
    const { rest, customer } = await subscribe('price_starter_year')
    const preview = await rest.previewChange({ body: { planId: 'pro' } })
    expect(preview).toMatchObject({ now: 0, next: { amount: 0 } })
    expect(preview.lines).toContainEqual({ description: 'Kept as credit', amount: 8_000 })
    await rest.changePlan({ body: { planId: 'pro', priceId: 'price_pro' } })
    expect(stripe.state.customers.get(customer)?.balance).toBe(-8_000)
    expect(await rest.previewChange({ body: { planId: 'power-user' } })).toMatchObject({ now: 0 })
  })

  test('a subscription whose payment failed is not charged when it is cancelled at once', async () => {
    const { rest, customer, sub } = await subscribe('price_pro')
    const invoice = stripe.state.addInvoice(customer, 2_000, 'open')
    stripe.state.subscriptions.get(sub)!.status = 'past_due'
    await rest.cancelSubscription({ body: { immediate: true } })
    expect(stripe.sentTo('DELETE', `/v1/subscriptions/${sub}`)[0]?.params).toEqual({
      invoice_now: 'true',
      prorate: 'false',
    })
    expect((await rest.listInvoices()).invoices).toMatchObject([{ id: invoice, status: 'void' }])
  })

  test('a downgrade is a schedule for the end of the period, which reactivating releases', async () => {
    const { rest, sub } = await subscribe('price_pro')
    const body = { planId: 'starter', priceId: 'price_starter' }
    expect(await rest.changePlan({ body })).toMatchObject({ plan: 'pro', pendingPlan: 'starter' })
    expect(lastSent('POST', '/v1/subscription_schedules').params).toEqual({ from_subscription: sub })
    expect(lastSent('POST', /^\/v1\/subscription_schedules\/[^/]+$/).params).toMatchObject({
      end_behavior: 'release',
      phases: {
        0: { items: { 0: { price: 'price_pro', quantity: '1' } }, end_date: expect.any(String) },
        1: {
          items: { 0: { price: 'price_starter', quantity: '1' } },
          duration: { interval: 'month', interval_count: '1' },
        },
      },
    })
    expect(await rest.reactivateSubscription({ body: {} })).toMatchObject({ pendingPlan: null })
    expect(stripe.sentTo('POST', /release$/).length).toBeGreaterThan(0)
  })

  test('a promotion code outlives a planned downgrade, and the renewal costs what the preview says', async () => {
    const { sub, customer, ...person } = await subscribe('price_pro')
    const { rest } = person
    stripe.state.addDiscount(sub, 25)
    const { next } = await rest.previewChange({ body: { planId: 'starter' } })
    expect(next).toMatchObject({ amount: 750 })
    await rest.changePlan({ body: { planId: 'starter', priceId: 'price_starter' } })
    await rest.changePlan({ body: { planId: 'starter', priceId: 'price_starter' } })
    expect(stripe.state.subscriptions.get(sub)!.discounts).toHaveLength(1)
    server.clock.now = next!.at * 1_000
    stripe.state.renew(sub)
    await send('invoice.paid', { object: 'invoice', customer })
    const later = await signIn(server, person)
    expect(await later.subscription()).toMatchObject({ plan: 'starter', pendingPlan: null })
    expect((await later.listInvoices()).invoices[0]).toMatchObject({ amount: next!.amount, status: 'paid' })
  })

  test('cancelling waits for the end of the period, reactivating revokes it, an immediate one ends at once', async () => {
    const { rest, sub } = await subscribe('price_pro')
    expect(await rest.cancelSubscription({ body: {} })).toMatchObject({
      plan: 'pro',
      cancelAtPeriodEnd: true,
    })
    expect(lastSent('POST', `/v1/subscriptions/${sub}`).params).toEqual({ cancel_at_period_end: 'true' })
    expect(await rest.reactivateSubscription({ body: {} })).toMatchObject({ cancelAtPeriodEnd: false })
    expect(await rest.cancelSubscription({ body: { immediate: true } })).toMatchObject({ plan: 'free' })
    expect(stripe.sentTo('DELETE', `/v1/subscriptions/${sub}`)).toHaveLength(1)
  })

  test('another card pays from now on, and open invoices at once', async () => {
    const { rest, customer, sub } = await subscribe('price_pro')
    const card = stripe.state.addCard(customer)
    const invoice = stripe.state.addInvoice(customer, 2_000, 'open')
    stripe.state.subscriptions.get(sub)!.status = 'past_due'
    await send('payment_method.attached', { object: 'payment_method', customer })
    const { paymentMethods } = await rest.setDefaultPaymentMethod({ params: { id: card }, body: {} })
    expect(paymentMethods.find((method) => method.isDefault)?.id).toBe(card)
    expect(lastSent('POST', `/v1/customers/${customer}`).params).toEqual({
      invoice_settings: { default_payment_method: card },
    })
    expect(stripe.sentTo('POST', `/v1/invoices/${invoice}/pay`)).toHaveLength(1)
    await rest.deletePaymentMethod({ params: { id: card } })
    expect((await rest.listPaymentMethods()).paymentMethods.some((method) => method.id === card)).toBe(false)
  })

  test('the first card becomes the default, and when it is removed the newest of the others', async () => {
    const { rest, customer } = await subscribe('price_pro', 14)
    const defaults = async () =>
      (await rest.listPaymentMethods()).paymentMethods.map((card) => card.isDefault)
    expect(await defaults()).toEqual([true])
    const [first] = (await rest.listPaymentMethods()).paymentMethods
    expect(stripe.state.customers.get(customer)?.invoice_settings?.default_payment_method).toBe(first!.id)
    for (const days of [1, 2]) {
      server.clock.now += days * dayMs
      await send('payment_method.attached', { id: stripe.state.addCard(customer), customer })
    }
    expect(await defaults()).toEqual([true, false, false])
    await rest.deletePaymentMethod({ params: { id: first!.id } })
    expect(await defaults()).toEqual([false, true])
  })

  test('an added card is audited once, with who added it if it was added here', async () => {
    const owner = await server.signUp()
    const { rest } = owner
    await rest.createSetupIntent({ body: {} })
    const customer = await customerOf(owner)
    const here = stripe.state.confirmSetup(customer)
    const intent = { object: 'setup_intent', customer, payment_method: here } as const
    await Promise.all([
      send('setup_intent.succeeded', intent),
      send('payment_method.attached', { id: here, customer }),
    ])
    server.clock.now += 1_000
    const elsewhere = stripe.state.addCard(customer)
    await send('payment_method.attached', { id: elsewhere, customer })
    const { accountId } = await scopeOf(server, owner)
    await Promise.all([1, 2].map(() => syncAccount(server.ctx, accountId, customer)))
    const { events } = await rest.listAudit({ query: { category: 'billing' } })
    const card = { kind: 'card', name: 'visa 4242' }
    expect(events).toMatchObject([
      { action: 'card_added', actor: { kind: 'system', userId: null }, subject: { ...card, id: elsewhere } },
      {
        action: 'card_added',
        actor: { kind: 'session', userId: owner.userId },
        subject: { ...card, id: here },
      },
    ])
  })

  test('a removed card is audited once, with who removed it if it was removed here', async () => {
    const owner = await server.signUp()
    const { rest } = owner
    await rest.createSetupIntent({ body: {} })
    const customer = await customerOf(owner)
    const { accountId } = await scopeOf(server, owner)
    const [here, elsewhere] = [stripe.state.addCard(customer), stripe.state.addCard(customer)]
    await syncAccount(server.ctx, accountId, customer)
    await Promise.all([
      rest.deletePaymentMethod({ params: { id: here } }),
      ...[1, 2].map(() => syncAccount(server.ctx, accountId, customer)),
    ])
    server.clock.now += 1_000
    stripe.state.cards.get(elsewhere)!.customer = null
    const detached = { id: elsewhere, object: 'payment_method', customer: null } as const
    await send('payment_method.detached', detached, { previous: { customer } })
    const { events } = await rest.listAudit({ query: { category: 'billing' } })
    const card = { kind: 'card', name: 'visa 4242' }
    expect(events.filter(({ action }) => action === 'card_removed')).toMatchObject([
      { actor: { kind: 'system', userId: null }, subject: { ...card, id: elsewhere } },
      { actor: { kind: 'session', userId: owner.userId }, subject: { ...card, id: here } },
    ])
  })

  test('the first card added after a failed payment pays it', async () => {
    const { rest, customer, sub } = await subscribe('price_pro')
    stripe.state.cards.clear()
    stripe.state.customers.get(customer)!.invoice_settings = {}
    stripe.state.subscriptions.get(sub)!.status = 'past_due'
    await send('invoice.payment_failed', { object: 'invoice', customer })
    expect(await rest.listPaymentMethods()).toEqual({ paymentMethods: [] })
    const invoice = stripe.state.addInvoice(customer, 2_000, 'open')
    await send('payment_method.attached', { id: stripe.state.addCard(customer), customer })
    expect((await rest.listInvoices()).invoices).toMatchObject([{ id: invoice, status: 'paid' }])
  })

  test('a card removed at Stripe is removed here', async () => {
    const { rest, customer } = await subscribe('price_pro')
    const [card] = (await rest.listPaymentMethods()).paymentMethods
    stripe.state.cards.clear()
    const detached = { id: card!.id, object: 'payment_method', customer: null } as const
    await send('payment_method.detached', detached, { previous: { customer } })
    expect(await rest.listPaymentMethods()).toEqual({ paymentMethods: [] })
  })

  test('a customer deleted at Stripe has no plan and no cards, and may start again', async () => {
    const { rest, customer, ...person } = await subscribe('price_pro')
    stripe.state.deleteCustomer(customer)
    await send('customer.deleted', { object: 'customer', id: customer })
    expect(await rest.subscription()).toMatchObject({ plan: 'free', status: 'active' })
    expect(await rest.listPaymentMethods()).toEqual({ paymentMethods: [] })
    await rest.createSetupIntent({ body: {} })
    expect(lastSent('POST', '/v1/setup_intents').params.customer).not.toBe(customer)
    expect(await customerOf({ rest, ...person })).not.toBe(customer)
  })

  test('a card of another account cannot be touched', async () => {
    const alice = await subscribe('price_pro')
    const bob = await subscribe('price_pro')
    const [card] = (await alice.rest.listPaymentMethods()).paymentMethods
    await expect(bob.rest.deletePaymentMethod({ params: { id: card!.id } })).rejects.toMatchObject({
      code: 'payment_method_not_found',
    })
  })

  test('during an outage at Stripe people are told so, without internal details', async () => {
    const { rest } = await server.signUp()
    const error = { type: 'invalid_request_error', message: 'secret detail' }
    stripe.refusals.set('POST /v1/customers', { status: 401, error })
    await expect(rest.createSetupIntent({ body: {} })).rejects.toMatchObject({
      status: 502,
      code: 'billing_unavailable',
      message: 'This server may not talk to its payment provider. Please tell whoever runs it.',
    })
  })

  test('no call to Stripe can be made in a transaction, even with an idempotency key', async () => {
    const call = () =>
      transact(server.ctx, (inner) => callStripe(inner, (client) => client.balance.retrieve()))
    await expect(call()).rejects.toThrow('inside a transaction')
    const { rest } = await subscribe('price_pro')
    const headers = { 'idempotency-key': 'cancel' }
    const first = await rest.cancelSubscription({ body: {}, headers })
    expect(await rest.cancelSubscription({ body: {}, headers })).toEqual(first)
  })

  test('the reconcile command finds what no event reported', async () => {
    const { rest, sub, accountId } = await subscribe('price_pro')
    const { id } = stripe.state.subscriptions.get(sub)!
    const differencesOf = async (options: { dryRun?: boolean }) => {
      const { differed, failed } = await reconcileBilling(server.ctx, options)
      expect(failed).toBe(0)
      return differed.find(({ account }) => account === accountId)?.differences
    }
    expect(await differencesOf({ dryRun: true })).toBeUndefined()
    stripe.state.subscriptions.get(sub)!.status = 'canceled'
    const found = await differencesOf({ dryRun: true })
    expect(found).toContain('plan: pro here, free at Stripe')
    expect(found).toContain(`subscriptionId: ${id} here, null at Stripe`)
    expect(await rest.subscription()).toMatchObject({ plan: 'pro' })
    expect(await differencesOf({})).toEqual(found)
    expect(await rest.subscription()).toMatchObject({ plan: 'free' })
    expect(await differencesOf({})).toBeUndefined()
  })

  test('the operator is warned when periods begin and Stripe sends no event', async () => {
    const { sub } = await subscribe('price_pro')
    server.clock.now += 25 * hourMs
    expect(await describeMissingEvents(server.ctx)).toBeUndefined()
    // The renewal, which only the hourly look finds.
    const { items } = stripe.state.subscriptions.get(sub)!
    const toSeconds = (ms: number) => Math.floor(ms / 1_000)
    items!.data![0]!.current_period_start = toSeconds(server.clock.now)
    items!.data![0]!.current_period_end = toSeconds(server.clock.now + 30 * dayMs)
    await reconcileBilling(server.ctx, {})
    expect(await describeMissingEvents(server.ctx)).toBeUndefined()
    server.clock.now += 25 * hourMs
    const [newest] = await server.ctx.db
      .selectFrom('stripe_events')
      .select((eb) => eb.fn.max('received_at').as('at'))
      .execute()
    const words = `Stripe has sent no event since ${new Date(newest!.at).toISOString()}, although `
    expect(await describeMissingEvents(server.ctx)).toContain(words)
    await expect.poll(() => logged.some((line) => line.includes(words))).toBe(true)
    await send('balance.available', { object: 'balance' })
    expect(await describeMissingEvents(server.ctx)).toBeUndefined()
    expect(await newestEventSeconds(server.ctx)).toBe(toSeconds(server.clock.now))
  })

  test('a change at Stripe changes the limits in every process', async () => {
    const person = await subscribe('price_pro')
    const twin = await openTwin(server)
    expect(await restWith(twin, person.token).usage()).toMatchObject({ plan: 'pro' })
    stripe.state.subscriptions.get(person.sub)!.status = 'unpaid'
    await send('customer.subscription.updated', { object: 'subscription', customer: person.customer })
    expect(await restWith(twin, person.token).usage()).toMatchObject({ plan: 'free' })
    await twin.close()
  })

  test('deleting the account deletes the customer, so that nothing more is charged', async () => {
    const { rest, customer, password } = await subscribe('price_pro')
    await rest.deleteAccount({ body: { password } })
    expect(stripe.sentTo('DELETE', `/v1/customers/${customer}`)).toHaveLength(1)
    expect((await send('customer.deleted', { object: 'customer', id: customer })).status).toBe(200)
  })

  test('events are forgotten after five weeks', async () => {
    await send('balance.available', { object: 'balance' }, { id: 'evt_old' })
    server.clock.now += 36 * dayMs
    await send('balance.available', { object: 'balance' }, { id: 'evt_new' })
    const kept = await server.ctx.db.selectFrom('stripe_events').select('id').execute()
    expect(kept.map((event) => event.id)).toEqual(['evt_new'])
  })
})

/** Records all calls to Stripe made while a transaction is open. */
function watchTransactions({ ctx }: TestServer): () => string[] {
  const open = new AsyncLocalStorage<true>()
  const calls: string[] = []
  const { transaction } = ctx.dialect
  ctx.dialect.transaction = (db, work) => transaction(db, (tx) => open.run(true, () => work(tx)))
  stripeOf(ctx).on('request', (request: Stripe.RequestEvent) => {
    if (open.getStore()) calls.push(`${request.method} ${request.path}`)
  })
  return () => calls
}
