import { expect, test } from 'vitest'
import { findSignupProblem, passwordHints } from './signup.rules.ts'

const valid = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: ' Ada@example.com ',
  password: 'lowercase',
  confirmPassword: 'lowercase',
}

test('mistakes are reported in the order of the form, one at a time', () => {
  const steps = [
    ['firstName', ' ', 'First name is required'],
    ['lastName', '', 'Last name is required'],
    ['email', '  ', 'Email address is required'],
    ['password', '', 'Password is required'],
    ['confirmPassword', 'other', 'Passwords do not match'],
  ] as const
  let values = { ...valid }
  for (const [field, wrong] of steps.toReversed()) values = { ...values, [field]: wrong }
  for (const [field, , message] of steps) {
    expect(findSignupProblem(values)).toBe(message)
    values = { ...values, [field]: valid[field] }
  }
  expect(findSignupProblem(values)).toBeUndefined()
})

test('an address without a dot after the @ is refused', () => {
  expect(findSignupProblem({ ...valid, email: 'ada@example' })).toBe('Please enter a valid email address')
})

test('a short password is refused; the other hints are not enforced', () => {
  expect(findSignupProblem({ ...valid, password: 'short' })).toBe(
    'Password must be at least 8 characters long',
  )
  expect(passwordHints.map(({ test: isMet }) => isMet('lowercase'))).toEqual([true, false, true, false])
})
