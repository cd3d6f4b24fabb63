import type { StoredInvoice } from '../invoices.repo.ts'
import type { StoredCard } from '../payment-methods.repo.ts'
import type { StoredSubscription } from '../subscriptions.repo.ts'
import type { StripeState } from './read-stripe.ts'

type Stored = { subscription: StoredSubscription; cards: StoredCard[]; invoices: StoredInvoice[] }

const compared = [
  'plan',
  'status',
  'periodEnd',
  'cancelAtPeriodEnd',
  'pendingPlan',
  'subscriptionId',
  'customerId',
  'notices',
] as const

/** Where our tables differ from Stripe, a line each: `plan: pro here, free at Stripe`. */
export function differencesTo({ subscription, cards, invoices }: StripeState, stored: Stored): string[] {
  const fields = compared.flatMap((field) => {
    const [here, there] = [stored.subscription[field], subscription[field]].map(String)
    return here === there ? [] : [`${field}: ${here} here, ${there} at Stripe`]
  })
  return [
    ...fields,
    ...differenceIn('cards', stored.cards.map(toCardText), cards.map(toCardText)),
    ...differenceIn('invoices', stored.invoices.map(toInvoiceText), invoices.map(toInvoiceText)),
  ]
}

const toCardText = ({ brand, last4, isDefault }: StoredCard) =>
  `${brand} ${last4}${isDefault ? ' (default)' : ''}`
const toInvoiceText = ({ number, amount, status }: StoredInvoice) => `${number} ${amount} ${status}`

/** Invoices stay here after Stripe stops listing them, so an invoice that only we have is not a difference. */
function differenceIn(what: 'cards' | 'invoices', here: string[], there: string[]): string[] {
  const missing = there.filter((text) => !here.includes(text))
  const extra = what === 'cards' ? here.filter((text) => !there.includes(text)) : []
  return [
    ...(missing.length === 0 ? [] : [`${what}: only at Stripe ${missing.join(', ')}`]),
    ...(extra.length === 0 ? [] : [`${what}: only here ${extra.join(', ')}`]),
  ]
}
