import { passwordMin } from '@loci/contract/auth'

export type SignupValues = {
  firstName: string
  lastName: string
  email: string
  password: string
  confirmPassword: string
}

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The form's first problem, in reading order. */
export function findSignupProblem(values: SignupValues): string | undefined {
  const email = values.email.trim()
  if (values.firstName.trim() === '') return 'First name is required'
  if (values.lastName.trim() === '') return 'Last name is required'
  if (email === '') return 'Email address is required'
  if (!emailPattern.test(email)) return 'Please enter a valid email address'
  if (values.password === '') return 'Password is required'
  if (values.password.length < passwordMin) return `Password must be at least ${passwordMin} characters long`
  if (values.confirmPassword !== values.password) return 'Passwords do not match'
  return undefined
}

export function isFilled(values: SignupValues): boolean {
  return Object.values(values).every((value) => value !== '')
}

/** The hints beside the password; only the length is enforced. */
export const passwordHints: readonly { label: string; test: (password: string) => boolean }[] = [
  { label: `${passwordMin}+ characters`, test: (password) => password.length >= passwordMin },
  { label: 'uppercase', test: (password) => /\p{Lu}/u.test(password) },
  { label: 'lowercase', test: (password) => /\p{Ll}/u.test(password) },
  { label: 'number', test: (password) => /\d/.test(password) },
]
