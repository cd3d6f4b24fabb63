import { expect, test } from 'vitest'
import { nextPlanAfter, percentOf, usageLevel, usedOf } from './usage.rules.ts'

test('limits are close from 80% on, and called exceeded from 95% on', () => {
  expect([79.9, 80, 94.9, 95, 120].map(usageLevel)).toEqual([
    'fine',
    'approaching',
    'approaching',
    'exceeded',
    'exceeded',
  ])
})

test.each([
  ['free', 'Starter ($10/month)'],
  ['starter', 'Pro ($20/month)'],
  ['pro-annual', 'Team Pro ($60/month)'],
  ['team', 'Enterprise (contact sales)'],
  ['power-user', 'Enterprise (contact sales)'],
])('after %s comes %s', (plan, next) => {
  expect(nextPlanAfter(plan)).toBe(next)
})

test('-1 is unlimited, and any use of a limit of 0 is over it', () => {
  expect([percentOf(5, -1), usedOf(5, -1)]).toEqual([0, '5, unlimited'])
  expect([percentOf(0, 0), percentOf(1, 0)]).toEqual([0, 101])
})
