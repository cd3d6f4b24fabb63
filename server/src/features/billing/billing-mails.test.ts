import { createRestClient } from '@loci/client/rest'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopeOf, signIn } from '../../../test/accounts.ts'
import {
  addCard,
  disputingCard,
  openCheckout,
  poorCard,
  sendForm,
  startPaidPlan,
  startTrial,
} from '../../../test/billing.ts'
import {
  type DialectName,
  type Person,
  startTestServer,
  type TestServer,
  testConfig,
} from '../../../test/harness.ts'
import { restoreClock } from '../../../test/restore-clock.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { type ReceivedMail, type SmtpDouble, startSmtpDouble } from '../../../test/smtp-double.ts'
import { type StripeDouble, startStripeDouble } from '../../../test/stripe-double.ts'
import { dispute } from '../../../test/stripe-double-money.ts'
import { type MailConfig, readMail } from '../../ground/config/config-mail.ts'
import { dayMs, hourMs } from '../../ground/lib/time.ts'
import { closeContext, openContext } from '../../open-context.ts'
import { settleAccounts } from './settle.ts'
import { syncAccount } from './stripe/sync.ts'
import { getSubscriptionRow } from './subscriptions.repo.ts'
import { remindOfTrials } from './trial-reminders.ts'

const at = (text: string) => Date.parse(`${text}T10:00:00Z`)

function mailConfig(smtp: SmtpDouble): MailConfig {
  const mail = readMail({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' })
  if (typeof mail !== 'object') throw new Error(mail)
  return mail
}

/** Waits until nothing is left to send, then returns a person's billing mails. */
async function mailsTo(server: TestServer, smtp: SmtpDouble, { email }: Person): Promise<ReceivedMail[]> {
  const waiting = () =>
    server.ctx.db.selectFrom('mails').select('id').where('next_try_at', 'is not', null).execute()
  await until(async () => (await waiting()).length === 0)
  return smtp.mails.filter(
    (mail) => mail.to.includes(email) && mail.headers.subject !== 'Confirm your email address',
  )
}

const until = async (holds: () => boolean | Promise<boolean>) =>
  expect.poll(holds, { interval: 10 }).toBe(true)

const subjectsOf = (mails: readonly ReceivedMail[]) => mails.map((mail) => mail.headers.subject)

describe.each<DialectName>(['sqlite', 'postgres'])('mails of the sandbox (%s)', (dialect) => {
  let smtp: SmtpDouble
  let server: TestServer
  beforeAll(async () => {
    smtp = await startSmtpDouble()
    server = await startTestServer(dialect, { mail: mailConfig(smtp) })
    server.ctx.config.publicUrl = server.url
  })
  afterAll(async () => {
    await server?.close()
    await smtp?.close()
  })
  restoreClock(() => server, at('2030-01-17'))
  const settle = () => settleAccounts(server.ctx)

  test('a dispute is told to the owner and the operator, once', async () => {
    const { config } = server.ctx
    config.operatorEmail = 'ops@example.com'
    const person = await server.signUp()
    await addCard(person, disputingCard)
    await startPaidPlan(server, person, 'pro')
    config.operatorEmail = undefined
    const { number } = (await person.rest.listInvoices()).invoices[0]!
    const told = (await mailsTo(server, smtp, person)).filter(({ headers }) =>
      headers.subject?.includes('disputed'),
    )
    expect(subjectsOf(told)).toEqual(['A payment of $20.00 is disputed'])
    expect(told[0]?.text).toContain(number)
    const operators = smtp.mails.filter(({ to }) => to.includes('ops@example.com'))
    expect(subjectsOf(operators)).toEqual([`Dispute of $20.00 by ${person.email}`])
    expect(operators[0]?.text).toContain('The plan goes on.')
  })

  test('each payment has one receipt; a trial has none', async () => {
    const person = await server.signUp()
    await addCard(person)
    await startTrial(person, 'pro')
    expect(await mailsTo(server, smtp, person)).toEqual([])
    server.clock.now = at('2030-01-31')
    await Promise.all([settle(), settle()])
    await settle()
    const { number, hostedInvoiceUrl } = (await person.rest.listInvoices()).invoices[0]!
    const [receipt, ...others] = await mailsTo(server, smtp, person)
    expect(others).toEqual([])
    expect(receipt?.headers.subject).toBe(`Receipt for invoice ${number}: $20.00`)
    expect(receipt?.text).toContain('Thank you. Your payment was received.')
    expect(receipt?.text).toContain('This server is in test mode: no real money moves.')
    expect(receipt?.text).toMatch(/Date: +January 31, 2030 \(UTC\)/)
    expect(receipt?.text).toMatch(/Pro \(monthly\): +\$20\.00/)
    expect(receipt?.text).toMatch(/Paid with: +Visa ending in 4242/)
    expect(receipt?.text).toContain(`View invoice: ${hostedInvoiceUrl}`)
    expect(receipt?.html).toContain(`href="${hostedInvoiceUrl}"`)
    server.clock.now = at('2030-02-28')
    await settle()
    expect(await mailsTo(server, smtp, person)).toHaveLength(2)
  })

  test('each failed payment says when it will be tried again and what happens then', async () => {
    const person = await server.signUp()
    await addCard(person, poorCard)
    await startTrial(person, 'pro')
    const seconds = (text: string) => at(text) / 1_000
    for (const [now, nextTryAt] of [
      ['2030-01-31', '2030-02-03'],
      ['2030-02-03', '2030-02-08'],
      ['2030-02-08', '2030-02-15'],
    ] as const) {
      server.clock.now = at(now)
      await settle()
      expect(await person.rest.subscription()).toMatchObject({
        plan: 'pro',
        status: 'past_due',
        pastDue: { nextTryAt: seconds(nextTryAt), endsAt: seconds('2030-02-15') },
        ended: null,
      })
    }
    server.clock.now = at('2030-02-15')
    await settle()
    const rest = await signIn(server, person)
    expect(await rest.subscription()).toMatchObject({
      plan: 'free',
      pastDue: null,
      ended: { plan: 'pro', at: seconds('2030-02-15'), reason: 'payment_failed' },
    })
    const mails = await mailsTo(server, smtp, person)
    expect(subjectsOf(mails)).toEqual([
      'Payment failed: $20.00 for Pro (monthly)',
      'Payment failed: $20.00 for Pro (monthly)',
      'Payment failed: $20.00 for Pro (monthly)',
      'Pro (monthly) has ended',
    ])
    expect(mails[0]?.text).toContain('It will be retried on February 3, 2030 (UTC).')
    expect(mails[1]?.text).toContain('It will be retried on February 8, 2030 (UTC).')
    expect(mails[0]?.text).toContain(
      'If it is not paid by February 15, 2030 (UTC), the account goes back to Free.',
    )
    expect(mails[0]?.text).toContain(`Update payment method: ${server.url}/billing`)
    expect(mails[3]?.text).toContain('could not be paid, so it ended and the account is on Free now.')
  })

  test('the end of a trial is announced once, three days before, with what will happen', async () => {
    const paying = await server.signUp('paying')
    await addCard(paying)
    const without = await server.signUp('without')
    const leaving = await server.signUp('leaving')
    for (const person of [paying, without, leaving]) await startTrial(person, 'starter-annual')
    await leaving.rest.cancelSubscription({ body: {} })
    server.clock.now = at('2030-01-31') - 3 * dayMs - hourMs
    await remindOfTrials(server.ctx)
    expect(await mailsTo(server, smtp, paying)).toEqual([])
    server.clock.now += 2 * hourMs
    await Promise.all([remindOfTrials(server.ctx), remindOfTrials(server.ctx)])
    await remindOfTrials(server.ctx)
    const [toPaying, ...others] = await mailsTo(server, smtp, paying)
    expect(others).toEqual([])
    expect(toPaying?.headers.subject).toBe('Your trial of Starter (yearly) ends on January 31, 2030')
    expect(toPaying?.text).toContain(
      'From then on Visa ending in 4242 is charged $100.00 a year. To keep that from happening, cancel before then.',
    )
    const [toWithout] = await mailsTo(server, smtp, without)
    expect(toWithout?.text).toContain(
      'There is no payment method on file. To keep Starter (yearly) for $100.00 a year',
    )
    expect(await mailsTo(server, smtp, leaving)).toEqual([])
    server.clock.now = at('2030-01-31')
    await settle()
    expect(subjectsOf(await mailsTo(server, smtp, without))).toEqual([
      'Your trial of Starter (yearly) ends on January 31, 2030',
      'Starter (yearly) has ended',
    ])
    expect(await without.rest.subscription()).toMatchObject({
      ended: { plan: 'starter-annual', reason: 'trial_ended' },
    })
    expect(await leaving.rest.subscription()).toMatchObject({ ended: { reason: 'cancelled' } })
    expect(await mailsTo(server, smtp, leaving)).toEqual([])
  })

  test('after months of downtime only recent events are mailed', async () => {
    const person = await server.signUp()
    await startPaidPlan(server, person, 'pro')
    const before = (await mailsTo(server, smtp, person)).length
    server.clock.now = at('2030-07-31')
    await settle()
    const rest = await signIn(server, person)
    expect((await rest.listInvoices()).invoices).toHaveLength(7)
    expect(await mailsTo(server, smtp, person)).toHaveLength(before + 1)
  })
})

describe.each<DialectName>(['sqlite', 'postgres'])('mails of accounts at Stripe (%s)', (dialect) => {
  let smtp: SmtpDouble
  let stripe: StripeDouble
  let server: TestServer
  beforeAll(async () => {
    smtp = await startSmtpDouble()
    stripe = await startStripeDouble(() => server.clock.now)
    server = await startTestServer(dialect, {
      mail: mailConfig(smtp),
      billing: 'stripe',
      stripe: stripe.config,
    })
  })
  afterAll(async () => {
    await server?.close()
    await stripe?.close()
    await smtp?.close()
  })

  test('a dispute is mailed once, however often Stripe is read, and an old one is not', async () => {
    const person = await server.signUp()
    const { accountId } = await scopeOf(server, person)
    await person.rest.createSetupIntent({ body: {} })
    const customer = (await getSubscriptionRow(server.ctx.db, accountId)).customerId ?? ''
    const old = dispute(stripe.state, stripe.state.addInvoice(customer, 1_000, 'paid'))
    stripe.state.money.disputes.get(old)!.created = stripe.state.seconds() - 30 * 86_400
    dispute(stripe.state, stripe.state.addInvoice(customer, 2_000, 'paid'))
    for (let times = 0; times < 3; times++) await syncAccount(server.ctx, accountId, customer)
    expect(subjectsOf(await mailsTo(server, smtp, person))).toEqual(['A payment of $20.00 is disputed'])
  })

  test('failed payments, receipts and the end of a plan are mailed once each, however often Stripe is read', async () => {
    const person = await server.signUp()
    const { accountId } = await scopeOf(server, person)
    await person.rest.createSetupIntent({ body: {} })
    const customer = (await getSubscriptionRow(server.ctx.db, accountId)).customerId ?? ''
    const read = async () => {
      for (let times = 0; times < 3; times++) await syncAccount(server.ctx, accountId, customer)
    }
    stripe.state.addCard(customer)
    const sub = stripe.state.subscriptions.get(stripe.state.addSubscription(customer, 'price_pro'))!
    const old = stripe.state.invoices.get(stripe.state.addInvoice(customer, 2_000, 'paid'))!
    old.status_transitions = { paid_at: stripe.state.seconds() - 30 * 86_400 }
    await read()
    expect(await mailsTo(server, smtp, person)).toEqual([])

    const invoice = stripe.state.invoices.get(stripe.state.addInvoice(customer, 2_000, 'open'))!
    const nextTry = stripe.state.seconds() + 3 * 86_400
    Object.assign(invoice, { attempt_count: 1, next_payment_attempt: nextTry })
    sub.status = 'past_due'
    await read()
    expect(await person.rest.subscription()).toMatchObject({ pastDue: { nextTryAt: nextTry, endsAt: null } })
    Object.assign(invoice, { attempt_count: 2, next_payment_attempt: null })
    await read()
    Object.assign(invoice, { status: 'paid', status_transitions: { paid_at: stripe.state.seconds() } })
    sub.status = 'active'
    await read()
    Object.assign(sub, {
      status: 'canceled',
      ended_at: stripe.state.seconds(),
      cancellation_details: { reason: 'payment_failed' },
    })
    await read()
    expect(await person.rest.subscription()).toMatchObject({
      plan: 'free',
      ended: { plan: 'pro', reason: 'payment_failed' },
    })
    const mails = await mailsTo(server, smtp, person)
    expect(subjectsOf(mails)).toEqual([
      'Payment failed: $20.00 for Pro (monthly)',
      'Payment failed: $20.00 for Pro (monthly)',
      `Receipt for invoice ${invoice.number}: $20.00`,
      'Pro (monthly) has ended',
    ])
    expect(mails[0]?.text).toContain('Unless it is paid, the account goes back to Free.')
    expect(mails[1]?.text).toContain('It will not be retried automatically.')
    expect(mails[2]?.text).toContain(`View invoice: ${invoice.hosted_invoice_url}`)
  })

  test('the customer portal opens for the account, and details are kept there', async () => {
    const person = await server.signUp()
    const { url } = await person.rest.openBillingPortal({ body: {} })
    const { accountId } = await scopeOf(server, person)
    const customer = (await getSubscriptionRow(server.ctx.db, accountId)).customerId
    expect(url).toBe(`https://billing.stripe.test/${customer}`)
    expect(stripe.sentTo('POST', '/v1/billing_portal/sessions').at(-1)?.params).toEqual({
      customer,
      return_url: `${server.url}/billing`,
    })
    const details = await person.rest.billingDetails()
    expect(details.editable).toBe(false)
    const { editable, ...body } = details
    await expect(person.rest.updateBillingDetails({ body })).rejects.toMatchObject({
      code: 'billing_conflict',
    })
  })
})

test.each<DialectName>(['sqlite', 'postgres'])(
  'a receipt outlives a server that is killed while it sends it (%s)',
  async (dialect) => {
    const smtp = await startSmtpDouble()
    const { config, remove } = await testConfig(dialect)
    const env = { SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'loci@example.com' }
    const first = await startServerProcess(config, { env })
    const email = 'killed@example.com'
    const names = { firstName: 'K', lastName: 'L' }
    const { token } = await createRestClient({ baseUrl: first.url }).register({
      body: { email, password: 'correct horse battery', ...names },
    })
    // The mail that confirms the address.
    await until(() => smtp.mails.length === 1)
    smtp.commands.length = 0
    smtp.reply = (command) => (command === '.' ? 'hang' : undefined)
    const rest = createRestClient({ baseUrl: first.url, token: () => token })
    const visit = async () => openCheckout({ rest, url: first.url }, 'pro')
    await sendForm(await visit(), { number: '4242424242424242', expiry: '12/40', cvc: '123' })
    await rest.cancelSubscription({ body: { immediate: true } })
    // The second plan has no trial, so it is paid immediately.
    await sendForm(await visit(), { action: 'on_file' })
    await until(() => smtp.commands.includes('DATA'))
    await first.kill()
    smtp.reply = () => undefined
    const ctx = await openContext(config, pino({ level: 'silent' }))
    const unsent = ctx.db.selectFrom('mails').select(['tries', 'sent_at']).where('content', 'is not', null)
    expect(await unsent.execute()).toEqual([{ tries: 1, sent_at: null }])
    // As if the two minutes had passed after which other processes can send.
    await ctx.db.updateTable('leases').set({ expires_at: 0 }).execute()
    await ctx.db.updateTable('mails').set({ next_try_at: 0 }).where('content', 'is not', null).execute()
    await closeContext(ctx)
    const second = await startServerProcess(config, { env })
    await until(() => smtp.mails.length > 1)
    await second.stop()
    expect(smtp.mails.slice(1).map(({ to, headers }) => [to, headers.subject])).toEqual([
      [[email], expect.stringMatching(/^Receipt for invoice TEST-\w{6}-0001: \$20\.00$/)],
    ])
    await smtp.close()
    await remove()
  },
)
