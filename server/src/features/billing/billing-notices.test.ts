import { describe, expect, test } from 'vitest'
import { dayMs } from '../../ground/lib/time.ts'
import { formatDay, outOfTouchNotice, parseNotices } from './billing-notices.ts'
import type { StoredSubscription } from './subscriptions.repo.ts'

const now = Date.parse('2026-11-23T12:00:00Z')

test.each([
  ['2026-08-03T00:00:00Z', 'August 3, 2026 (UTC)'],
  ['2026-12-31T23:59:59.999Z', 'December 31, 2026 (UTC)'],
  ['2028-02-29T05:00:00+09:00', 'February 28, 2028 (UTC)'],
])('the day of %s is %s', (moment, day) => expect(formatDay(Date.parse(moment))).toBe(day))

test.each([
  ['[]', []],
  ['[{"code":"unpaid","message":"Pay."}]', [{ code: 'unpaid', message: 'Pay.' }]],
  ['{"code":"unpaid"}', []],
  ['[{"code":"unpaid"}]', []],
  ['null', []],
])('the stored notices %s are %j', (stored, notices) => expect(parseNotices(stored)).toEqual(notices))

describe('a plan of Stripe that cannot be checked', () => {
  const notice = (more: Partial<StoredSubscription> = {}, atStripe = true) => {
    const known = { subscriptionId: 'sub_1', nextStepAt: now + dayMs, syncedAt: now - 1_000 }
    return outOfTouchNotice({ ...known, ...more } as StoredSubscription, { atStripe, now })
  }

  test('is told of after a day without a word, not at the day exactly', () => {
    expect(notice()).toBeUndefined()
    expect(notice({ syncedAt: now - dayMs })).toBeUndefined()
    expect(notice({ syncedAt: now - dayMs - 1 })).toMatchObject({ code: 'out_of_touch' })
  })

  test('is not told of before the first word, nor without a subscription', () => {
    expect(notice({ syncedAt: null })).toBeUndefined()
    expect(notice({ subscriptionId: null, syncedAt: 0 }, false)).toBeUndefined()
  })

  test('is told of at once where Stripe is not set up, with the day until which the plan is kept', () => {
    expect(notice({}, false)?.message).toContain('November 24, 2026 (UTC)')
    expect(notice({ nextStepAt: null }, false)?.message).toContain('has ended')
  })
})
