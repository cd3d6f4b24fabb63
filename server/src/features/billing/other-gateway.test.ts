import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { scopeOf, signIn } from '../../../test/accounts.ts'
import { addCard, startPaidPlan } from '../../../test/billing.ts'
import { describeOnBothDatabases, listenOn, type TestServer } from '../../../test/harness.ts'
import { startStripeDouble } from '../../../test/stripe-double.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { openContext } from '../../open-context.ts'
import { endSandboxPlans } from './billing.service.ts'
import { settleAccounts } from './settle.ts'
import { getSubscriptionRow, saveSubscription, setAccountPlan } from './subscriptions.repo.ts'

describeOnBothDatabases('plans of another gateway', (server) => {
  let close: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const step of close) await step()
    close = []
  })

  /** The same database, served with Stripe. */
  async function moveToStripe({ config, clock }: TestServer) {
    const stripe = await startStripeDouble(() => clock.now)
    const ctx = await openContext(
      { ...config, billing: 'stripe', stripe: stripe.config },
      pino({ level: 'silent' }),
      { now: () => clock.now },
    )
    const moved = await listenOn(ctx)
    close = [moved.close, stripe.close]
    return { ...moved, config, clock }
  }

  test('a Stripe subscription is kept in the sandbox for a week after its period, and cannot be changed', async () => {
    const person = await server().signUp()
    const { ctx, clock } = server()
    const { accountId } = await scopeOf(server(), person)
    const periodEnd = clock.now + dayMs
    await saveSubscription(ctx.db, {
      ...(await getSubscriptionRow(ctx.db, accountId)),
      ...{ plan: 'pro', periodStart: clock.now, periodEnd, nextStepAt: periodEnd + 7 * dayMs },
      ...{ customerId: 'cus_x', subscriptionId: 'sub_x' },
    })
    await setAccountPlan(ctx.db, accountId, 'pro')
    const seen = await person.rest.subscription()
    expect(seen).toMatchObject({ plan: 'pro', notices: [{ code: 'out_of_touch' }] })
    const refusal = { code: 'billing_conflict', message: expect.stringContaining('Nothing was changed') }
    await addCard(person)
    for (const change of [
      () => person.rest.cancelSubscription({ body: {} }),
      () => person.rest.changePlan({ body: { planId: 'power-user', priceId: 'price_sandbox_power-user' } }),
      () => person.rest.reactivateSubscription({ body: {} }),
      () => person.rest.previewChange({ body: { planId: 'starter' } }),
    ]) {
      await expect(change()).rejects.toMatchObject(refusal)
    }
    clock.now = periodEnd + 7 * dayMs - 1
    await settleAccounts(ctx)
    expect((await (await signIn(server(), person)).subscription()).plan).toBe('pro')
    clock.now += 1
    await settleAccounts(ctx)
    const rest = await signIn(server(), person)
    expect(await rest.subscription()).toMatchObject({ plan: 'free', notices: [{ code: 'out_of_touch' }] })
    expect(await getSubscriptionRow(ctx.db, accountId)).toMatchObject({ subscriptionId: 'sub_x' })
  })

  test('a sandbox plan ends with its period on a server that moved to Stripe', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const { currentPeriodEnd } = await (await signIn(server(), person)).subscription()
    const moved = await moveToStripe(server())
    server().clock.now = currentPeriodEnd! * 1_000 - 1_000
    expect((await (await signIn(moved, person)).subscription()).plan).toBe('pro')
    server().clock.now += 1_000
    expect(await (await signIn(moved, person)).subscription()).toMatchObject({
      plan: 'free',
      status: 'active',
    })
  })

  test('the command ends them kindly: at the end of the period, with a new trial and no test data left', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    await expect(endSandboxPlans(server().ctx, {})).rejects.toMatchObject({ code: 'billing_conflict' })
    const moved = await moveToStripe(server())
    const [planned] = (await endSandboxPlans(moved.ctx, { dryRun: true })).filter(
      ({ account }) => account === person.accountId,
    )
    const rest = await signIn(moved, person)
    expect(await rest.subscription()).toMatchObject({ cancelAtPeriodEnd: false, notices: [] })
    expect(await endSandboxPlans(moved.ctx, {})).toContainEqual(planned)
    expect(await rest.subscription()).toMatchObject({
      plan: 'pro',
      cancelAtPeriodEnd: true,
      trialEnd: null,
      notices: [{ code: 'sandbox_ended' }],
    })
    expect(await rest.listPaymentMethods()).toEqual({ paymentMethods: [] })
    expect(await rest.listInvoices()).toEqual({ invoices: [] })
    const urls = { successUrl: `${moved.url}/a`, cancelUrl: `${moved.url}/b` }
    await rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
    await rest.createCheckout({ body: { priceId: 'price_pro', ...urls } })
    expect((await rest.subscription()).plan).toBe('pro')
    server().clock.now = planned!.endsAt!
    expect(await (await signIn(moved, person)).subscription()).toMatchObject({ plan: 'free' })
  })
})
