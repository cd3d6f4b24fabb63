import type { Books } from './books.ts'

/** A step at a time (UTC): a plan is chosen, or an act runs. */
export type Act =
  | 'cancel'
  | 'cancel now'
  | 'reactivate'
  | 'add a card'
  | 'declining card'
  | 'good card'
  | 'no card'
  | 'buy starter'
export type Step = [at: string, act: `to ${string}` | `refused ${string}` | Act]
export type BillingCase = {
  /** Paid from `begins`, after a trial. With `trial`, the trial begins then and there is no card. */
  plan: string
  begins: string
  trial?: true
  steps: Step[]
  /** When the account is checked. */
  until: string
  /** All invoices, oldest first, in cents; `!` marks unpaid ones. */
  invoices: (number | string)[]
  /** What each invoice sells, where that is not its amount: credit, and amounts too small to charge. */
  totals?: number[]
  /** The plan at that time. */
  ends: string
  /** What the books hold then, in cents; accounts that hold nothing are missing, and revenue has what was sold. */
  books: Books
}

/** Each amount is computed by hand: unused and remaining time to the second, each rounded to the cent. */
export const billingCases: Record<string, BillingCase> = {
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
    totals: [1_000, 2, 2_000],
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
    totals: [1_000, 2, 1_000],
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
    totals: [10_000, 2_000 - 5_041, 2_000, 2_000, 2_000],
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
    totals: [10_000, 2_000 - 5_041, 1_000, 1_000, 1_000, 1_000],
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
