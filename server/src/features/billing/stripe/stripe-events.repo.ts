import type { Db } from '../../../store/db.ts'

export async function hasEvent(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('stripe_events').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** When the newest event was received; undefined if none is stored. */
export async function findNewestEventAt(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('stripe_events')
    .select('received_at')
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.received_at
}

/** Inserts an event and deletes events from before `forgetBefore`. */
export async function insertStripeEvent(
  db: Db,
  id: string,
  receivedAt: number,
  forgetBefore: number,
): Promise<void> {
  await db.deleteFrom('stripe_events').where('received_at', '<', forgetBefore).execute()
  await db
    .insertInto('stripe_events')
    .values({ id, received_at: receivedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
