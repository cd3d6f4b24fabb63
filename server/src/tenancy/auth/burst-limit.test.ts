import { expect, test } from 'vitest'
import { AppError } from '../../ground/errors/app-error.ts'
import { createBurstLimit } from './burst-limit.ts'

const account = 1

function start() {
  const limit = createBurstLimit(() => 0)
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
  return { refusal, charge: limit.charge }
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

test('charges each message of a batch for the work around its turn', () => {
  const { refusal } = start()
  expect(refusal(account, 0, 149_990)).toBeUndefined()
  for (let i = 0; i < 5; i++) expect(refusal(account, 0)).toBeUndefined()
  expect(refusal(account, 0, 10)).toBeUndefined()
  expect(refusal(account, 0)).toBeDefined()
})
