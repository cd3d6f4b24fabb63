import type { User } from '@loci/contract/auth'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

vi.mock('virtual:rest-table', () => ({
  restTable: { me: { method: 'GET', path: '/auth/me' }, logout: { method: 'POST', path: '/auth/logout' } },
}))

const user = { id: 'usr_1', email: 'ada@example.com', firstName: 'Ada' } as User
const stored = new Map<string, string>()
const heard: ((event: { key: string | null }) => void)[] = []
let answer: () => Response | Promise<Response>

/** A fresh page in a browser that holds this token. */
async function open(token?: string) {
  vi.resetModules()
  stored.clear()
  heard.length = 0
  if (token) stored.set('auth_token', token)
  return import('./session.ts')
}

/** Simulates another tab storing a token, which this tab is notified of. */
function storeElsewhere(token: string | undefined) {
  if (token) stored.set('auth_token', token)
  else stored.delete('auth_token')
  for (const listener of heard) listener({ key: 'auth_token' })
}

beforeEach(() => {
  answer = () => Response.json(user)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('window', {
    addEventListener: (type: string, listener: (event: { key: string | null }) => void) =>
      type === 'storage' && heard.push(listener),
    removeEventListener: () => {},
  })
  vi.stubGlobal('fetch', async () => answer())
})

const refused = () =>
  Response.json({ error: { code: 'not_authenticated', message: 'Sign in' } }, { status: 401 })

test('a stored token signs in; a refused one is removed silently', async () => {
  const good = await open('token')
  expect(await good.ensureSession()).toEqual({ status: 'signed-in', user })
  answer = refused
  const bad = await open('token')
  expect(await bad.ensureSession()).toEqual({ status: 'anonymous' })
  expect(stored.has('auth_token')).toBe(false)
})

test('a server that falters during the check signs nobody out; one that stays away does', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { ensureSession } = await open('token')
  const failures = [
    () => new Response('<h1>502</h1>', { status: 502 }),
    () => Promise.reject(new TypeError()),
  ]
  answer = () => (failures.shift() ?? (() => Response.json(user)))()
  const checked = ensureSession()
  await vi.advanceTimersByTimeAsync(1_200)
  expect(await checked).toEqual({ status: 'signed-in', user })
  expect(stored.has('auth_token')).toBe(true)
  answer = () => Promise.reject(new TypeError())
  const lost = (await open('token')).ensureSession()
  await vi.advanceTimersByTimeAsync(2_800)
  expect(await lost).toEqual({ status: 'anonymous' })
  expect(stored.has('auth_token')).toBe(false)
})

test('a session that was in use and is refused has expired; logging out has not', async () => {
  const { ensureSession, currentSession } = await open('token')
  const { sessionApi } = await import('./api.ts')
  await ensureSession()
  answer = refused
  await sessionApi.me().catch(() => {})
  expect(currentSession()).toEqual({ status: 'anonymous', ended: 'expired' })
  answer = () => Response.json(user)
  const again = await open('token')
  await again.ensureSession()
  await again.logOut()
  expect(again.currentSession()).toEqual({ status: 'anonymous' })
})

test('other tabs sign this one out, and in again', async () => {
  const { ensureSession, currentSession, onSignedInElsewhere } = await open('token')
  await ensureSession()
  storeElsewhere(undefined)
  expect(currentSession()).toEqual({ status: 'anonymous', ended: 'elsewhere' })
  const arrived = new Promise<void>((resolve) => onSignedInElsewhere(resolve))
  storeElsewhere('another')
  await arrived
  expect(currentSession()).toEqual({ status: 'signed-in', user })
})

test('a user has the role of the account shown, and their own one in a foreign account', async () => {
  const { inAccount } = await open()
  const accounts = [
    { id: 'acc_own', name: 'Ada', role: 'owner' as const },
    { id: 'acc_team', name: 'Team', role: 'viewer' as const },
  ]
  const ada: User = { ...user, accountId: 'acc_own', role: 'owner', accounts }
  expect(inAccount(ada, 'acc_team')).toMatchObject({ accountId: 'acc_team', role: 'viewer' })
  expect(inAccount(ada, undefined)).toBe(ada)
  expect(inAccount(ada, 'acc_elsewhere')).toMatchObject({ accountId: 'acc_own' })
})
