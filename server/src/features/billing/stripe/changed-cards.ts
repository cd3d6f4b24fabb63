import type { Actor } from '../../../tenancy/auth/actor.ts'
import { findCallerMember } from '../../../tenancy/auth/callers.repo.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { AuditAuthor } from '../../audit/record-audit.ts'
import { listCards, type StoredCard } from '../payment-methods.repo.ts'
import { recordCard } from '../record-card.ts'
import { callStripe, isMissingAtStripe } from './stripe-client.ts'

/** Persons by the card that they added or removed here; whoever used Stripe's own pages is not known. */
export type CardAuthors = ReadonlyMap<string, string>

/** Metadata of our setup intents: the person who opened the card form. */
export const adderKey = 'userId'
/** Metadata of a card: the person who removes it here. */
export const removerKey = 'removedBy'

/** Asks Stripe who added the cards that are not stored yet, and who removed the stored ones that are gone. */
export async function findCardAuthors(
  ctx: Context,
  accountId: number,
  cards: readonly StoredCard[],
): Promise<CardAuthors> {
  const authors = new Map<string, string>()
  const { added, removed } = await compareCards(ctx, accountId, cards)
  for (const { id } of added) {
    const intents = await callStripe(ctx, (stripe) =>
      stripe.setupIntents.list({ payment_method: id, limit: 1 }),
    )
    const userId = intents.data[0]?.metadata?.[adderKey]
    if (userId !== undefined) authors.set(id, userId)
  }
  for (const { id } of removed) {
    const userId = await findRemover(ctx, id)
    if (userId !== undefined) authors.set(id, userId)
  }
  return authors
}

/** Cards of a deleted customer and of the sandbox do not exist at Stripe. */
async function findRemover(ctx: Context, cardId: string): Promise<string | undefined> {
  try {
    const card = await callStripe(ctx, (stripe) => stripe.paymentMethods.retrieve(cardId))
    return card.metadata?.[removerKey]
  } catch (error) {
    if (isMissingAtStripe(error)) return undefined
    throw error
  }
}

/**
 * Writes the cards that are not stored yet, and the stored ones that are gone, into the audit log. `actor` is the
 * person whose call caused the sync, if any. The caller must hold the account's lock.
 */
export async function recordChangedCards(
  ctx: Context,
  accountId: number,
  cards: readonly StoredCard[],
  { authors, actor }: { authors: CardAuthors; actor: Actor | undefined },
): Promise<void> {
  const { added, removed } = await compareCards(ctx, accountId, cards)
  const authorOf = async ({ id }: StoredCard): Promise<AuditAuthor> => {
    const userId = authors.get(id)
    if (userId === undefined) return { accountId, kind: 'system' }
    if (userId === actor?.userId) return actor
    const isMember = (await findCallerMember(ctx.db, accountId, userId)) !== undefined
    return isMember ? { accountId, kind: 'session', userId } : { accountId, kind: 'system' }
  }
  const details = { provider: 'stripe' }
  for (const card of removed) await recordCard(ctx, await authorOf(card), 'card_removed', card, details)
  for (const card of added) await recordCard(ctx, await authorOf(card), 'card_added', card, details)
}

async function compareCards({ db }: Context, accountId: number, cards: readonly StoredCard[]) {
  const stored = await listCards(db, accountId)
  const isIn = (list: readonly StoredCard[], card: StoredCard) => list.some(({ id }) => id === card.id)
  return {
    added: cards.filter((card) => !isIn(stored, card)),
    removed: stored.filter((card) => !isIn(cards, card)),
  }
}
