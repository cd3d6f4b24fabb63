import type { PaymentMethod } from '@loci/contract/billing'
import type { Db } from '../../store/db.ts'
import { toCamelRow, toSnakeRow } from '../../store/row-names.ts'

/** A card on file. `pays` is false for a test card whose every payment is declined. */
export type StoredCard = PaymentMethod & { pays: boolean; createdAt: number }

export const cardsPerAccountMax = 20

/** Oldest first. */
export async function listCards(db: Db, accountId: number): Promise<StoredCard[]> {
  const rows = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(cardsPerAccountMax)
    .execute()
  return rows.map(({ account_id, ...row }) => ({
    ...toCamelRow(row),
    isDefault: row.is_default === 1,
    pays: row.pays === 1,
  }))
}

export async function insertCard(db: Db, accountId: number, card: StoredCard): Promise<void> {
  await db
    .insertInto('payment_methods')
    .values({
      account_id: accountId,
      ...toSnakeRow(card),
      is_default: card.isDefault ? 1 : 0,
      pays: card.pays ? 1 : 0,
    })
    .execute()
}

/** Makes a card of the account the default. */
export async function setDefaultCard(db: Db, accountId: number, id: string): Promise<void> {
  await db
    .updateTable('payment_methods')
    .set((eb) => ({ is_default: eb.case().when('id', '=', id).then(1).else(0).end() }))
    .where('account_id', '=', accountId)
    .execute()
}

export async function deleteCard(db: Db, accountId: number, id: string): Promise<void> {
  await db.deleteFrom('payment_methods').where('account_id', '=', accountId).where('id', '=', id).execute()
}

/** Replaces all cards of the account. */
export async function replaceCards(db: Db, accountId: number, cards: StoredCard[]): Promise<void> {
  await db.deleteFrom('payment_methods').where('account_id', '=', accountId).execute()
  for (const card of cards) await insertCard(db, accountId, card)
}
