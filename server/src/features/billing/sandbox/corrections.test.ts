import { expect, test } from 'vitest'
import { signIn } from '../../../../test/accounts.ts'
import {
  addCard,
  disputingCard,
  poorCard,
  sendForm,
  startPaidPlan,
  startTrial,
} from '../../../../test/billing.ts'
import { type Books, readBooks, readLines } from '../../../../test/books.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../../test/harness.ts'
import { restoreClock } from '../../../../test/restore-clock.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { correctInvoiceOfUser } from '../../users/administer-accounts.ts'

type Step = (person: Person, server: TestServer) => Promise<unknown>
/** Each begins with a paid month of Pro (20.00); what the books hold is computed by hand, in cents. */
type Case = { steps: Step[]; books: Books; marks: Record<string, unknown>; card?: typeof poorCard }

const newest = async ({ rest }: Person) => (await rest.listInvoices()).invoices[0]!
const correct =
  (kind: 'refund' | 'credit', amount?: number): Step =>
  async (person, { ctx }) =>
    correctInvoiceOfUser(ctx, person.email, { kind, number: (await newest(person)).number, amount })
const refund = (amount?: number) => correct('refund', amount)
const credit = (amount?: number) => correct('credit', amount)
const close =
  (outcome: 'won' | 'lost'): Step =>
  async (person, { ctx }) => {
    const { number } = await newest(person)
    return correctInvoiceOfUser(ctx, person.email, { kind: 'dispute', number, won: outcome === 'won' })
  }
const refused =
  (step: Step, message: string): Step =>
  (person, server) =>
    expect(step(person, server)).rejects.toMatchObject({ code: 'billing_conflict', message })
const goTo = async (person: Person, server: TestServer, moment: number) => {
  server.clock.now = moment
  person.rest = await signIn(server, person)
  await person.rest.subscription()
}
const nextMonth: Step = async (person, server) => {
  const { currentPeriodEnd } = await person.rest.subscription()
  await goTo(person, server, currentPeriodEnd! * 1_000)
}
const cardOf =
  (card: typeof poorCard): Step =>
  async (person) => {
    await addCard(person, card)
    const { paymentMethods } = await person.rest.listPaymentMethods()
    await person.rest.setDefaultPaymentMethod({ params: { id: paymentMethods.at(-1)!.id }, body: {} })
  }
const later =
  (days: number): Step =>
  (person, server) =>
    goTo(person, server, server.clock.now + days * dayMs)

const cases: Record<string, Case> = {
  'a refund of everything': {
    steps: [refund()],
    books: { revenue: -2_000, refunds: 2_000 },
    marks: { status: 'paid', amount: 2_000, refunded: 2_000 },
  },
  'a refund in part': {
    steps: [refund(750)],
    books: { cash: 1_250, revenue: -2_000, refunds: 750 },
    marks: { refunded: 750 },
  },
  'two refunds, and no more than was paid': {
    steps: [refund(750), refused(refund(1_251), 'At most $12.50 is left of this invoice.'), refund(1_250)],
    books: { revenue: -2_000, refunds: 2_000 },
    marks: { refunded: 2_000 },
  },
  'nothing is left after a whole refund': {
    steps: [refund(), refused(refund(), 'Nothing is left of this invoice.')],
    books: { revenue: -2_000, refunds: 2_000 },
    marks: { refunded: 2_000 },
  },
  'a credit note for a paid invoice pays the next one': {
    // 20.00 + 20.00 are sold less 5.00; the second month costs 15.00.
    steps: [credit(500), nextMonth],
    books: { cash: 3_500, revenue: -3_500 },
    marks: { amount: 1_500, credited: 0 },
  },
  'a credit note that is not used yet': {
    steps: [credit(500)],
    books: { cash: 2_000, revenue: -1_500, credit: -500 },
    marks: { amount: 2_000, credited: 500 },
  },
  'a refund and a credit note of one invoice': {
    steps: [refund(500), credit(500), refused(refund(1_001), 'At most $10.00 is left of this invoice.')],
    books: { cash: 1_500, revenue: -1_500, refunds: 500, credit: -500 },
    marks: { refunded: 500, credited: 500 },
  },
  'a credit note for an open invoice, then payment of the rest': {
    // The second month: 20.00 less 5.00.
    steps: [cardOf(poorCard), nextMonth, credit(500), cardOf({ ...poorCard, number: '4242424242424242' })],
    books: { cash: 3_500, revenue: -3_500 },
    marks: { status: 'paid', amount: 1_500, credited: 500 },
  },
  'a credit note for all of an open invoice pays it': {
    steps: [cardOf(poorCard), nextMonth, credit()],
    books: { cash: 2_000, revenue: -2_000 },
    marks: { status: 'paid', amount: 0, credited: 2_000 },
  },
  'an uncollectible invoice with a credit note': {
    // 15.00 of the second month are lost.
    steps: [cardOf(poorCard), nextMonth, credit(500), later(3), later(5), later(7)],
    books: { cash: 2_000, revenue: -3_500, losses: 1_500 },
    marks: { status: 'uncollectible', credited: 500 },
  },
  'an invoice that is void because the plan was cancelled': {
    steps: [
      cardOf(poorCard),
      nextMonth,
      ({ rest }) => rest.cancelSubscription({ body: { immediate: true } }),
    ],
    books: { cash: 2_000, revenue: -2_000 },
    marks: { status: 'void' },
  },
  'a disputed payment: the bank has the money': {
    card: disputingCard,
    steps: [refused(refund(), 'The bank has taken this payment back.')],
    books: { revenue: -2_000, disputes: 2_000 },
    marks: { status: 'paid', dispute: 'open' },
  },
  'a dispute that is won': {
    card: disputingCard,
    steps: [close('won'), refused(close('lost'), 'No payment of this invoice is disputed.')],
    books: { cash: 2_000, revenue: -2_000 },
    marks: { dispute: 'won' },
  },
  'a dispute that is won, and a refund after it': {
    card: disputingCard,
    steps: [close('won'), refund(300)],
    books: { cash: 1_700, revenue: -2_000, refunds: 300 },
    marks: { dispute: 'won', refunded: 300 },
  },
  'a dispute that is lost': {
    card: disputingCard,
    steps: [close('lost'), refused(refund(1), 'The bank has taken this payment back.')],
    books: { revenue: -2_000, losses: 2_000 },
    marks: { dispute: 'lost' },
  },
  'two disputed months, one won and one open': {
    card: disputingCard,
    steps: [close('won'), nextMonth],
    books: { cash: 2_000, revenue: -4_000, disputes: 2_000 },
    marks: { dispute: 'open' },
  },
}

describeOnBothDatabases('the books of the sandbox', (server) => {
  restoreClock(server)

  test.each(Object.entries(cases))('%s', async (_, { steps, books, marks, card }) => {
    const person = await server().signUp()
    if (card !== undefined) await addCard(person, card)
    await startPaidPlan(server(), person, 'pro')
    for (const step of steps) await step(person, server())
    expect(await readBooks(server(), person)).toEqual(books)
    expect(await newest(person)).toMatchObject(marks)
  })

  test('failed payments are entered, and move nothing', async () => {
    const person = await server().signUp()
    await addCard(person, poorCard)
    await startTrial(person, 'pro')
    await nextMonth(person, server())
    const { hostedInvoiceUrl } = await newest(person)
    const card = { number: poorCard.number, expiry: '12/90', cvc: '123', action: 'card' }
    const paid = await sendForm(`${hostedInvoiceUrl}/pay`, card)
    expect(paid.status).toBe(400)
    await later(3)(person, server())
    const lines = await readLines(server(), person)
    const failed = lines.filter(({ kind }) => kind === 'payment_failed')
    expect(failed.map(({ amount, debit, credit: from }) => [amount, debit, from])).toEqual(
      Array(3).fill(['20.00', 'receivable', 'receivable']),
    )
    expect(await readBooks(server(), person)).toEqual({ receivable: 2_000, revenue: -2_000 })
  })

  test('the page of an invoice says what became of its money', async () => {
    const person = await server().signUp()
    await addCard(person, disputingCard)
    await startPaidPlan(server(), person, 'pro')
    const { hostedInvoiceUrl, invoicePdf } = await newest(person)
    const page = async () => (await fetch(hostedInvoiceUrl!)).text()
    expect(await page()).toContain('This payment is disputed at the bank')
    await close('won')(person, server())
    await refund(250)(person, server())
    expect(await page()).toMatch(/Refunded<\/th><td>-\$2\.50</)
    expect((await fetch(invoicePdf!)).status).toBe(200)
  })

  test('the owner is told of a dispute until it is decided', async () => {
    const person = await server().signUp()
    await addCard(person, disputingCard)
    await startPaidPlan(server(), person, 'pro')
    const codes = async () => (await person.rest.subscription()).notices.map(({ code }) => code)
    expect(await codes()).toEqual(['disputed'])
    await close('won')(person, server())
    expect(await codes()).toEqual([])
  })

  test('a dispute ends the plan where the operator wants it so', async () => {
    const { config } = server().ctx
    const person = await server().signUp()
    await addCard(person, disputingCard)
    config.disputeEndsPlan = true
    try {
      await startPaidPlan(server(), person, 'pro')
    } finally {
      config.disputeEndsPlan = false
    }
    expect(await person.rest.subscription()).toMatchObject({
      plan: 'free',
      ended: { plan: 'pro', reason: 'disputed' },
      notices: [{ code: 'disputed' }],
    })
    expect(await readBooks(server(), person)).toEqual({ revenue: -2_000, disputes: 2_000 })
  })

  test('corrections are for invoices of the sandbox, by their numbers', async () => {
    const person = await server().signUp()
    const { ctx } = server()
    const unknown = correctInvoiceOfUser(ctx, person.email, { kind: 'refund', number: 'X', amount: 1 })
    await expect(unknown).rejects.toMatchObject({ code: 'invoice_not_found' })
    const nobody = correctInvoiceOfUser(ctx, 'nobody@example.com', { kind: 'credit', number: 'X', amount: 1 })
    await expect(nobody).rejects.toMatchObject({ code: 'user_not_found' })
  })
})
