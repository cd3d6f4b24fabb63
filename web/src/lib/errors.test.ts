import { ApiError } from '@loci/client/call'
import { expect, test } from 'vitest'
import { fieldErrorsOf, isApiError, messageOf } from './errors.ts'
import { ConnectionError } from './reachability.ts'

const refusal = (status: number, code: string, details: object[] = []) =>
  new ApiError(status, { code, message: 'In the words of the server', details } as never)

test("the server's words are shown, except for its internal errors", () => {
  expect(messageOf(refusal(409, 'stale_write'), 'Failed to save entity')).toBe('In the words of the server')
  expect(messageOf(refusal(500, 'internal'), 'Failed to save entity')).toBe('Failed to save entity')
  expect(messageOf(new Error('x is not a function'), 'Failed to save entity')).toBe('Failed to save entity')
})

test('the address of the page with the plans is no news in the app itself', () => {
  const limit =
    'Your plan allows 1,000 entities. Upgrade at https://loci.example.com/billing to add more entities.'
  const full = new ApiError(403, { code: 'plan_limit_reached', message: limit })
  expect(messageOf(full, 'Failed to save entity')).toBe(
    'Your plan allows 1,000 entities. Upgrade under Billing to add more entities.',
  )
})

test('a call that found no server says so if nothing else does', () => {
  const lost = new ConnectionError('Failed to fetch')
  expect(messageOf(lost, '')).toContain('cannot be reached')
  expect(messageOf(lost, 'Failed to save entity')).toBe('Failed to save entity')
})

test('each field gets its own errors, a list by its name', () => {
  const error = refusal(400, 'validation_failed', [
    { path: 'name', message: 'Name is required' },
    { path: ['observations', 3], message: 'Too long' },
    { path: 'metadata.source', message: 'Not JSON' },
    { message: 'Said of no field' },
  ])
  expect(fieldErrorsOf(error)).toEqual({
    name: 'Name is required',
    observations: 'Too long',
    metadata: 'Not JSON',
  })
  expect(fieldErrorsOf(new Error('no'))).toEqual({})
  expect(isApiError(error, 'validation_failed')).toBe(true)
  expect(isApiError(error, 'entity_not_found')).toBe(false)
})
