import { planIdFor } from '@loci/contract/plans'
import { api } from '../../lib/api.ts'
import type { BillingInterval } from './billing.rules.ts'

type Search = Record<string, string>

/** Starts the checkout of the plan chosen at signup; returns the address to redirect the browser to. */
export async function startSignupCheckout(plan: string, billing: BillingInterval): Promise<string> {
  const planId = planIdFor(plan, billing === 'annual' ? 'year' : 'month')
  const { plans } = await api.listPlans()
  const priceId = plans.find(({ id }) => id === planId)?.priceId
  if (!priceId) throw new Error('This plan is not on offer')
  return createCheckout(priceId, {
    success: addressOf('/dashboard', { payment: 'success' }),
    cancel: addressOf('/signup', { plan, billing, payment: 'cancelled' }),
  })
}

/** The same for a user on the free plan who chooses another plan on the billing screen. */
export function startPlanCheckout(plan: string, priceId: string): Promise<string> {
  return createCheckout(priceId, {
    success: addressOf('/dashboard', { success: 'true', plan }),
    cancel: addressOf('/billing', { canceled: 'true', plan }),
  })
}

async function createCheckout(priceId: string, returns: { success: string; cancel: string }) {
  const body = { priceId, successUrl: returns.success, cancelUrl: returns.cancel }
  return (await api.createCheckout({ body })).url
}

function addressOf(path: string, search: Search): string {
  return `${window.location.origin}${path}?${new URLSearchParams(search)}`
}

export type CheckoutReturn = { outcome: 'success' | 'cancelled'; plan?: string }

/** Reads a checkout's outcome from the address. */
export function readCheckoutReturn(search: {
  payment?: string
  success?: string
  canceled?: string
  plan?: string
}): CheckoutReturn | undefined {
  const { payment, success, canceled, plan } = search
  if (payment === 'success' || success === 'true') return { outcome: 'success', plan }
  if (payment === 'cancelled' || canceled === 'true') return { outcome: 'cancelled', plan }
  return undefined
}
