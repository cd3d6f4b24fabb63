import { afterAll, beforeEach, expect, test, vi } from 'vitest'

let answer: () => Promise<object>
const call = vi.fn((_: { body: object }) => answer())
const startSession = vi.fn()
vi.doMock('../../lib/api.ts', () => ({ api: { register: call } }))
vi.doMock('../../lib/session.ts', () => ({ startSession }))
vi.resetModules()
// The same class that the module under test uses.
const { ApiError } = await import('@loci/client/call')
const { register } = await import('./register.ts')
afterAll(() => {
  vi.doUnmock('../../lib/api.ts')
  vi.doUnmock('../../lib/session.ts')
  vi.resetModules()
})

const kept = new Map<string, string>()
const values = {
  firstName: ' Ada ',
  lastName: 'Lovelace ',
  email: ' Ada@Example.COM ',
  password: ' Correct-horse-7 ',
  confirmPassword: ' Correct-horse-7 ',
}
const accounts = [{ id: 'acc_own' }, { id: 'acc_team' }]
const refusal = (status: number, code: string) => async () => {
  throw new ApiError(status, { code, message: 'In the words of the server' } as never)
}

beforeEach(() => {
  call.mockClear()
  startSession.mockClear()
  kept.clear()
  answer = async () => ({ token: 'token', user: { accounts } })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})

test('names and email are sent trimmed, the password as it was typed', async () => {
  expect(await register(values)).toBeUndefined()
  expect(call).toHaveBeenCalledWith({
    body: {
      email: 'ada@example.com',
      password: ' Correct-horse-7 ',
      firstName: 'Ada',
      lastName: 'Lovelace',
    },
  })
  expect(startSession).toHaveBeenCalledOnce()
})

test('an accepted invitation leads to its account, and is used up with the one-time link', async () => {
  kept.set('loci.invitation', 'inv').set('loci.claim', 'claim')
  expect(await register(values)).toBe('acc_team')
  expect(call).toHaveBeenCalledWith({ body: expect.objectContaining({ invitation: 'inv', claim: 'claim' }) })
  expect(kept.size).toBe(0)
})

test('a dead link is not tried again; after any other failure it is', async () => {
  kept.set('loci.claim', 'claim')
  answer = refusal(409, 'email_taken')
  await expect(register(values)).rejects.toThrow('In the words of the server')
  expect(kept.get('loci.claim')).toBe('claim')
  answer = refusal(404, 'claim_not_found')
  await expect(register(values)).rejects.toThrow('In the words of the server')
  expect(kept.size).toBe(0)
  expect(startSession).not.toHaveBeenCalled()
})

test('server and network failures have words of their own', async () => {
  answer = refusal(500, 'internal')
  await expect(register(values)).rejects.toThrow('Failed to create account. Please try again.')
  answer = async () => {
    throw new TypeError('Failed to fetch')
  }
  await expect(register(values)).rejects.toThrow('Registration failed. Please try again.')
})
