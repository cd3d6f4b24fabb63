import { expect, test } from 'vitest'
import { AppError } from '../../ground/errors/app-error.ts'
import { createBurstLimit, noBurstLimit } from './burst-limit.ts'

const [account, other] = [1, 2]
const megabyte = 1_000_000

function start() {
  const clock = { now: 0 }
  const limit = createBurstLimit(() => clock.now)
  /** Undefined if the call is let through. */
  const refusal = (...args: Parameters<typeof limit.admit>): AppError | undefined => {
    try {
      limit.admit(...args)
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
  return { clock, refusal, charge: limit.charge }
}

test('lets an account use thirty seconds of processor time at once, and tells the next call to come back', () => {
  const { refusal, charge } = start()
  charge(account, 29_990)
  expect(refusal(account, 0)).toBeUndefined()
  charge(account, 10)
  expect(refusal(account, 0)).toMatchObject({
    code: 'rate_limited',
    message: 'An account may use 500 milliseconds of processor time a second. Try again in a moment.',
    retryAfter: 1,
    rateLimit: { limit: 30_000, remaining: 0, resetSeconds: 1 },
  })
})

test('lets a call through again when its time is refilled', () => {
  const { clock, refusal, charge } = start()
  charge(account, 30_000)
  expect(refusal(account, 0)).toBeDefined()
  clock.now += 2
  expect(refusal(account, 0)).toBeUndefined()
})

test('a call that took longer than the burst is paid off by waiting', () => {
  const { clock, refusal, charge } = start()
  charge(account, 32_000)
  expect(refusal(account, 0)?.retryAfter).toBe(5)
  clock.now += 4_000
  expect(refusal(account, 0)?.retryAfter).toBe(1)
  clock.now += 2
  expect(refusal(account, 0)).toBeUndefined()
})

test('charges each message of a batch for the work around its turn', () => {
  const { refusal } = start()
  expect(refusal(account, 0, 149_990)).toBeUndefined()
  for (let i = 0; i < 5; i++) expect(refusal(account, 0)).toBeUndefined()
  expect(refusal(account, 0, 10)).toBeUndefined()
  expect(refusal(account, 0)).toBeDefined()
})

test('limits bytes separately', () => {
  const { clock, refusal } = start()
  expect(refusal(account, 128 * megabyte)).toBeUndefined()
  expect(refusal(account, 1)).toMatchObject({
    message: 'An account may send 40,000,000 bytes a second. Try again in a moment.',
    rateLimit: { limit: 128 * megabyte },
  })
  clock.now += 1
  expect(refusal(account, 1)).toBeUndefined()
})

test('a call without a body passes when only the bytes are used up', () => {
  const { refusal } = start()
  refusal(account, 200 * megabyte)
  expect(refusal(account, 1)).toBeDefined()
  expect(refusal(account, 0)).toBeUndefined()
})

test("one account does not use up another's time", () => {
  const { refusal, charge } = start()
  charge(account, 40_000)
  expect(refusal(account, 1)).toBeDefined()
  expect(refusal(other, 128 * megabyte)).toBeUndefined()
})

test('refuses nothing when the limit is off', () => {
  noBurstLimit.charge(account, 1_000_000)
  for (let i = 0; i < 3; i++) expect(noBurstLimit.admit(account, 1_000 * megabyte, 1_000_000)).toBeUndefined()
})
