import { findCallerMember } from '../../../auth/callers.repo.ts'
import type { Context } from '../../../context.ts'
import { type AuditAuthor, recordAudit } from '../../audit/record-audit.ts'
import { listCards, type StoredCard } from '../payment-methods.repo.ts'
import { callStripe } from './stripe-client.ts'

/** Persons by the card that they added through our form; cards added on Stripe's own pages name nobody. */
export type CardAdders = ReadonlyMap<string, string>

/** Metadata of our setup intents: the person who opened the card form. */
export const adderKey = 'userId'

/** Asks Stripe who added the cards that are not stored yet. */
export async function findAdders(
  ctx: Context,
  accountId: number,
  cards: readonly StoredCard[],
): Promise<CardAdders> {
  const adders = new Map<string, string>()
  for (const { id } of await listNew(ctx, accountId, cards)) {
    const intents = await callStripe(ctx, (stripe) =>
      stripe.setupIntents.list({ payment_method: id, limit: 1 }),
    )
    const userId = intents.data[0]?.metadata?.[adderKey]
    if (userId !== undefined) adders.set(id, userId)
  }
  return adders
}

/** Writes the cards that are not stored yet into the audit log. The caller must hold the account's lock. */
export async function recordAddedCards(
  ctx: Context,
  accountId: number,
  cards: readonly StoredCard[],
  adders: CardAdders,
): Promise<void> {
  for (const { id, brand, last4 } of await listNew(ctx, accountId, cards)) {
    const author = await authorOf(ctx, accountId, adders.get(id))
    const subject = { kind: 'card' as const, id, name: `${brand} ${last4}` }
    await recordAudit(ctx, author, { action: 'card_added', subject, details: { provider: 'stripe' } })
  }
}

async function authorOf({ db }: Context, accountId: number, userId?: string): Promise<AuditAuthor> {
  return userId !== undefined && (await findCallerMember(db, accountId, userId)) !== undefined
    ? { accountId, kind: 'session', userId }
    : { accountId, kind: 'system' }
}

async function listNew({ db }: Context, accountId: number, cards: readonly StoredCard[]) {
  const stored = new Set((await listCards(db, accountId)).map(({ id }) => id))
  return cards.filter(({ id }) => !stored.has(id))
}
