import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signIn } from '../../../../test/accounts.ts'
import { addCard, openCheckout, poorCard, priceOf, sendForm } from '../../../../test/billing.ts'
import { type Books, readBooks } from '../../../../test/books.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../../test/harness.ts'
import { dayMs } from '../../../ground/lib/time.ts'

/** A step at a time (UTC): a plan is chosen, or an act runs. */
type Step = [at: string, act: `to ${string}` | `refused ${string}` | keyof typeof acts]
type Case = {
  /** Paid from `begins`, after a trial. With `trial`, the trial begins then and there is no card. */
  plan: string
  begins: string
  trial?: true
  steps: Step[]
  /** When the account is checked. */
  until: string
  /** All invoices, oldest first, in cents; `!` marks unpaid ones. */
  invoices: (number | string)[]
  /** The plan at that time. */
  ends: string
  /** What the books hold then, in cents; accounts that hold nothing are missing, and revenue has what was sold. */
  books: Books
}

const acts = {
  cancel: ({ rest }: Person) => rest.cancelSubscription({ body: {} }),
  'cancel now': ({ rest }: Person) => rest.cancelSubscription({ body: { immediate: true } }),
  reactivate: ({ rest }: Person) => rest.reactivateSubscription({ body: {} }),
  'add a card': (person: Person) => addCard(person),
  'declining card': async (person: Person) => useCard(person, poorCard),
  'good card': async (person: Person) => useCard(person, undefined),
  'no card': async ({ rest }: Person) => {
    const { paymentMethods } = await rest.listPaymentMethods()
    for (const { id } of paymentMethods) await rest.deletePaymentMethod({ params: { id } })
  },
  'buy starter': async (person: Person) => {
    const { status } = await sendForm(await openCheckout(person, 'starter'), { action: 'on_file' })
    expect(status).toBe(303)
  },
}

async function useCard(person: Person, card: typeof poorCard | undefined) {
  await addCard(person, card)
  const { paymentMethods } = await person.rest.listPaymentMethods()
  await person.rest.setDefaultPaymentMethod({ params: { id: paymentMethods.at(-1)!.id }, body: {} })
}

/** Each amount is computed by hand: unused and remaining time to the second, each rounded to the cent. */
const cases: Record<string, Case> = {
  'the 31st: periods end on the last day of shorter months': {
    plan: 'pro',
    begins: '2027-01-31T10:00:00Z',
    // 14 of 28 days left: -2000/2 + 6000/2.
    steps: [['2027-02-14T10:00:00Z', 'to power-user']],
    until: '2027-04-30T10:00:00Z',
    invoices: [2_000, 2_000, 6_000, 6_000, 6_000],
    ends: 'power-user until 2027-05-31',
    books: { cash: 22_000, revenue: -22_000 },
  },
  'a leap February has 29 days': {
    plan: 'starter',
    begins: '2028-01-31T10:00:00Z',
    // 19 of 29 days left: -655.17 + 1310.34.
    steps: [['2028-02-10T10:00:00Z', 'to pro']],
    until: '2028-02-29T10:00:00Z',
    invoices: [1_000, 1_310 - 655, 2_000],
    ends: 'pro until 2028-03-31',
    books: { cash: 3_655, revenue: -3_655 },
  },
  'proration is to the second': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    // 1,183,599 of 2,419,200 seconds left: -489.25 + 2935.51.
    steps: [['2030-02-14T17:13:21Z', 'to power-user']],
    until: '2030-02-14T17:13:21Z',
    invoices: [1_000, 2_936 - 489],
    ends: 'power-user until 2030-02-28',
    books: { cash: 3_447, revenue: -3_447 },
  },
  'in the first second the whole difference is charged': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    steps: [['2030-01-31T10:00:00Z', 'to pro']],
    until: '2030-01-31T10:00:00Z',
    invoices: [1_000, 1_000],
    ends: 'pro until 2030-02-28',
    books: { cash: 2_000, revenue: -2_000 },
  },
  'twice a day: each change gives back what the one before charged': {
    plan: 'starter',
    begins: '2028-01-31T10:00:00Z',
    steps: [
      // 13.75 of 29 days left: -474.14 + 948.28.
      ['2028-02-15T16:00:00Z', 'to pro'],
      // 13.25 of 29 days left: -913.79 + 2741.38.
      ['2028-02-16T04:00:00Z', 'to power-user'],
    ],
    until: '2028-02-29T10:00:00Z',
    invoices: [1_000, 948 - 474, 2_741 - 914, 6_000],
    ends: 'power-user until 2028-03-31',
    books: { cash: 9_301, revenue: -9_301 },
  },
  'less than 50 cents waits for the next invoice': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    // 6,048 of 2,419,200 seconds left: -2.5, rounded to 3, + 5.
    steps: [['2030-02-28T08:19:12Z', 'to pro']],
    until: '2030-02-28T10:00:00Z',
    invoices: [1_000, 0, 2_002],
    ends: 'pro until 2030-03-31',
    books: { cash: 3_002, revenue: -3_002 },
  },
  'less than 50 cents ends with the subscription': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-28T08:19:12Z', 'to pro'],
      ['2030-02-28T09:00:00Z', 'cancel'],
      ['2030-06-01T00:00:00Z', 'buy starter'],
    ],
    until: '2030-06-01T00:00:00Z',
    invoices: [1_000, 0, 1_000],
    ends: 'starter until 2030-07-01',
    books: { cash: 2_000, revenue: -2_002, adjustments: 2 },
  },
  'an upgrade, then a cancellation': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-14T10:00:00Z', 'to power-user'],
      ['2030-02-14T10:00:00Z', 'cancel'],
    ],
    until: '2031-01-01T00:00:00Z',
    invoices: [1_000, 3_000 - 500],
    ends: 'free',
    books: { cash: 3_500, revenue: -3_500 },
  },
  'an upgrade, then a downgrade': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-14T10:00:00Z', 'to power-user'],
      ['2030-02-14T10:00:30Z', 'to starter'],
    ],
    until: '2030-02-28T10:00:00Z',
    invoices: [1_000, 3_000 - 500, 1_000],
    ends: 'starter until 2030-03-31',
    books: { cash: 4_500, revenue: -4_500 },
  },
  'a downgrade, then an upgrade, which takes its place': {
    plan: 'pro',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-14T10:00:00Z', 'to starter'],
      ['2030-02-14T10:00:00Z', 'to power-user'],
    ],
    until: '2030-02-28T10:00:00Z',
    invoices: [2_000, 2_000, 6_000],
    ends: 'power-user until 2030-03-31',
    books: { cash: 10_000, revenue: -10_000 },
  },
  'from the month to the year on 29 February': {
    plan: 'pro',
    begins: '2028-02-15T10:00:00Z',
    // 15 of 29 days left: -1034.48.
    steps: [['2028-02-29T10:00:00Z', 'to pro-annual']],
    until: '2032-02-29T10:00:00Z',
    invoices: [2_000, 20_000 - 1_034, 20_000, 20_000, 20_000, 20_000],
    ends: 'pro-annual until 2033-02-28',
    books: { cash: 100_966, revenue: -100_966 },
  },
  'from the year to the month of the same plan at the end': {
    plan: 'pro-annual',
    begins: '2030-01-31T10:00:00Z',
    steps: [['2030-03-01T00:00:00Z', 'to pro']],
    until: '2031-02-28T10:00:00Z',
    invoices: [20_000, 2_000, 2_000],
    ends: 'pro until 2031-03-31',
    books: { cash: 24_000, revenue: -24_000 },
  },
  'credit of a yearly plan pays later invoices': {
    plan: 'starter-annual',
    begins: '2030-01-31T10:00:00Z',
    // 184 of 365 days left: -5041.10; 2000 of it are used at once, 2000 and 1041 later.
    steps: [['2030-07-31T10:00:00Z', 'to pro']],
    until: '2030-10-31T10:00:00Z',
    invoices: [10_000, 0, 0, 959, 2_000],
    ends: 'pro until 2030-11-30',
    books: { cash: 12_959, revenue: -12_959 },
  },
  'credit outlives the subscription, lines do not': {
    plan: 'starter-annual',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-07-31T10:00:00Z', 'to pro'],
      ['2030-07-31T10:00:00Z', 'cancel now'],
      ['2031-07-01T00:00:00Z', 'buy starter'],
    ],
    // 3041 - 1000 - 1000 - 1000 = 41.
    until: '2031-10-01T00:00:00Z',
    invoices: [10_000, 0, 0, 0, 0, 959],
    ends: 'starter until 2031-11-01',
    books: { cash: 10_959, revenue: -10_959 },
  },
  'a change in the trial is free': {
    plan: 'starter',
    begins: '2030-01-17T10:00:00Z',
    trial: true,
    steps: [
      ['2030-01-20T10:00:00Z', 'to power-user'],
      ['2030-01-21T10:00:00Z', 'to power-user-annual'],
      ['2030-01-22T10:00:00Z', 'to pro'],
      ['2030-01-23T10:00:00Z', 'add a card'],
    ],
    until: '2030-01-31T10:00:00Z',
    invoices: [2_000],
    ends: 'pro until 2030-02-28',
    books: { cash: 2_000, revenue: -2_000 },
  },
  'a trial without a card costs nothing': {
    plan: 'pro',
    begins: '2030-01-17T10:00:00Z',
    trial: true,
    steps: [],
    until: '2030-01-31T10:00:00Z',
    invoices: [],
    ends: 'free',
    books: {},
  },
  'a trial that is cancelled costs nothing': {
    plan: 'pro',
    begins: '2030-01-17T10:00:00Z',
    trial: true,
    steps: [
      ['2030-01-18T10:00:00Z', 'add a card'],
      ['2030-01-30T10:00:00Z', 'cancel'],
    ],
    until: '2030-03-01T10:00:00Z',
    invoices: [],
    ends: 'free',
    books: {},
  },
  'a card that declines: no upgrade of either kind, then no renewal, until another pays': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-01T10:00:00Z', 'declining card'],
      ['2030-02-02T10:00:00Z', 'refused pro'],
      ['2030-02-02T10:00:00Z', 'refused starter-annual'],
      ['2030-03-05T10:00:00Z', 'good card'],
    ],
    until: '2030-03-31T10:00:00Z',
    invoices: [1_000, 1_000, 1_000],
    ends: 'starter until 2030-04-30',
    books: { cash: 3_000, revenue: -3_000 },
  },
  'no card: no upgrade, and the plan ends fifteen days after the renewal': {
    plan: 'starter',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-01T10:00:00Z', 'no card'],
      ['2030-02-02T10:00:00Z', 'refused pro'],
    ],
    until: '2030-03-15T10:00:00Z',
    invoices: [1_000, '1000!'],
    ends: 'free',
    books: { cash: 1_000, revenue: -2_000, losses: 1_000 },
  },
  'a cancellation that is taken back renews': {
    plan: 'pro',
    begins: '2030-01-31T10:00:00Z',
    steps: [
      ['2030-02-01T10:00:00Z', 'cancel'],
      ['2030-02-28T09:59:59Z', 'reactivate'],
    ],
    until: '2030-02-28T10:00:00Z',
    invoices: [2_000, 2_000],
    ends: 'pro until 2030-03-31',
    books: { cash: 4_000, revenue: -4_000 },
  },
}

describeOnBothDatabases('the sandbox charges', (server) => {
  let startedAt: number
  beforeEach(() => {
    startedAt = server().clock.now
  })
  afterEach(() => {
    server().clock.now = startedAt
  })

  describe.each(Object.entries(cases))('%s', (_, one) => {
    const { plan, begins, trial, steps, until, invoices, ends, books } = one
    test('as computed by hand', async () => {
      const goTo = await newTraveller(server())
      const buyer = await goTo(Date.parse(begins) - (trial ? 0 : 14 * dayMs))
      if (!trial) await addCard(buyer)
      await sendForm(await openCheckout(buyer, plan), { action: 'on_file' })
      await goTo(Date.parse(begins))
      for (const [at, act] of steps) await carryOut(await goTo(Date.parse(at)), act)
      const { rest } = await goTo(Date.parse(until))
      const made = (await rest.listInvoices()).invoices.reverse()
      expect(made.map(({ amount, status }) => (status === 'paid' ? amount : `${amount}!`))).toEqual(invoices)
      const { plan: planThen, currentPeriodEnd: end } = await rest.subscription()
      const day = end === null ? '' : ` until ${new Date(end * 1_000).toISOString().slice(0, 10)}`
      expect(`${planThen}${day}`).toBe(ends)
      expect(await readBooks(server(), buyer)).toEqual(books)
    })
  })
})

/** A new person who can be taken to any time, and who signs in again if the session has expired by then. */
async function newTraveller(server: TestServer): Promise<(moment: number) => Promise<Person>> {
  const person = await server.signUp()
  let signedInAt = server.clock.now
  let { rest } = person
  return async (moment) => {
    server.clock.now = moment
    if (Math.abs(moment - signedInAt) > sessionSurelyMs) {
      rest = await signIn(server, person)
      signedInAt = moment
    }
    await rest.subscription()
    return { ...person, rest }
  }
}

const sessionSurelyMs = dayMs

async function carryOut(person: Person, act: Step[1]): Promise<void> {
  const [verb = '', plan = ''] = act.split(' ')
  if (verb !== 'to' && verb !== 'refused') {
    await acts[act as keyof typeof acts](person)
    return
  }
  const change = () => person.rest.changePlan({ body: { planId: plan, priceId: priceOf(plan) } })
  if (verb === 'to') await change()
  else await expect(change()).rejects.toMatchObject({ code: 'card_declined' })
}
