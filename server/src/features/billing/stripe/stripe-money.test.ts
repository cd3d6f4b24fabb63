import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { billingCases } from '../../../../test/billing-cases.ts'
import { type Books, readBooks, readLines } from '../../../../test/books.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../../test/harness.ts'
import { type StripeDouble, signEvent, startStripeDouble } from '../../../../test/stripe-double.ts'
import type { State } from '../../../../test/stripe-double-calls.ts'
import * as money from '../../../../test/stripe-double-money.ts'
import { followStripe } from '../../../../test/stripe-syncs.ts'
import { reconcileBilling } from '../billing.service.ts'
import { webhookPath } from './webhook.ts'

/** What happens at Stripe to a customer's money. Between two steps, the server follows. */
type Step = (state: State, customer: string, invoices: string[]) => unknown
/** What the books hold is computed by hand, in the smallest unit. */
type Case = { steps: Step[]; books: Books; marks?: Record<string, unknown> }

const sell =
  (total: number, due?: number, more?: { currency?: string; tax?: number; off?: number }): Step =>
  (state, customer, invoices) =>
    invoices.push(state.addInvoice(customer, total, 'paid', due, more))
const open =
  (total: number, due?: number): Step =>
  (state, customer, invoices) =>
    invoices.push(state.addInvoice(customer, total, 'open', due))
const set =
  (status: 'paid' | 'void' | 'uncollectible'): Step =>
  (state, _, invoices) => {
    if (status === 'void') money.unapplyBalance(state, invoices.at(-1)!)
    state.invoices.get(invoices.at(-1)!)!.status = status
  }
const refund =
  (amount: number): Step =>
  (state, _, invoices) =>
    money.refund(state, invoices.at(-1)!, amount)
const note =
  (parts: Parameters<typeof money.addCreditNote>[2]): Step =>
  (state, _, invoices) =>
    money.addCreditNote(state, invoices.at(-1)!, parts)
const dispute =
  (options?: Parameters<typeof money.dispute>[2]): Step =>
  (state, _, invoices) =>
    money.dispute(state, invoices.at(-1)!, options)
const decide =
  (status: 'won' | 'lost' | 'under_review' | 'needs_response' | 'warning_closed'): Step =>
  (state) =>
    money.setDispute(state, [...state.money.disputes.keys()].at(-1)!, status)
const fail: Step = (state, _, invoices) => money.addCharge(state, invoices.at(-1)!, { failed: true })

/** No multiple of the times of a sync, which would make one look as if it were under way. */
const stepMs = 61_000

const cases: Record<string, Case> = {
  'a refund of everything': {
    steps: [sell(2_000), refund(2_000)],
    books: { revenue: -2_000, refunds: 2_000 },
    marks: { status: 'paid', amount: 2_000, refunded: 2_000 },
  },
  'a refund in part': {
    steps: [sell(2_000), refund(750)],
    books: { cash: 1_250, revenue: -2_000, refunds: 750 },
    marks: { refunded: 750 },
  },
  'two refunds': {
    steps: [sell(2_000), refund(750), refund(1_250)],
    books: { revenue: -2_000, refunds: 2_000 },
    marks: { refunded: 2_000 },
  },
  'a refund that the bank could not deliver': {
    steps: [
      sell(2_000),
      refund(750),
      (state) => money.failRefund(state, [...state.money.refunds.keys()].at(-1)!),
    ],
    books: { cash: 2_000, revenue: -2_000 },
    marks: { refunded: 0 },
  },
  'a credit note for a paid invoice pays the next one': {
    steps: [sell(2_000), note({ credited: 500 }), sell(2_000, 1_500)],
    books: { cash: 3_500, revenue: -3_500 },
    marks: { amount: 1_500, credited: 0 },
  },
  'a credit note that is not used yet': {
    steps: [sell(2_000), note({ credited: 500 })],
    books: { cash: 2_000, revenue: -1_500, credit: -500 },
    marks: { credited: 500 },
  },
  'a refund and a credit note of one invoice': {
    steps: [sell(2_000), refund(500), note({ credited: 500 })],
    books: { cash: 1_500, revenue: -1_500, refunds: 500, credit: -500 },
    marks: { refunded: 500, credited: 500 },
  },
  'a credit note that is refunded takes the sale back': {
    steps: [sell(2_000), note({ refunded: 600, outside: 100 })],
    // 100 were paid back outside of Stripe.
    books: { cash: 1_400, outside: -100, revenue: -1_300 },
    marks: { refunded: 600, credited: 100 },
  },
  'a credit note for an open invoice, then payment of the rest': {
    steps: [open(2_000), note({ offDue: 500 }), set('paid')],
    books: { cash: 1_500, revenue: -1_500 },
    marks: { status: 'paid', amount: 1_500, credited: 500 },
  },
  'a credit note for all of an open invoice pays it': {
    steps: [open(2_000), note({ offDue: 2_000 })],
    books: {},
    marks: { status: 'paid', amount: 0, credited: 2_000 },
  },
  'a credit note that is taken back': {
    steps: [
      open(2_000),
      note({ offDue: 500, tax: 80 }),
      (state) => money.voidCreditNote(state, [...state.money.creditNotes.keys()].at(-1)!),
    ],
    books: { receivable: 2_000, revenue: -2_000 },
    marks: { status: 'open', amount: 2_000, credited: 0 },
  },
  'an uncollectible invoice with a credit note': {
    steps: [open(2_000), note({ offDue: 500 }), set('uncollectible')],
    books: { revenue: -1_500, losses: 1_500 },
    marks: { status: 'uncollectible' },
  },
  'an uncollectible invoice that is paid after all': {
    steps: [open(2_000), set('uncollectible'), set('paid')],
    books: { cash: 2_000, revenue: -2_000 },
  },
  'a void invoice returns the credit that it used': {
    steps: [
      (state, customer) => money.moveBalance(state, customer, -300, { type: 'adjustment' }),
      open(2_000, 1_700),
      set('void'),
    ],
    books: { adjustments: 300, credit: -300 },
  },
  'a disputed payment: the bank has the money, and a fee': {
    steps: [sell(2_000), dispute({ fee: 1_500 })],
    books: { cash: -1_500, revenue: -2_000, disputes: 2_000, fees: 1_500 },
    marks: { status: 'paid', dispute: 'open' },
  },
  'a dispute that is won: the fee is gone': {
    steps: [sell(2_000), dispute({ fee: 1_500 }), decide('under_review'), decide('won')],
    books: { cash: 500, revenue: -2_000, fees: 1_500 },
    marks: { dispute: 'won' },
  },
  'a dispute that is won, and a refund after it': {
    steps: [sell(2_000), dispute(), decide('won'), refund(300)],
    books: { cash: 1_700, revenue: -2_000, refunds: 300 },
    marks: { dispute: 'won', refunded: 300 },
  },
  'a dispute that is lost': {
    steps: [sell(2_000), dispute(), decide('lost')],
    books: { revenue: -2_000, losses: 2_000 },
    marks: { dispute: 'lost' },
  },
  'a dispute that is lost, and won by an appeal': {
    steps: [sell(2_000), dispute(), decide('lost'), decide('won')],
    books: { cash: 2_000, revenue: -2_000 },
    marks: { dispute: 'won' },
  },
  'two disputed months, one won and one open': {
    steps: [sell(2_000), dispute(), decide('won'), sell(2_000), dispute()],
    books: { cash: 2_000, revenue: -4_000, disputes: 2_000 },
    marks: { dispute: 'open' },
  },
  'an inquiry takes nothing until it becomes a dispute': {
    steps: [sell(2_000), dispute({ status: 'warning_needs_response' }), decide('warning_closed')],
    books: { cash: 2_000, revenue: -2_000 },
    marks: { dispute: null },
  },
  'an inquiry that becomes a dispute': {
    steps: [sell(2_000), dispute({ status: 'warning_needs_response' }), decide('needs_response')],
    books: { revenue: -2_000, disputes: 2_000 },
    marks: { dispute: 'open' },
  },
  'tax is owed to others': {
    steps: [sell(2_400, 2_400, { tax: 400 })],
    books: { cash: 2_400, revenue: -2_000, tax: -400 },
  },
  'tax of a void invoice is not owed': {
    steps: [
      (state, customer, invoices) =>
        invoices.push(state.addInvoice(customer, 2_400, 'open', 2_400, { tax: 400 })),
      set('void'),
    ],
    books: {},
  },
  'a credit note takes back its share of the tax': {
    // Half of 20.00 and 4.00.
    steps: [sell(2_400, 2_400, { tax: 400 }), note({ refunded: 1_200, tax: 200 })],
    books: { cash: 1_200, revenue: -1_000, tax: -200 },
    marks: { refunded: 1_200, credited: 0 },
  },
  'a discount is not sold': {
    // 20.00 less 25 %, taxed with 20 %.
    steps: [sell(1_800, 1_800, { tax: 300 })],
    books: { cash: 1_800, revenue: -1_500, tax: -300 },
  },
  'three currencies, one of them without decimals': {
    steps: [
      sell(2_000, 2_000, { currency: 'eur', tax: 319 }),
      refund(500),
      sell(1_999, 1_999, { currency: 'gbp' }),
      dispute(),
      sell(3_000, 3_000, { currency: 'jpy' }),
      refund(1_000),
    ],
    books: {
      ...{ 'cash eur': 1_500, 'revenue eur': -1_681, 'tax eur': -319, 'refunds eur': 500 },
      ...{ 'revenue gbp': -1_999, 'disputes gbp': 1_999 },
      ...{ 'cash jpy': 2_000, 'revenue jpy': -3_000, 'refunds jpy': 1_000 },
    },
    marks: { currency: 'jpy', amount: 3_000, refunded: 1_000 },
  },
  'what was paid outside of Stripe': {
    steps: [sell(2_000, 2_000, { off: 2_000 })],
    books: { outside: 2_000, revenue: -2_000 },
  },
  'credit that was given and taken in the dashboard': {
    steps: [
      (state, customer) => money.moveBalance(state, customer, -1_000, { type: 'adjustment' }),
      sell(2_000, 1_000),
      (state, customer) => money.moveBalance(state, customer, 50, { type: 'adjustment' }),
    ],
    // 10.00 were given and used, and 0.50 are owed.
    books: { cash: 1_000, revenue: -2_000, adjustments: 950, credit: 50 },
  },
  'failed payments move nothing': {
    steps: [open(2_000), fail, fail, set('paid')],
    books: { cash: 2_000, revenue: -2_000 },
  },
  "Stripe's fees": {
    steps: [
      open(2_000),
      (state, _, invoices) => money.addCharge(state, invoices[0]!, { fee: 88 }),
      set('paid'),
      refund(2_000),
    ],
    books: { cash: -88, revenue: -2_000, refunds: 2_000, fees: 88 },
  },
}

describe.each<DialectName>(['sqlite', 'postgres'])('the books of Stripe (%s)', (dialect) => {
  let server: TestServer
  let stripe: StripeDouble
  let events = 0
  beforeAll(async () => {
    stripe = await startStripeDouble(() => server.clock.now)
    server = await startTestServer(dialect, { billing: 'stripe', stripe: stripe.config })
  })
  afterAll(async () => {
    await server?.close()
    await stripe?.close()
  })

  const send = async (type: 'charge.refunded' | 'charge.dispute.created', object: object, id = ++events) => {
    const { body, signature } = signEvent({ id: `evt_money_${id}`, type, object }, server.clock.now)
    const { status } = await fetch(`${server.url}${webhookPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    })
    await followStripe(server.ctx)
    return status
  }
  const changed = (customer: string) => send('charge.refunded', { object: 'charge', customer })

  async function newCustomer(): Promise<Person & { customer: string }> {
    const person = await server.signUp()
    await person.rest.createSetupIntent({ body: {} })
    return { ...person, customer: [...stripe.state.customers.keys()].at(-1)! }
  }

  test.each(Object.entries(cases))('%s', async (_, { steps, books, marks = {} }) => {
    const { customer, ...person } = await newCustomer()
    const invoices: string[] = []
    for (const step of steps) {
      step(stripe.state, customer, invoices)
      await changed(customer)
      server.clock.now += stepMs
    }
    expect(await readBooks(server, person)).toEqual(books)
    const lines = await readLines(server, person)
    await changed(customer)
    expect(await readLines(server, person)).toEqual(lines)
    const [newest] = (await person.rest.listInvoices()).invoices
    expect(newest).toMatchObject(marks)
  })

  test.each(Object.entries(cases))('all at once: %s', async (_, { steps, books, marks = {} }) => {
    const { customer, ...person } = await newCustomer()
    const invoices: string[] = []
    for (const step of steps) step(stripe.state, customer, invoices)
    await changed(customer)
    expect(await readBooks(server, person)).toEqual(books)
    expect((await person.rest.listInvoices()).invoices[0]).toMatchObject(marks)
  })

  test.each(Object.entries(billingCases))('the invoices of: %s', async (_, { invoices, totals, books }) => {
    const { customer, ...person } = await newCustomer()
    for (const [i, amount] of invoices.entries()) {
      const due = Number.parseInt(String(amount), 10)
      stripe.state.addInvoice(customer, totals?.[i] ?? due, amount === due ? 'paid' : 'uncollectible', due)
      await changed(customer)
    }
    const owed = books.adjustments ?? 0
    money.moveBalance(stripe.state, customer, 0 - owed, { type: 'adjustment' })
    await changed(customer)
    expect(await readBooks(server, person)).toEqual(books)
  })

  test('an event of a dispute finds its account by the charge, and is taken again after an outage', async () => {
    const { customer, ...person } = await newCustomer()
    const invoice = stripe.state.addInvoice(customer, 2_000, 'paid')
    await changed(customer)
    money.dispute(stripe.state, invoice)
    const { id: charge } = money.chargeOf(stripe.state, invoice)
    stripe.outage = { status: 503, error: { type: 'api_error', message: 'down' } }
    const id = ++events
    expect(await send('charge.dispute.created', { object: 'dispute', charge }, id)).toBe(502)
    stripe.outage = undefined
    expect(await send('charge.dispute.created', { object: 'dispute', charge }, id)).toBe(200)
    expect((await person.rest.listInvoices()).invoices).toMatchObject([{ dispute: 'open' }])
    expect((await person.rest.subscription()).notices).toMatchObject([{ code: 'disputed' }])
    expect(await send('charge.dispute.created', { object: 'dispute', charge: 'ch_of_another' })).toBe(200)
  })

  test('a dispute ends the plan where the operator wants it so, and not one that is bought later', async () => {
    const { customer, ...person } = await newCustomer()
    const first = stripe.state.addSubscription(customer, 'price_pro')
    const invoice = stripe.state.addInvoice(customer, 2_000, 'paid')
    await changed(customer)
    money.dispute(stripe.state, invoice)
    await changed(customer)
    expect(await person.rest.subscription()).toMatchObject({ plan: 'pro' })
    const { config } = server.ctx
    config.disputeEndsPlan = true
    try {
      await changed(customer)
      expect(stripe.state.subscriptions.get(first)).toMatchObject({ status: 'canceled' })
      expect(await person.rest.subscription()).toMatchObject({
        plan: 'free',
        ended: { plan: 'pro', reason: 'disputed' },
      })
      server.clock.now += stepMs
      stripe.state.addSubscription(customer, 'price_starter')
      await changed(customer)
      expect(await person.rest.subscription()).toMatchObject({ plan: 'starter' })
    } finally {
      config.disputeEndsPlan = false
    }
  })

  test('what differs is named, here and by the command that reads everything again', async () => {
    const { customer, ...person } = await newCustomer()
    const invoice = stripe.state.addInvoice(customer, 2_000, 'paid')
    await changed(customer)
    // Stripe says that less was kept of the charge than its refunds explain, and that there is credit from nowhere.
    money.chargeOf(stripe.state, invoice).amount_refunded = 500
    stripe.state.customers.get(customer)!.balance = -70
    const { differed } = await reconcileBilling(server.ctx)
    const found = differed.find(({ account }) => account === person.accountId)
    expect(found?.differences).toEqual([
      `A-${invoice} cash: $20.00 in the books, $15.00 at the gateway`,
      'All invoices credit: $0.00 in the books, -$0.70 at the gateway',
    ])
  })
})
