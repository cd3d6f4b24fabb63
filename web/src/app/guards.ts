import type { User } from '@loci/contract/auth'
import { redirect } from '@tanstack/react-router'
import { keepClaim } from '../features/auth/claim.ts'
import { findChosenPlan } from '../features/billing/billing.rules.ts'
import { rememberDestination, takeDestination } from '../lib/destination.ts'
import { isCharging } from '../lib/server-facts.ts'
import { ensureSession } from '../lib/session.ts'

/**
 * Lets only signed-in users pass; others log in first, or set up the second factor that their account asks for, and then
 * come back.
 */
export async function requireSignedIn({ location }: { location: { href: string } }): Promise<void> {
  await requireSession({ location })
  const session = await ensureSession()
  if (session.status !== 'signed-in' || !lacksSecondFactor(session.user)) return
  rememberDestination(location.href)
  throw redirect({ to: '/second-factor', replace: true })
}

const lacksSecondFactor = ({ secondFactor, secondFactorRequired }: User) =>
  secondFactorRequired && !secondFactor

/** The same also for those whose account asks for a second factor that they lack. */
export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  const session = await ensureSession()
  if (session.status === 'signed-in') return
  rememberDestination(location.href)
  throw redirect({ to: '/login', replace: true })
}

type RequestSearch = { search: { request?: string }; location: { href: string } }

/** The same where an app asks for something; that it cannot be connected is told to anybody. */
export async function requireSignedInToDecide({ search, location }: RequestSearch): Promise<void> {
  if (search.request !== undefined) await requireSignedIn({ location })
}

type SignupSearch = { payment?: string; plan?: string; billing?: string }

/**
 * Lets only visitors pass. Whoever comes back from a cancelled checkout is told so where they are sent, and whoever
 * chose a plan goes where it is bought.
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
