import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { createBurstLimit, noBurstLimit } from './burst-limit.ts'

const [account, other] = [1, 2]
const megabyte = 1_000_000

function start() {
  const clock = { now: 0 }
  const limit = createBurstLimit(() => clock.now)
  /** Undefined if the call is let through. */
  const refusal = (...args: Parameters<typeof limit>): AppError | undefined => {
    try {
      limit(...args)
      return undefined
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  }
  return { clock, refusal }
}

test('lets ten thousand calls through at once, and tells the next to come back', () => {
  const { refusal } = start()
  for (let i = 0; i < 10_000; i++) expect(refusal(account, 0)).toBeUndefined()
  expect(refusal(account, 0)).toMatchObject({
    code: 'rate_limited',
    message: 'An account may send 1,000 calls a second. Try again in a moment.',
    retryAfter: 1,
    rateLimit: { limit: 10_000, remaining: 0, resetSeconds: 1 },
  })
})

test('lets a call through again a millisecond later', () => {
  const { clock, refusal } = start()
  refusal(account, 0, 10_000)
  expect(refusal(account, 0)).toBeDefined()
  clock.now += 1
  expect(refusal(account, 0)).toBeUndefined()
  expect(refusal(account, 0)).toBeDefined()
})

test('a batch counts as many calls as it contains, and waits until its debt is paid', () => {
  const { clock, refusal } = start()
  expect(refusal(account, 0, 13_000)).toBeUndefined()
  expect(refusal(account, 0)?.retryAfter).toBe(4)
  clock.now += 3_000
  expect(refusal(account, 0)?.retryAfter).toBe(1)
  clock.now += 1
  expect(refusal(account, 0)).toBeUndefined()
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

test("one account does not use up another's calls", () => {
  const { refusal } = start()
  refusal(account, 128 * megabyte, 10_000)
  expect(refusal(account, 1)).toBeDefined()
  expect(refusal(other, 128 * megabyte, 10_000)).toBeUndefined()
})

test('refuses nothing when the limit is off', () => {
  for (let i = 0; i < 3; i++) expect(noBurstLimit(account, 1_000 * megabyte, 1_000_000)).toBeUndefined()
})
