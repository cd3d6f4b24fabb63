import { ApiError } from '@loci/client/call'
import { expect, test } from 'vitest'
import { planChangeProblem } from './billing.rules.ts'

const unexplained = (status: number) => new ApiError(status, { code: 'internal', message: '' })

test.each([
  [
    "the server's words",
    new ApiError(409, { code: 'billing_conflict', message: 'There is no paid plan.' }),
    'There is no paid plan.',
  ],
  ['the thrown message', new TypeError('Failed to fetch'), 'Failed to fetch'],
  ['a word for 403', unexplained(403), 'Access denied. Only account owners can change billing plans.'],
  ['a word for 404', unexplained(404), 'Account or plan not found.'],
  ['a word for 5xx', unexplained(503), 'Server error. Please try again later.'],
  ['a word for the rest', unexplained(400), 'Failed to change plan'],
  ['a word for nothing', undefined, 'Failed to change plan'],
])('a plan that could not be changed is told in %s', (_, error, words) => {
  expect(planChangeProblem(error)).toBe(words)
})
