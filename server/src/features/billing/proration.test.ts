import { describe, expect, test } from 'vitest'
import {
  draftInvoice,
  endOfTries,
  nameOfPlan,
  nextTryAfter,
  periodEndAfter,
  priceOf,
  prorate,
} from './billing.rules.ts'
import { planChange, type Running } from './plan-change.rules.ts'

const at = (text: string) => Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text)
const period = (from: string, to: string) => ({ start: at(from), end: at(to) })
const november = period('2026-11-01', '2026-12-01')
const february = period('2028-02-01', '2028-03-01')
const year = period('2026-11-01', '2027-11-01')

/** Sums by hand: the price times the seconds left, by the seconds of the period. */
describe('what is left of a price', () => {
  test.each([
    ['half of a month of 30 days', 2_000, november, '2026-11-16', 1_000],
    ['two thirds', 2_000, november, '2026-11-11', 1_333],
    ['one third', 2_000, november, '2026-11-21', 667],
    ['the last day', 2_000, november, '2026-11-30', 67],
    ['the last hour', 2_000, november, '2026-11-30T23:00:00Z', 3],
    ['the last minute', 2_000, november, '2026-11-30T23:59:00Z', 0],
    ['all but a second', 2_000, november, '2026-11-01T00:00:01Z', 2_000],
    ['a day of 29 in February', 2_900, february, '2028-02-29', 100],
    ['a month of a year', 10_000, year, '2027-10-01', 849],
    ['364 days of a year', 36_500, year, '2026-11-02', 36_400],
    ['half a cent, which is rounded up', 1, period('2026-11-01', '2026-11-03'), '2026-11-02', 1],
    ['nothing of a price of nothing', 0, november, '2026-11-16', 0],
    ['all of it before the period', 2_000, november, '2026-10-01', 2_000],
    ['nothing after the period', 2_000, november, '2027-01-01', 0],
    ['the same within a second', 6_000, november, '2026-11-16T00:00:00.999Z', 3_000],
  ])('%s', (_, price, of, moment, cents) => {
    expect(prorate(price, of, at(moment))).toBe(cents)
  })
})

describe('an upgrade', () => {
  const running = (plan: string, of: { start: number; end: number }, more: Partial<Running> = {}) =>
    ({
      ...{ plan, status: 'active', anchor: of.start, periodStart: of.start, periodEnd: of.end },
      ...{ cancelAtPeriodEnd: false, pendingPlan: null, ...more },
    }) as Running

  test.each([
    ['starter', 'pro', november, '2026-11-16', [-500, 1_000]],
    ['starter', 'power-user', november, '2026-11-21', [-333, 2_000]],
    ['starter', 'pro-annual', november, '2026-11-16', [-500, 20_000]],
    ['starter-annual', 'pro-annual', year, '2027-10-01', [-849, 1_699]],
    ['pro-annual', 'power-user-annual', year, '2027-05-02', [-10_027, 30_082]],
    ['starter-annual', 'pro', year, '2027-10-01', [-849, 2_000]],
    ['starter', 'pro', november, '2026-11-01', [-1_000, 2_000]],
    ['starter', 'pro', november, '2026-12-01', [0, 0]],
  ])('from %s to %s is invoiced to the cent', (from, to, of, moment, amounts) => {
    const { lines } = planChange(running(from, of), to, at(moment))
    expect(lines.map(({ amount }) => amount)).toEqual(amounts)
  })

  test('of the interval begins a period of its own, also from the last day of a long month', () => {
    const of = period('2028-01-31', '2028-02-29')
    const { after } = planChange(running('pro', of), 'pro-annual', at('2028-02-29'))
    expect(after).toMatchObject({ periodStart: at('2028-02-29'), periodEnd: at('2029-02-28') })
  })

  test('whose unused part is worth more leaves credit', () => {
    const { lines } = planChange(running('starter-annual', year), 'pro', at('2026-11-02'))
    expect(lines.map(({ amount }) => amount)).toEqual([-9_973, 2_000])
    expect(draftInvoice(lines, 0)).toMatchObject({ due: 0, credit: 7_973 })
  })
})

describe('what an invoice takes', () => {
  test.each([
    ['just the lines', [2_000], 0, 2_000, 0],
    ['less by credit', [2_000], 500, 1_500, 0],
    ['nothing where credit covers it', [2_000], 2_000, 0, 0],
    ['nothing where credit is larger, which is kept', [2_000], 2_600, 0, 600],
    ['nothing below the smallest charge, which is owed', [49], 0, 0, -49],
    ['the smallest charge', [50], 0, 50, 0],
    ['what was owed before too', [1_000], -49, 1_049, 0],
    ['what was owed, once it can be charged', [1], -49, 50, 0],
    ['nothing for a refund, which becomes credit', [-700], 0, 0, 700],
    ['the difference of two lines', [-1_000, 3_000], 0, 2_000, 0],
    ['nothing for nothing', [], 0, 0, 0],
  ])('%s', (_, amounts, before, due, credit) => {
    const draft = draftInvoice(
      amounts.map((amount) => ({ description: '', amount })),
      before,
    )
    expect([draft.due, draft.credit]).toEqual([due, credit])
    expect(draft.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(due)
  })
})

describe('periods', () => {
  test.each([
    ['2026-01-31', '2026-01-31', 'pro', '2026-02-28'],
    ['2026-01-31', '2026-02-28', 'pro', '2026-03-31'],
    ['2026-01-31', '2026-02-27', 'pro', '2026-02-28'],
    ['2028-02-29', '2028-02-29', 'pro-annual', '2029-02-28'],
    ['2028-02-29', '2031-02-28', 'pro-annual', '2032-02-29'],
    ['2026-12-31', '2026-12-31', 'pro', '2027-01-31'],
    ['2026-11-23', '2030-11-22', 'pro', '2030-11-23'],
    ['2026-11-23', '2030-11-23', 'pro', '2030-12-23'],
  ])('that began on %s end next after %s (%s) on %s', (anchor, moment, plan, end) => {
    expect(new Date(periodEndAfter(at(anchor), at(moment), plan)).toISOString()).toBe(`${end}T00:00:00.000Z`)
  })
})

describe('retries', () => {
  test('that fail end fifteen days after the first failure', () => {
    const start = at('2026-11-01')
    const second = nextTryAfter(1, start)!
    expect(new Date(second).toISOString()).toBe('2026-11-04T00:00:00.000Z')
    expect(new Date(endOfTries(1, second)).toISOString()).toBe('2026-11-16T00:00:00.000Z')
    const third = nextTryAfter(2, second)!
    expect(endOfTries(2, third)).toBe(endOfTries(1, second))
    const fourth = nextTryAfter(3, third)!
    expect(endOfTries(3, fourth)).toBe(fourth)
    expect(nextTryAfter(4, fourth)).toBeUndefined()
  })
})

describe('plans by their id', () => {
  test.each([
    ['pro', 2_000, 'Pro (monthly)'],
    ['pro-annual', 20_000, 'Pro (yearly)'],
    ['free', 0, 'Free'],
    ['gold', 0, 'gold (monthly)'],
    ['constructor', 0, 'constructor (monthly)'],
    ['', 0, ' (monthly)'],
  ])('%s costs %i and is called %s', (plan, price, name) => {
    expect([priceOf(plan), nameOfPlan(plan)]).toEqual([price, name])
  })
})
