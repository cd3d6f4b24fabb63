import type { TestCard } from '@loci/contract/billing'
import { AppError } from '../../../ground/errors/app-error.ts'

/** The stored part of a card, never its number. `pays` is false if every payment with it is declined. */
export type KnownCard = { brand: string; last4: string; expMonth: number; expYear: number; pays: boolean }

type Behaviour =
  | { kind: 'accepted'; brand: string; pays: boolean; disputes?: true }
  | { kind: 'challenge'; brand: string; always?: true }
  | { kind: 'refused'; message: string; reason: string }

const accepted = (brand: string, pays = true): Behaviour => ({ kind: 'accepted', brand, pays })
const refused = (reason: string, message: string): Behaviour => ({ kind: 'refused', reason, message })

/**
 * The numbers that Stripe publishes for tests (https://docs.stripe.com/testing), so both modes are tried with the same
 * cards.
 */
const behaviours = new Map<string, Behaviour>(
  Object.entries({
    '4242424242424242': accepted('visa'),
    '5555555555554444': accepted('mastercard'),
    '378282246310005': accepted('amex'),
    '4000000000000341': accepted('visa', false),
    '4000000000000259': { kind: 'accepted', brand: 'visa', pays: true, disputes: true },
    '4000002500003155': { kind: 'challenge', brand: 'visa' },
    '4000002760003184': { kind: 'challenge', brand: 'visa', always: true },
    '4000000000000002': refused('generic_decline', 'Your card was declined.'),
    '4000000000009995': refused('insufficient_funds', 'Your card has insufficient funds.'),
    '4000000000000069': refused('expired_card', 'Your card has expired.'),
    '4000000000000127': refused('incorrect_cvc', "Your card's security code is incorrect."),
  }),
)

/** Reads a test card. Throws `card_declined`. `needsChallenge`: the bank must ask the person first. */
export function readTestCard(card: TestCard, now: number): KnownCard & { needsChallenge: boolean } {
  const number = card.number.replace(/[\s-]/g, '')
  const behaviour = behaviours.get(number)
  if (behaviour === undefined) {
    throw declined('not_a_test_card', 'This is test mode. Use a test card, such as 4242 4242 4242 4242.')
  }
  if (behaviour.kind === 'refused') throw declined(behaviour.reason, behaviour.message)
  if (isExpired(card, now)) throw declined('expired_card', 'Your card has expired.')
  return {
    brand: behaviour.brand,
    last4: number.slice(-4),
    expMonth: card.expMonth,
    expYear: card.expYear,
    pays: behaviour.kind === 'challenge' || behaviour.pays,
    needsChallenge: behaviour.kind === 'challenge',
  }
}

const alwaysAsking = [...behaviours].flatMap(([number, behaviour]) =>
  behaviour.kind === 'challenge' && behaviour.always ? [number.slice(-4)] : [],
)

const disputing = [...behaviours].flatMap(([number, behaviour]) =>
  behaviour.kind === 'accepted' && behaviour.disputes ? [number.slice(-4)] : [],
)

/** True if the holder of the card disputes the payment of an invoice. */
export const isDisputed = ({ paidWith }: { paidWith: string | null }) =>
  disputing.some((last4) => paidWith?.endsWith(last4))

/** True if the bank wants every payment confirmed, not only the first use. */
export const asksEachTime = ({ last4 }: Pick<KnownCard, 'last4'>) => alwaysAsking.includes(last4)

/** A card is valid to the end of its month, UTC. */
export function isExpired(
  { expMonth, expYear }: { expMonth: number; expYear: number },
  now: number,
): boolean {
  return Date.UTC(expYear, expMonth) <= now
}

/** A declined card, with the reason as code. */
export function declined(reason: string, message: string): AppError {
  return new AppError('card_declined', message, { details: [{ reason }] })
}

/** The person rejected the bank's challenge. */
export function challengeFailed(): AppError {
  return declined('authentication_failed', 'Your bank could not confirm that it was you. Try again.')
}
