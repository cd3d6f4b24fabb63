import type { User } from '@loci/contract/auth'
import { redirect } from '@tanstack/react-router'
import { keepClaim } from '../features/auth/claim.ts'
import { findChosenPlan } from '../features/billing/billing.rules.ts'
import { rememberDestination, takeDestination } from '../lib/destination.ts'
import { placeToOpen } from '../lib/place.ts'
import { scopeOf } from '../lib/scope.ts'
import { parseSearch, stringifySearch } from '../lib/search-params.ts'
import { isCharging } from '../lib/server-facts.ts'
import { ensureSession } from '../lib/session.ts'

/** `preload`: the link is only pointed at, so nobody wants to go there yet. */
type Visit = { location: { href: string }; preload?: boolean }

/**
 * Lets only signed-in users pass. Others log in first, or set up the second factor that their account
 * requires, and then return here.
 */
export async function requireSignedIn({ location, preload }: Visit): Promise<void> {
  await requireSession({ location, preload })
  const session = await ensureSession()
  if (session.status !== 'signed-in' || !lacksSecondFactor(session.user)) return
  if (!preload) rememberDestination(location.href)
  throw redirect({ to: '/second-factor', replace: true })
}

const lacksSecondFactor = ({ secondFactor, secondFactorRequired }: User) =>
  secondFactorRequired && !secondFactor

/** Like `requireSignedIn`. If the address names no account and no space, the app opens where the user was last. */
export async function requireSignedInSomewhere(visit: Visit): Promise<void> {
  await requireSignedIn(visit)
  const session = await ensureSession()
  if (visit.preload || session.status !== 'signed-in') return
  const { pathname, search, hash } = new URL(visit.location.href, window.location.origin)
  const place = await placeToOpen(session.user, scopeOf(search))
  if (place.account === undefined && place.space === undefined) return
  const there = stringifySearch({ ...parseSearch(search), ...place })
  throw redirect({ href: pathname + there + hash, replace: true })
}

/** Like `requireSignedIn`, but also admits users who still lack the second factor that their account requires. */
export async function requireSession({ location, preload }: Visit): Promise<void> {
  const session = await ensureSession()
  if (session.status === 'signed-in') return
  if (!preload) rememberDestination(location.href)
  throw redirect({ to: '/login', replace: true })
}

type RequestSearch = { search: { request?: string }; location: { href: string } }

/** Like `requireSignedIn`, for an app's request for access. Anybody can see that the app cannot be connected. */
export async function requireSignedInToDecide({ search, location }: RequestSearch): Promise<void> {
  if (search.request !== undefined) await requireSignedIn({ location })
}

type SignupSearch = { payment?: string; plan?: string; billing?: string }

/**
 * Lets only visitors pass. Signed-in users who return from a cancelled checkout see a notice after the
 * redirect; those who chose a plan go to the page that sells it.
 */
export async function requireAnonymous({ search }: { search: SignupSearch }): Promise<void> {
  keepClaim()
  const session = await ensureSession()
  if (session.status !== 'signed-in') return
  const isCancelled = search.payment === 'cancelled'
  if (!isCancelled && isCharging && findChosenPlan(search.plan, search.billing) !== undefined) {
    throw redirect({ to: '/billing', search: { plan: search.plan, billing: search.billing }, replace: true })
  }
  const cancelled = isCancelled ? { payment: search.payment, plan: search.plan } : {}
  throw redirect({ to: '/dashboard', search: cancelled, replace: true })
}

/** An unknown path: /dashboard when signed in, /login otherwise. */
export async function leaveUnknownPath(): Promise<never> {
  const session = await ensureSession()
  takeDestination()
  throw redirect({ to: session.status === 'signed-in' ? '/dashboard' : '/login', replace: true })
}

/** An entity's address without its id is the list. */
export function requireEntityId({ params }: { params: { entityId: string } }): void {
  if (params.entityId.trim() === '') throw redirect({ to: '/entities', replace: true })
}
