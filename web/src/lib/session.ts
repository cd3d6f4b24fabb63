import { ApiError } from '@loci/client/call'
import type { SessionResponse, User } from '@loci/contract/auth'
import { useMemo, useSyncExternalStore } from 'react'
import { onUnauthorized, sessionApi } from './api.ts'
import { storeDeviceToken } from './device-tokens.ts'
import { useScope } from './scope.ts'
import { onTokenChangedElsewhere, readToken, removeToken, storeToken } from './token.ts'

/** How an active session ended: the server no longer knows it, or another tab signed out. */
export type SessionEnd = 'expired' | 'elsewhere'

export type SessionState =
  | { status: 'checking' }
  | { status: 'anonymous'; ended?: SessionEnd }
  | { status: 'signed-in'; user: User }

const retriesMax = 3
const retryDelayMs = 400

let state: SessionState = { status: 'checking' }
let checked: Promise<void> | undefined
const listeners = new Set<() => void>()
const arrivalListeners = new Set<() => void>()

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Resolves the session: with a stored token it loads the user; if that fails it silently removes the token. */
export async function ensureSession(): Promise<SessionState> {
  checked ??= checkSession()
  await checked
  return state
}

async function checkSession(): Promise<void> {
  if (readToken() === undefined) return setState({ status: 'anonymous' })
  let leaving = false
  const leave = () => {
    leaving = true
  }
  window.addEventListener('beforeunload', leave)
  try {
    setState({ status: 'signed-in', user: await loadUser() })
  } catch {
    // The browser aborts the calls of a page that is left or reloaded, which says nothing about the session.
    if (leaving) await new Promise(() => {})
    signOutHere()
  } finally {
    window.removeEventListener('beforeunload', leave)
  }
}

/** A connection that falters, or a server that is being restarted, must not sign anybody out. */
async function loadUser(attempt = 0): Promise<User> {
  try {
    return await sessionApi.me()
  } catch (error) {
    const isFinal = error instanceof ApiError && error.status < 500
    if (isFinal || attempt >= retriesMax) throw error
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs * 2 ** attempt))
    return loadUser(attempt + 1)
  }
}

/** Starts the session that login or registration returned. */
export function startSession({ token, user, deviceToken }: SessionResponse): void {
  storeToken(token)
  storeDeviceToken(deviceToken)
  checked = Promise.resolve()
  setState({ status: 'signed-in', user })
}

/** Stores a changed profile or key in the session. */
export function updateSessionUser(change: Partial<User>): void {
  if (state.status === 'signed-in') setState({ ...state, user: { ...state.user, ...change } })
}

/** Reads again what the user may do in which accounts. If that fails, what was known stays. */
export async function renewSessionUser(): Promise<void> {
  const user = await sessionApi.me().catch(() => undefined)
  if (user) updateSessionUser(user)
}

/** Forgets the session in this browser. */
export function signOutHere(ended?: SessionEnd): void {
  removeToken()
  checked = Promise.resolve()
  if (state.status !== 'anonymous') setState({ status: 'anonymous', ...(ended && { ended }) })
}

/** Ends the session on the server too; an unreachable server must not keep anyone signed in here. */
export async function logOut(): Promise<void> {
  await sessionApi.logout().catch(() => {})
  signOutHere()
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls `listener` when another tab has signed in, and so signed in this one. */
export function onSignedInElsewhere(listener: () => void): void {
  arrivalListeners.add(listener)
}

export function currentSession(): SessionState {
  return state
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribeToSession, currentSession, () => state)
}

/** The signed-in user in the current account; use it only below the guard of the signed-in pages. */
export function useUser(): User | undefined {
  const session = useSession()
  const { account } = useScope()
  const user = session.status === 'signed-in' ? session.user : undefined
  return useMemo(() => user && inAccount(user, account), [user, account])
}

/** A user as a member of one of their accounts. The session itself describes only the account that they sign in to. */
export function inAccount(user: User, accountId: string | undefined): User {
  const membership = user.accounts.find(({ id }) => id === accountId)
  return membership ? { ...user, accountId: membership.id, role: membership.role } : user
}

/** A call can be refused during the first check of the session; then no active session has expired. */
onUnauthorized(() => signOutHere(state.status === 'signed-in' ? 'expired' : undefined))

onTokenChangedElsewhere((token) => {
  if (token === undefined) return signOutHere('elsewhere')
  checked = checkSession()
  void checked.then(() => {
    for (const listener of arrivalListeners) listener()
  })
})
