import { afterAll, beforeEach, expect, test, vi } from 'vitest'

type Factors = { secondFactor: boolean; secondFactorRequired: boolean }
let session: { status: string; user?: Factors }
const rememberDestination = vi.fn()
const serverFacts = { isCharging: true }
vi.doMock('../lib/session.ts', () => ({ ensureSession: async () => session }))
vi.doMock('../lib/destination.ts', () => ({ rememberDestination, takeDestination: vi.fn() }))
vi.doMock('../lib/server-facts.ts', () => serverFacts)
vi.doMock('../features/auth/claim.ts', () => ({ keepClaim: vi.fn() }))
vi.resetModules()
const { leaveUnknownPath, requireAnonymous, requireEntityId, requireSignedIn } = await import('./guards.ts')
afterAll(() => {
  for (const path of ['../lib/session.ts', '../lib/destination.ts', '../lib/server-facts.ts'])
    vi.doUnmock(path)
  vi.doUnmock('../features/auth/claim.ts')
  vi.resetModules()
})

beforeEach(() => {
  session = { status: 'anonymous' }
  rememberDestination.mockClear()
})

/** Where a guard redirects to; undefined if it lets the visitor pass. */
async function redirectOf(guard: () => unknown): Promise<object | undefined> {
  try {
    await guard()
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown
    const { options } = thrown as unknown as { options: { to: string; search?: object } }
    return { to: options.to, ...(options.search && { search: options.search }) }
  }
}

test('a visitor signs in first and is sent on to where they wanted to go', async () => {
  const location = { href: '/entities?type=event' }
  expect(await redirectOf(() => requireSignedIn({ location }))).toEqual({ to: '/login' })
  expect(rememberDestination).toHaveBeenCalledWith('/entities?type=event')
  session = { status: 'signed-in', user: { secondFactor: false, secondFactorRequired: false } }
  expect(await redirectOf(() => requireSignedIn({ location }))).toBeUndefined()
})

test('a page that is only preloaded is not remembered', async () => {
  const location = { href: '/api-keys' }
  expect(await redirectOf(() => requireSignedIn({ location, preload: true }))).toEqual({ to: '/login' })
  expect(rememberDestination).not.toHaveBeenCalled()
})

test('a member without a required second factor has to set one up first', async () => {
  const location = { href: '/graph' }
  session = { status: 'signed-in', user: { secondFactor: false, secondFactorRequired: true } }
  expect(await redirectOf(() => requireSignedIn({ location }))).toEqual({ to: '/second-factor' })
  expect(rememberDestination).toHaveBeenCalledWith('/graph')
  session = { status: 'signed-in', user: { secondFactor: true, secondFactorRequired: true } }
  expect(await redirectOf(() => requireSignedIn({ location }))).toBeUndefined()
})

test.each([
  [{}, { to: '/dashboard', search: {} }],
  [
    { plan: 'pro', billing: 'annual' },
    { to: '/billing', search: { plan: 'pro', billing: 'annual' } },
  ],
  [{ plan: 'nonsense' }, { to: '/dashboard', search: {} }],
  [
    { plan: 'pro', payment: 'cancelled' },
    { to: '/dashboard', search: { plan: 'pro', payment: 'cancelled' } },
  ],
])('somebody signed in who asks to sign up with %o is sent to %o', async (search, target) => {
  const guard = () => requireAnonymous({ search })
  expect(await redirectOf(guard), 'a visitor may').toBeUndefined()
  session = { status: 'signed-in' }
  expect(await redirectOf(guard)).toEqual(target)
})

test('an unknown path and an entity without an id redirect', async () => {
  expect(await redirectOf(leaveUnknownPath)).toEqual({ to: '/login' })
  session = { status: 'signed-in' }
  expect(await redirectOf(leaveUnknownPath)).toEqual({ to: '/dashboard' })
  expect(await redirectOf(() => requireEntityId({ params: { entityId: ' ' } }))).toEqual({ to: '/entities' })
  expect(await redirectOf(() => requireEntityId({ params: { entityId: 'ent_1' } }))).toBeUndefined()
})
