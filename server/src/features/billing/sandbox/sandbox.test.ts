import { expect, test } from 'vitest'
import { openTwin, restWith, scopeOf, setEntityCount, signIn } from '../../../../test/accounts.ts'
import {
  addCard,
  challengeCard,
  goodCard,
  openCheckout,
  poorCard,
  priceOf,
  sendForm,
  startPaidPlan,
  startTrial,
} from '../../../../test/billing.ts'
import { describeOnBothDatabases } from '../../../../test/harness.ts'
import { restoreClock } from '../../../../test/restore-clock.ts'
import { dayMs, minuteMs } from '../../../ground/lib/time.ts'
import { listInvoiceRows } from '../invoices.repo.ts'
import { settleAccounts } from '../settle.ts'

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000)
const at = (text: string) => Date.parse(`${text}T10:00:00Z`)

describeOnBothDatabases('billing in the sandbox', (server) => {
  const settle = () => settleAccounts(server().ctx)
  const changeTo = (plan: string) => ({ body: { planId: plan, priceId: priceOf(plan) } })
  // A trial begun now ends on the 31st.
  restoreClock(server, at('2030-01-17'))

  test('a new account is on the free plan, with nothing on file', async () => {
    const { rest } = await server().signUp()
    expect(await rest.subscription()).toEqual({
      plan: 'free',
      status: 'active',
      cancelAtPeriodEnd: false,
      currentPeriodEnd: null,
      trialEnd: null,
      pendingPlan: null,
      pendingUpgrade: null,
      pastDue: null,
      ended: null,
      notices: [],
      features: expect.objectContaining({
        maxEntities: 1_000,
        maxQueries: 15_000,
        maxApiKeys: 1,
        maxWebhooks: 0,
      }),
      testMode: true,
    })
    expect(await rest.listPaymentMethods()).toEqual({ paymentMethods: [] })
    expect(await rest.listInvoices()).toEqual({ invoices: [] })
  })

  test('plans are those of the catalogue, monthly and yearly', async () => {
    const { rest } = await server().signUp()
    const { plans } = await rest.listPlans()
    expect(plans.map(({ id, price, interval, priceId }) => [id, price, interval, priceId])).toEqual([
      ['free', 0, null, null],
      ['starter', 1_000, 'month', 'price_sandbox_starter'],
      ['starter-annual', 10_000, 'year', 'price_sandbox_starter-annual'],
      ['pro', 2_000, 'month', 'price_sandbox_pro'],
      ['pro-annual', 20_000, 'year', 'price_sandbox_pro-annual'],
      ['power-user', 6_000, 'month', 'price_sandbox_power-user'],
      ['power-user-annual', 60_000, 'year', 'price_sandbox_power-user-annual'],
    ])
    expect(plans.filter((plan) => plan.popular).map((plan) => plan.name)).toEqual(['Pro', 'Pro'])
    expect(plans.at(-1)?.features.maxWebhooks).toBe(-1)
  })

  test('cards are added, the first is the default, another can become it, and both can be removed', async () => {
    const person = await server().signUp()
    const { rest } = person
    expect(await addCard(person)).toMatchObject({
      status: 'succeeded',
      paymentMethod: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2090, isDefault: true },
    })
    await addCard(person, { ...goodCard, number: '5555555555554444' })
    const { paymentMethods } = await rest.listPaymentMethods()
    expect(paymentMethods.map((card) => [card.brand, card.isDefault])).toEqual([
      ['visa', true],
      ['mastercard', false],
    ])
    const [visa, mastercard] = paymentMethods
    const changed = await rest.setDefaultPaymentMethod({ params: { id: mastercard!.id }, body: {} })
    expect(changed.paymentMethods.map((card) => card.isDefault)).toEqual([false, true])
    await rest.deletePaymentMethod({ params: { id: mastercard!.id } })
    expect((await rest.listPaymentMethods()).paymentMethods).toEqual([{ ...visa, isDefault: true }])
    await rest.deletePaymentMethod({ params: { id: visa!.id } })
    await expect(rest.deletePaymentMethod({ params: { id: visa!.id } })).rejects.toMatchObject({
      code: 'payment_method_not_found',
    })
  })

  test.each([
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000000069', 'Your card has expired.'],
    ['4000000000000127', "Your card's security code is incorrect."],
    ['4111111111111111', 'This is test mode. Use a test card, such as 4242 4242 4242 4242.'],
  ])('the card %s is refused: %s', async (number, message) => {
    const person = await server().signUp()
    await expect(addCard(person, { ...goodCard, number })).rejects.toMatchObject({
      status: 400,
      code: 'card_declined',
      message,
    })
    expect((await person.rest.listPaymentMethods()).paymentMethods).toEqual([])
  })

  test('an expired card is refused', async () => {
    const person = await server().signUp()
    const card = { ...goodCard, expMonth: 12, expYear: 2029 }
    await expect(addCard(person, card)).rejects.toMatchObject({ message: 'Your card has expired.' })
    expect(await addCard(person, { ...card, expMonth: 1, expYear: 2030 })).toMatchObject({
      status: 'succeeded',
    })
  })

  test('a card that needs a challenge is added once the bank approves', async () => {
    const person = await server().signUp()
    const { clientSecret } = await person.rest.createSetupIntent({ body: {} })
    const body = { ...challengeCard, clientSecret }
    expect(await person.rest.confirmTestCard({ body })).toEqual({ status: 'requires_action' })
    await expect(
      person.rest.confirmTestCard({ body: { ...body, challenge: 'failed' } }),
    ).rejects.toMatchObject({ code: 'card_declined' })
    expect(await person.rest.confirmTestCard({ body: { ...body, challenge: 'completed' } })).toMatchObject({
      status: 'succeeded',
    })
  })

  test('a setup intent works for one card, for a day, and only for its own account', async () => {
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    const { clientSecret } = await alice.rest.createSetupIntent({ body: {} })
    const body = { ...goodCard, clientSecret }
    await expect(bob.rest.confirmTestCard({ body })).rejects.toMatchObject({ code: 'billing_conflict' })
    await alice.rest.confirmTestCard({ body })
    await expect(alice.rest.confirmTestCard({ body })).rejects.toMatchObject({ code: 'billing_conflict' })
    const { clientSecret: old } = await alice.rest.createSetupIntent({ body: {} })
    server().clock.now += dayMs
    await expect(
      alice.rest.confirmTestCard({ body: { ...goodCard, clientSecret: old } }),
    ).rejects.toMatchObject({ code: 'billing_conflict' })
  })

  test('the checkout page is clearly a test, runs no script, and starts the trial without a card', async () => {
    const person = await server().signUp()
    const url = await openCheckout(person, 'pro')
    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:\d+ /,
    )
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(text).toContain('Test mode')
    expect(text).toContain('14 days free, then $20.00 a month')
    expect(text).toContain(`${person.url}/billing?canceled=true`)
    const done = await sendForm(url, { action: 'on_file' })
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe(`${person.url}/dashboard?success=true`)
    expect(await person.rest.subscription()).toMatchObject({
      plan: 'pro',
      status: 'trialing',
      currentPeriodEnd: seconds(at('2030-01-31')),
      trialEnd: seconds(at('2030-01-31')),
      features: { maxEntities: 100_000 },
    })
    expect((await person.rest.listInvoices()).invoices).toEqual([])
    expect(await (await fetch(url)).text()).toContain('All done')
    expect((await sendForm(url, { action: 'on_file' })).status).toBe(303)
  })

  test('a form submitted twice at once starts one plan', async () => {
    const person = await server().signUp()
    const url = await openCheckout(person, 'starter')
    const fields = { number: goodCard.number, expiry: '12/40', cvc: '123' }
    const answers = await Promise.all([sendForm(url, fields), sendForm(url, fields)])
    expect(answers.map((answer) => answer.status)).toEqual([303, 303])
    expect((await person.rest.listPaymentMethods()).paymentMethods).toHaveLength(1)
  })

  test('the checkout page says why a card is refused, and goes through the bank challenge where required', async () => {
    const person = await server().signUp()
    const url = await openCheckout(person, 'starter-annual')
    const declined = await sendForm(url, { number: '4000000000000002', expiry: '12/40', cvc: '123' })
    expect(declined.status).toBe(400)
    expect(await declined.text()).toContain('Your card was declined.')
    const nonsense = await sendForm(url, { number: '<script>', expiry: 'x', cvc: '' })
    expect(nonsense.status).toBe(400)
    expect(await nonsense.text()).not.toContain('<script>')
    const asked = await (
      await sendForm(url, { number: challengeCard.number, expiry: '12/40', cvc: '123' })
    ).text()
    const sealedCard = /name="sealedCard" value="([^"]+)"/.exec(asked)?.[1]?.replaceAll('&#61;', '=') ?? ''
    expect((await sendForm(url, { action: 'challenge_failed', sealedCard })).status).toBe(400)
    expect((await sendForm(url, { action: 'challenge_completed', sealedCard: 'made up' })).status).toBe(400)
    expect((await sendForm(url, { action: 'challenge_completed', sealedCard })).status).toBe(303)
    expect(await person.rest.subscription()).toMatchObject({ plan: 'starter-annual', status: 'trialing' })
  })

  test('addresses of unknown checkouts and invoices and of old checkouts are 404', async () => {
    expect((await fetch(`${server().url}/sandbox/checkout/none`)).status).toBe(404)
    expect((await fetch(`${server().url}/sandbox/invoices/none`)).status).toBe(404)
    const url = await openCheckout(await server().signUp(), 'pro')
    server().clock.now += dayMs
    expect((await fetch(url)).status).toBe(404)
  })

  test('a plan changes the limits at once in every process', async () => {
    const person = await server().signUp()
    await setEntityCount(server(), person, 1_000)
    const twin = await openTwin(server())
    const other = restWith(twin, person.token)
    const create = (name: string) => other.createEntity({ body: { name, type: 't' } })
    await expect(create('over')).rejects.toMatchObject({ code: 'plan_limit_reached' })
    await startTrial(person, 'starter')
    await create('under')
    await person.rest.cancelSubscription({ body: { immediate: true } })
    expect((await person.rest.subscription()).plan).toBe('free')
    await expect(create('over')).rejects.toMatchObject({ code: 'plan_limit_reached' })
    expect((await other.listEntities()).total).toBe(1)
    await twin.close()
  })

  test('an account has one trial: the next plan is paid at checkout', async () => {
    const person = await server().signUp()
    await startTrial(person, 'pro')
    await person.rest.cancelSubscription({ body: { immediate: true } })
    const url = await openCheckout(person, 'starter')
    expect(await (await fetch(url)).text()).toContain('$10.00 a month, due today')
    expect((await sendForm(url, { action: 'on_file' })).status).toBe(400)
    const poor = await sendForm(url, { number: poorCard.number, expiry: '12/40', cvc: '123' })
    expect(poor.status).toBe(400)
    expect((await person.rest.listPaymentMethods()).paymentMethods).toEqual([])
    expect((await sendForm(url, { number: goodCard.number, expiry: '12/40', cvc: '123' })).status).toBe(303)
    expect(await person.rest.subscription()).toMatchObject({ plan: 'starter', status: 'active' })
    expect((await person.rest.listInvoices()).invoices).toMatchObject([{ amount: 1_000, status: 'paid' }])
  })

  test('months renew at their ends, a 31st on the last day, once across processes', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const ends = []
    const twin = await openTwin(server())
    for (let i = 0; i < 3; i++) {
      const { currentPeriodEnd } = await (await signIn(server(), person)).subscription()
      ends.push(new Date(currentPeriodEnd! * 1_000).toISOString().slice(0, 10))
      server().clock.now = currentPeriodEnd! * 1_000
      await Promise.all([settle(), settleAccounts(twin.ctx), settle()])
    }
    await twin.close()
    expect(ends).toEqual(['2030-02-28', '2030-03-31', '2030-04-30'])
    const { invoices } = await (await signIn(server(), person)).listInvoices()
    expect(invoices.map(({ amount, status }) => [amount, status])).toEqual(Array(4).fill([2_000, 'paid']))
    expect(new Set(invoices.map((invoice) => invoice.number)).size).toBe(4)
  })

  test('after downtime, servers make up each missed period once, dated when it was due', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    server().clock.now = at('2030-04-15')
    const twins = await Promise.all([openTwin(server()), openTwin(server())])
    const { accountId } = await scopeOf(server(), person)
    const dates = async () => {
      const invoices = await listInvoiceRows(server().ctx.db, accountId)
      return invoices.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 10))
    }
    await expect.poll(dates).toEqual(['2030-03-31', '2030-02-28', '2030-01-31'])
    for (const twin of twins) await twin.close()
    await settle()
    expect(await dates()).toHaveLength(3)
  })

  test('the next look for periods that end is in ten minutes, or when the first of them ends', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const endsAt = (await person.rest.subscription()).currentPeriodEnd! * 1_000
    const minutes = async () => (await settle()) / minuteMs
    server().clock.now = endsAt - 25 * minuteMs
    await settle()
    expect(await minutes()).toBe(10)
    server().clock.now = endsAt - 4 * minuteMs
    expect(await minutes()).toBe(4)
    server().clock.now = endsAt - 1_000
    expect(await minutes()).toBe(1)
    server().clock.now = endsAt
    expect(await minutes()).toBe(1)
    expect((await person.rest.listInvoices()).invoices).toHaveLength(2)
    expect(await minutes()).toBe(10)
  })

  test('an upgrade begins and is paid at once, for the rest of the period', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'starter')
    server().clock.now = at('2030-02-14')
    expect(await person.rest.changePlan(changeTo('pro'))).toMatchObject({
      plan: 'pro',
      status: 'active',
      currentPeriodEnd: seconds(at('2030-02-28')),
      features: { maxEntities: 100_000 },
    })
    const [invoice] = (await person.rest.listInvoices()).invoices
    expect(invoice).toMatchObject({ amount: 1_000 - 500, status: 'paid' })
    const page = await (await fetch(invoice!.hostedInvoiceUrl!)).text()
    expect(page).toContain('Unused time on Starter (monthly)')
    expect(page).toContain('-$5.00')
    expect(page).toContain('Paid on February 14, 2030 with Visa ending in 4242')
    server().clock.now = at('2030-02-28')
    expect((await person.rest.listInvoices()).invoices[0]).toMatchObject({ amount: 2_000 })
  })

  test.each([
    ['the same plan', 'pro', 'pro', 1_500],
    ['different plans', 'pro', 'power-user', 3_500],
    ['different plans, the larger one first', 'power-user', 'pro', 3_500],
  ])('two tabs that upgrade at once to %s leave one plan, charged once', async (_, first, second, cents) => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'starter')
    server().clock.now = at('2030-02-14')
    await Promise.all([first, second].map((plan) => person.rest.changePlan(changeTo(plan))))
    const plan = [first, second].includes('power-user') ? 'power-user' : 'pro'
    expect(await person.rest.subscription()).toMatchObject({ plan, status: 'active' })
    const { invoices } = await person.rest.listInvoices()
    expect(invoices.reduce((sum, { amount }) => sum + amount, 0)).toBe(cents)
  })

  test('a preview shows what is charged now and next, and that is what is charged', async () => {
    const person = await server().signUp()
    const { rest } = person
    const preview = (planId: string) => rest.previewChange({ body: { planId } })
    await expect(preview('pro')).rejects.toMatchObject({ code: 'billing_conflict' })
    await startPaidPlan(server(), person, 'starter')
    server().clock.now = at('2030-02-14')
    const end = seconds(at('2030-02-28'))
    const upgrade = await preview('pro')
    expect(upgrade).toEqual({
      now: 500,
      next: { amount: 2_000, at: end },
      lines: [
        { description: 'Unused time on Starter (monthly)', amount: -500 },
        { description: 'Remaining time on Pro (monthly)', amount: 1_000 },
      ],
      effectiveAt: seconds(at('2030-02-14')),
    })
    expect(await preview('starter-annual')).toMatchObject({
      now: 10_000 - 500,
      next: { amount: 10_000, at: seconds(at('2031-02-14')) },
    })
    expect(await preview('free')).toEqual({ now: 0, next: null, lines: [], effectiveAt: end })
    expect(await preview('starter')).toMatchObject({ now: 0, next: { amount: 1_000, at: end } })
    expect((await rest.listInvoices()).invoices).toHaveLength(1)

    server().clock.now += 50 * 60_000
    const body = { ...changeTo('pro').body, effectiveAt: upgrade.effectiveAt }
    await rest.changePlan({ body })
    expect((await rest.listInvoices()).invoices[0]).toMatchObject({ amount: 500 })
    expect(await preview('starter')).toEqual({
      now: 0,
      next: { amount: 1_000, at: end },
      lines: [],
      effectiveAt: end,
    })
    server().clock.now += 11 * 60_000
    await expect(
      rest.changePlan({ body: { ...changeTo('power-user').body, effectiveAt: upgrade.effectiveAt } }),
    ).rejects.toMatchObject({ code: 'billing_conflict' })
  })

  test('an upgrade in the same interval needs a card that pays', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'starter')
    await person.rest.cancelSubscription({ body: {} })
    const [card] = (await person.rest.listPaymentMethods()).paymentMethods
    await person.rest.deletePaymentMethod({ params: { id: card!.id } })
    const before = await person.rest.subscription()
    const refusals: string[] = []
    for (const add of [async () => {}, () => addCard(person, poorCard)]) {
      await add()
      await person.rest.changePlan(changeTo('pro')).catch(({ message }: Error) => refusals.push(message))
    }
    expect(refusals).toEqual(['Add a payment method first.', 'Your card was declined.'])
    expect(await person.rest.subscription()).toEqual(before)
    expect((await person.rest.listInvoices()).invoices).toHaveLength(1)
  })

  test('an upgrade that cannot be paid changes nothing', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const before = await person.rest.subscription()
    await addCard(person, poorCard)
    const { paymentMethods } = await person.rest.listPaymentMethods()
    await person.rest.setDefaultPaymentMethod({ params: { id: paymentMethods[1]!.id }, body: {} })
    await expect(person.rest.changePlan(changeTo('pro-annual'))).rejects.toMatchObject({
      status: 400,
      code: 'card_declined',
      message: 'Your card was declined.',
    })
    expect(await person.rest.subscription()).toEqual(before)
  })

  test('a downgrade waits for the end of the period', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    expect(await person.rest.changePlan(changeTo('starter'))).toMatchObject({
      plan: 'pro',
      pendingPlan: 'starter',
      cancelAtPeriodEnd: false,
    })
    server().clock.now = at('2030-02-28')
    expect(await person.rest.subscription()).toMatchObject({ plan: 'starter', pendingPlan: null })
    expect((await person.rest.listInvoices()).invoices[0]).toMatchObject({ amount: 1_000 })
  })

  test('a downgrade is revoked by choosing the plan again, or by reactivating', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    await person.rest.changePlan(changeTo('starter'))
    expect(await person.rest.changePlan(changeTo('pro'))).toMatchObject({ plan: 'pro', pendingPlan: null })
    await person.rest.changePlan(changeTo('starter'))
    expect(await person.rest.reactivateSubscription({ body: {} })).toMatchObject({ pendingPlan: null })
  })

  test.each([
    ['cancelled', { cancel: true }],
    ['changed to free', { cancel: false }],
  ])('a plan that is %s runs to the end of its period, unless it is reactivated', async (_, { cancel }) => {
    const person = await server().signUp()
    const { rest } = person
    await startPaidPlan(server(), person, 'pro')
    const end = () =>
      cancel
        ? rest.cancelSubscription({ body: { immediate: false } })
        : rest.changePlan({ body: { planId: 'free', priceId: null } })
    expect(await end()).toMatchObject({ plan: 'pro', cancelAtPeriodEnd: true })
    expect(await rest.reactivateSubscription({ body: {} })).toMatchObject({ cancelAtPeriodEnd: false })
    await expect(rest.reactivateSubscription({ body: {} })).rejects.toMatchObject({
      code: 'billing_conflict',
    })
    await end()
    server().clock.now = at('2030-02-28')
    expect(await rest.subscription()).toMatchObject({ plan: 'free', cancelAtPeriodEnd: false })
    expect((await rest.listInvoices()).invoices).toHaveLength(1)
  })

  test('a failed renewal is retried for two weeks, then the account is free', async () => {
    const person = await server().signUp()
    let { rest } = person
    await startPaidPlan(server(), person, 'pro')
    await addCard(person, poorCard)
    const { paymentMethods } = await rest.listPaymentMethods()
    await rest.deletePaymentMethod({ params: { id: paymentMethods[0]!.id } })
    const due = at('2030-02-28')
    const seen = []
    for (const days of [0, 2, 3, 8, 14]) {
      server().clock.now = due + days * dayMs
      await settle()
      // Sessions are prolonged after each request in the background, and these requests are weeks apart.
      rest = await signIn(server(), person)
      const { plan, status } = await rest.subscription()
      seen.push(`${days} ${plan} ${status}`)
    }
    expect(seen).toEqual([
      '0 pro past_due',
      '2 pro past_due',
      '3 pro past_due',
      '8 pro past_due',
      '14 pro past_due',
    ])
    await expect(rest.changePlan(changeTo('power-user'))).rejects.toMatchObject({ code: 'billing_conflict' })
    expect((await rest.listInvoices()).invoices[0]).toMatchObject({ status: 'open', created: seconds(due) })
    server().clock.now = due + 15 * dayMs
    await settle()
    expect(await rest.subscription()).toMatchObject({ plan: 'free', status: 'active' })
    expect((await rest.listInvoices()).invoices.map((invoice) => invoice.status)).toEqual([
      'uncollectible',
      'paid',
    ])
  })

  test('a better card pays open invoices at once', async () => {
    const person = await server().signUp()
    const { rest } = person
    await startPaidPlan(server(), person, 'pro')
    const [old] = (await rest.listPaymentMethods()).paymentMethods
    await rest.deletePaymentMethod({ params: { id: old!.id } })
    server().clock.now = at('2030-02-28')
    expect(await rest.subscription()).toMatchObject({ status: 'past_due' })
    await addCard(person)
    expect(await rest.subscription()).toMatchObject({
      status: 'active',
      currentPeriodEnd: seconds(at('2030-03-31')),
    })
    expect((await rest.listInvoices()).invoices[0]).toMatchObject({ status: 'paid' })
  })

  test('an invoice opens without signing in, as a page and as a PDF', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const [invoice] = (await person.rest.listInvoices()).invoices
    const page = await fetch(invoice!.hostedInvoiceUrl!)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toContain(invoice!.number)
    const pdf = await fetch(invoice!.invoicePdf!)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  test('over the limit after a downgrade nothing is lost: reading works, creating does not', async () => {
    const person = await server().signUp()
    const { rest } = person
    await startTrial(person, 'starter')
    const { entity } = await rest.createEntity({ body: { name: 'kept', type: 't' } })
    await setEntityCount(server(), person, 5_000)
    await rest.cancelSubscription({ body: { immediate: true } })
    await rest.getEntity({ params: { id: entity.id } })
    await rest.updateEntity({ params: { id: entity.id }, body: { name: 'still kept', type: 't' } })
    await expect(rest.createEntity({ body: { name: 'new', type: 't' } })).rejects.toMatchObject({
      code: 'plan_limit_reached',
      details: [{ limit: 1_000, used: 5_000, plan: 'free' }],
    })
  })

  test('requests that make no sense are refused with a reason', async () => {
    const person = await server().signUp()
    const { rest } = person
    const conflict = { status: 409, code: 'billing_conflict' }
    await expect(rest.changePlan(changeTo('pro'))).rejects.toMatchObject(conflict)
    await expect(rest.cancelSubscription({ body: {} })).rejects.toMatchObject(conflict)
    await expect(rest.changePlan({ body: { planId: 'none' } })).rejects.toMatchObject({
      code: 'plan_not_found',
    })
    await expect(rest.changePlan({ body: { planId: 'team' } })).rejects.toMatchObject({
      code: 'plan_not_found',
    })
    await expect(
      rest.changePlan({ body: { planId: 'pro', priceId: priceOf('starter') } }),
    ).rejects.toMatchObject({ code: 'price_not_found' })
    const urls = { successUrl: `${person.url}/a`, cancelUrl: `${person.url}/b` }
    await expect(rest.createCheckout({ body: { priceId: 'none', ...urls } })).rejects.toMatchObject({
      code: 'price_not_found',
    })
    await expect(
      rest.createCheckout({ body: { priceId: priceOf('pro'), ...urls, successUrl: 'javascript:alert(1)' } }),
    ).rejects.toMatchObject({ status: 400 })
    await startTrial(person, 'pro')
    await expect(rest.createCheckout({ body: { priceId: priceOf('pro'), ...urls } })).rejects.toMatchObject(
      conflict,
    )
  })

  test('a checkout returns to this server and nowhere else', async () => {
    const { rest, token, url } = await server().signUp()
    const own = { priceId: priceOf('pro'), successUrl: `${url}/dashboard`, cancelUrl: `${url}/billing` }
    const foreign = [
      'https://phish.example/login',
      `${url}.phish.example/`,
      `http://phish.example@127.0.0.1:1/`,
      url.replace('http:', 'ftp:'),
      'javascript:alert(1)',
    ]
    for (const path of ['successUrl', 'cancelUrl']) {
      for (const address of foreign) {
        const body = { ...own, [path]: address }
        const answer = await server().call('POST', '/api/billing/checkout', { token, body })
        expect([address, answer.status, answer.body.error?.details?.[0]?.path]).toEqual([address, 400, path])
      }
    }
    const { url: checkout } = await rest.createCheckout({ body: own })
    // Begun when the server had another name.
    await server().ctx.db.updateTable('checkouts').set({ success_url: foreign[0]! }).execute()
    const done = await sendForm(checkout, { action: 'on_file' })
    expect([done.status, done.headers.get('location')]).toEqual([303, `${url}/billing`])
    expect(await (await fetch(checkout)).text()).not.toContain('phish')
  })

  test('a granted plan that is no longer sold stays', async () => {
    const person = await server().signUp()
    await server()
      .ctx.db.updateTable('accounts')
      .set({ plan: 'team' })
      .where('id', '=', person.accountId)
      .execute()
    await addCard(person)
    await openCheckout(person, 'pro')
    expect(await person.rest.subscription()).toMatchObject({
      plan: 'team',
      features: { maxQueries: 5_000_000 },
    })
  })

  test('a repeated change with an idempotency key happens once', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const headers = { 'idempotency-key': 'cancel-once' }
    const first = await person.rest.cancelSubscription({ body: {}, headers })
    await person.rest.reactivateSubscription({ body: {} })
    expect(await person.rest.cancelSubscription({ body: {}, headers })).toEqual(first)
    expect((await person.rest.subscription()).cancelAtPeriodEnd).toBe(false)
  })

  test('an account is deleted with its billing, also under an idempotency key', async () => {
    const person = await server().signUp()
    await startPaidPlan(server(), person, 'pro')
    const headers = { 'idempotency-key': 'gone' }
    await person.rest.deleteAccount({ body: { password: person.password }, headers })
    await expect(person.rest.subscription()).rejects.toMatchObject({ status: 401 })
  })
})
