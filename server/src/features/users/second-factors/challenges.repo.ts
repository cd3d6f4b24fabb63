import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'

/** Records that a challenge was used; false if it was used before. */
export async function insertUsedChallenge(db: Db, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

const sweptMax = 20

/** Deletes some used challenges that have expired, more per call than one use adds. */
export async function sweepUsedChallenges(db: Db, now: number): Promise<void> {
  const rows = await db
    .selectFrom('used_challenges')
    .select('hash')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(sweptMax)
    .execute()
  if (rows.length === 0) return
  const hashes = rows.map(({ hash }) => hash)
  await db.deleteFrom('used_challenges').where(dialectOf(db).isOneOf('hash', hashes)).execute()
}
