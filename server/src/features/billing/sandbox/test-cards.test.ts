import { describe, expect, test } from 'vitest'
import { isExpired, readTestCard } from './test-cards.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const read = (number: string, more: object = {}) =>
  readTestCard({ number, expMonth: 12, expYear: 2040, cvc: '123', ...more }, now)
const declineOf = (number: string, more: object = {}) => {
  try {
    return read(number, more).brand
  } catch (error) {
    return (error as { details: { reason: string }[] }).details[0]?.reason
  }
}

describe('a test card', () => {
  test.each([
    ['4242424242424242', 'visa', '4242', true, false],
    ['4242 4242 4242 4242', 'visa', '4242', true, false],
    ['5555-5555-5555-4444', 'mastercard', '4444', true, false],
    ['3782 822463 10005', 'amex', '0005', true, false],
    ['4000000000000341', 'visa', '0341', false, false],
    ['4000002500003155', 'visa', '3155', true, true],
  ])('%s is %s %s, pays: %s, needs the bank: %s', (number, brand, last4, pays, needsChallenge) => {
    expect(read(number)).toEqual({ brand, last4, pays, needsChallenge, expMonth: 12, expYear: 2040 })
  })

  test.each([
    ['4000000000000002', 'generic_decline'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc'],
    ['5105105105105100', 'not_a_test_card'],
    ['424242424242424', 'not_a_test_card'],
    ['４２４２４２４２４２４２４２４２', 'not_a_test_card'],
    ['constructor', 'not_a_test_card'],
    ['__proto__', 'not_a_test_card'],
    ['-', 'not_a_test_card'],
  ])('%s is declined: %s', (number, reason) => {
    expect(declineOf(number)).toBe(reason)
  })

  test('that has expired is declined, a card of this month is not', () => {
    expect(declineOf('4242424242424242', { expMonth: 10, expYear: 2026 })).toBe('expired_card')
    expect(declineOf('4242424242424242', { expMonth: 11, expYear: 2026 })).toBe('visa')
  })
})

test.each([
  ['2026-11-30T23:59:59.999Z', false],
  ['2026-12-01T00:00:00Z', true],
])('a card of 11/2026 has expired at %s: %s', (moment, expired) => {
  expect(isExpired({ expMonth: 11, expYear: 2026 }, Date.parse(moment))).toBe(expired)
})

test('a card of December is valid to the end of the year', () => {
  const card = { expMonth: 12, expYear: 2026 }
  expect(isExpired(card, Date.parse('2026-12-31T23:00:00Z'))).toBe(false)
  expect(isExpired(card, Date.parse('2027-01-01T00:00:00Z'))).toBe(true)
})
