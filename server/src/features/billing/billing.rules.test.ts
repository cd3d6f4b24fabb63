import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMs } from '../../ground/lib/time.ts'
import {
  addMonths,
  draftInvoice,
  isUpgrade,
  nextTryAfter,
  periodEndAfter,
  priceOf,
  prorate,
  remainingLine,
  toWholeSeconds,
  unusedLine,
} from './billing.rules.ts'

const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) })
const price = fc.integer({ min: 0, max: 1_000_000 })
const plan = fc.constantFrom(
  'starter',
  'pro',
  'power-user',
  'starter-annual',
  'pro-annual',
  'power-user-annual',
)
const iso = (text: string) => Date.parse(text)

describe('months', () => {
  test.each([
    ['2027-01-31T10:00:00Z', 1, '2027-02-28T10:00:00Z'],
    ['2028-01-31T10:00:00Z', 1, '2028-02-29T10:00:00Z'],
    ['2027-01-31T10:00:00Z', 2, '2027-03-31T10:00:00Z'],
    ['2027-08-31T23:59:59.999Z', 1, '2027-09-30T23:59:59.999Z'],
    ['2027-12-31T00:00:00Z', 1, '2028-01-31T00:00:00Z'],
    ['2028-02-29T00:00:00Z', 12, '2029-02-28T00:00:00Z'],
    ['2028-02-29T00:00:00Z', 48, '2032-02-29T00:00:00Z'],
  ])('%s and %i months is %s', (from, months, to) => {
    expect(addMonths(iso(from), months)).toBe(iso(to))
  })

  test('keep the time of day, land in the intended month, and never pass the day', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 600 }), (from, months) => {
        const a = new Date(from)
        const b = new Date(addMonths(from, months))
        expect(b.getTime() % dayMs).toBe(a.getTime() % dayMs)
        expect(b.getUTCFullYear() * 12 + b.getUTCMonth()).toBe(
          a.getUTCFullYear() * 12 + a.getUTCMonth() + months,
        )
        expect(b.getUTCDate()).toBeLessThanOrEqual(a.getUTCDate())
        const isLastDay = new Date(b.getTime() + dayMs).getUTCDate() === 1
        expect(b.getUTCDate() === a.getUTCDate() || isLastDay).toBe(true)
      }),
    )
  })
})

describe('periods', () => {
  test('follow each other without gap or overlap, each a month or a year long', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 10 * 366 * dayMs }), plan, (anchor, after, planId) => {
        const end = periodEndAfter(anchor, anchor + after, planId)
        const [shortest, longest] = planId.endsWith('-annual') ? [365, 366] : [28, 31]
        expect(end).toBeGreaterThan(anchor + after)
        expect(end - (anchor + after)).toBeLessThanOrEqual(longest * dayMs)
        const next = periodEndAfter(anchor, end, planId)
        expect(next - end).toBeGreaterThanOrEqual(shortest * dayMs)
        expect(next - end).toBeLessThanOrEqual(longest * dayMs)
        expect(periodEndAfter(anchor, end - 1, planId)).toBe(end)
      }),
    )
  })
})

describe('proration', () => {
  const period = fc.tuple(moment, fc.integer({ min: 1, max: 366 * 86_400 })).map(([start, seconds]) => ({
    start: toWholeSeconds(start),
    end: toWholeSeconds(start) + seconds * 1_000,
  }))
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const momentIn = (p: { start: number; end: number }, at: number) =>
    Math.floor(p.start + (p.end - p.start) * at)

  test('is the whole price at the start, nothing at the end, and falls in between', () => {
    fc.assert(
      fc.property(price, period, part, part, (cents, p, one, other) => {
        const [earlier, later] = [Math.min(one, other), Math.max(one, other)].map((at) => momentIn(p, at))
        expect(prorate(cents, p, p.start)).toBe(cents)
        expect(prorate(cents, p, p.end)).toBe(0)
        expect(prorate(cents, p, later!)).toBeLessThanOrEqual(prorate(cents, p, earlier!))
        expect(Number.isInteger(prorate(cents, p, earlier!))).toBe(true)
      }),
    )
  })

  test('charges something for an upgrade, but never more than the difference in price', () => {
    fc.assert(
      fc.property(plan, plan, period, part, (from, to, p, at) => {
        fc.pre(isUpgrade(from, to) && from.endsWith('-annual') === to.endsWith('-annual'))
        const moment = momentIn(p, at)
        const sum = unusedLine(from, p, moment).amount + remainingLine(to, p, moment).amount
        expect(sum).toBeGreaterThanOrEqual(0)
        expect(sum).toBeLessThanOrEqual(priceOf(to) - priceOf(from))
      }),
    )
  })

  test('an invoice takes what its lines and the credit add up to, and its lines add up to the amount due', () => {
    const amount = fc.integer({ min: -100_000, max: 100_000 })
    fc.assert(
      fc.property(fc.array(amount), fc.integer({ min: -49, max: 100_000 }), (amounts, before) => {
        const sumOf = (values: number[]) => values.reduce((total, value) => total + value, 0)
        const draft = draftInvoice(
          amounts.map((value) => ({ description: '', amount: value })),
          before,
        )
        expect(draft.due === 0 || (draft.due >= 50 && draft.credit === 0)).toBe(true)
        expect(draft.credit).toBeGreaterThan(-50)
        expect(draft.due - draft.credit).toBe(sumOf(amounts) - before)
        expect(sumOf(draft.lines.map((line) => line.amount))).toBe(draft.due)
      }),
    )
  })
})

describe('changes of plan', () => {
  test.each([
    ['starter', 'pro', true],
    ['pro', 'starter', false],
    ['pro', 'pro-annual', true],
    ['pro-annual', 'pro', false],
    ['starter-annual', 'pro', true],
    ['pro', 'starter-annual', false],
    ['free', 'starter', true],
    ['pro', 'free', false],
    ['pro', 'pro', false],
    ['power-user', 'power-user-annual', true],
    ['starter-annual', 'power-user-annual', true],
    ['free', 'power-user-annual', true],
    ['gold', 'starter', true],
    ['gold', 'silver', false],
  ])('from %s to %s at once: %s', (from, to, atOnce) => {
    expect(isUpgrade(from, to)).toBe(atOnce)
  })

  test('of two plans at most one is an upgrade of the other', () => {
    fc.assert(
      fc.property(plan, plan, (a, b) => {
        expect(isUpgrade(a, b) && isUpgrade(b, a)).toBe(false)
      }),
    )
  })

  test('a payment is tried four times in fifteen days', () => {
    expect([1, 2, 3, 4].map((failures) => nextTryAfter(failures, 0))).toEqual([
      3 * dayMs,
      5 * dayMs,
      7 * dayMs,
      undefined,
    ])
  })
})
