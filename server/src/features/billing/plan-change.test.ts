import { describe, expect, test } from 'vitest'
import { nextCharge, planChange, type Running } from './plan-change.rules.ts'

const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const [start, middle, end] = [day('2026-11-01'), day('2026-11-16'), day('2026-12-01')]
const running = (more: Partial<Running> = {}): Running =>
  ({
    ...{ plan: 'pro', status: 'active', anchor: start, periodStart: start, periodEnd: end, nextStepAt: end },
    ...{ cancelAtPeriodEnd: false, pendingPlan: null, ...more },
  }) as Running
const amountsOf = (lines: readonly { amount: number }[]) => lines.map(({ amount }) => amount)

describe('choosing', () => {
  test('a larger plan begins at once and charges the rest of the period', () => {
    const { after, lines, effectiveAt } = planChange(running(), 'power-user', middle)
    expect(after).toMatchObject({ plan: 'power-user', periodStart: start, periodEnd: end, anchor: start })
    expect(amountsOf(lines)).toEqual([-1_000, 3_000])
    expect(effectiveAt).toBe(middle)
  })

  test('the yearly interval begins a new year and credits what is unused', () => {
    const { after, lines } = planChange(running(), 'pro-annual', middle)
    const nextYear = day('2027-11-16')
    expect(after).toMatchObject({
      plan: 'pro-annual',
      anchor: middle,
      periodStart: middle,
      periodEnd: nextYear,
    })
    expect(after.nextStepAt).toBe(nextYear)
    expect(amountsOf(lines)).toEqual([-1_000, 20_000])
  })

  test.each(['starter', 'starter-annual'])('the smaller %s waits for the end of the period', (plan) => {
    const { after, lines, effectiveAt } = planChange(running(), plan, middle)
    expect(after).toMatchObject({ plan: 'pro', pendingPlan: plan, cancelAtPeriodEnd: false })
    expect([lines, effectiveAt]).toEqual([[], end])
  })

  test('changing from yearly to monthly waits too', () => {
    const { after, lines } = planChange(running({ plan: 'pro-annual' }), 'pro', middle)
    expect([after.pendingPlan, lines]).toEqual(['pro', []])
  })

  test('the free plan ends the subscription at the end of the period', () => {
    const { after, lines, effectiveAt } = planChange(running({ pendingPlan: 'starter' }), 'free', middle)
    expect(after).toMatchObject({ plan: 'pro', cancelAtPeriodEnd: true, pendingPlan: null })
    expect([lines, effectiveAt]).toEqual([[], end])
  })

  test.each([{ cancelAtPeriodEnd: true }, { pendingPlan: 'starter' }])(
    'the present plan undoes %j at once and for nothing',
    (planned) => {
      expect(planChange(running(planned), 'pro', middle)).toEqual({
        ...{ after: running(), lines: [], effectiveAt: middle },
      })
    },
  )

  test('a larger plan revokes a planned end', () => {
    const { after } = planChange(running({ cancelAtPeriodEnd: true }), 'power-user', middle)
    expect(after.cancelAtPeriodEnd).toBe(false)
  })

  test('a larger plan costs nothing during a trial, which continues', () => {
    const { after, lines } = planChange(running({ status: 'trialing' }), 'power-user-annual', middle)
    expect(after).toMatchObject({ plan: 'power-user-annual', status: 'trialing', periodEnd: end })
    expect(lines).toEqual([])
  })
})

describe('the next charge', () => {
  test.each<[string, Partial<Running>, number, number | null]>([
    ['is the price of the plan', {}, 0, 2_000],
    ['is the price of the plan that comes', { pendingPlan: 'starter' }, 0, 1_000],
    ['is lower by credit', {}, 500, 1_500],
    ['is nothing while credit covers it', {}, 2_500, 0],
    ['is higher by what was carried over', {}, -20, 2_020],
    ['is none if the plan ends', { cancelAtPeriodEnd: true }, 0, null],
  ])('%s', (_, more, credit, amount) => {
    const charge = nextCharge(running(more), credit)
    expect(charge).toEqual(amount === null ? null : { amount, at: end })
  })
})
