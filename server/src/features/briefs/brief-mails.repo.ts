import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A person who asked for the weekly mail of a space. */
export type BriefMailKey = Scope & { userId: string }
export type StoredBriefMail = BriefMailKey & { nextAt: number; seq: number; at: number }

const mailOf = (db: Db, { accountId, spaceId, userId }: BriefMailKey) =>
  db
    .selectFrom('brief_mails')
    .select(['next_at as nextAt', 'seq', 'at'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('user_id', '=', userId)

export const findBriefMail = (db: Db, key: BriefMailKey) => mailOf(db, key).executeTakeFirst()

/** One that was asked for already stays as it is. */
export async function insertBriefMail(
  db: Db,
  { accountId, spaceId, userId, nextAt, seq, at }: StoredBriefMail,
): Promise<void> {
  await db
    .insertInto('brief_mails')
    .values({ account_id: accountId, space_id: spaceId, user_id: userId, next_at: nextAt, seq, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteBriefMail(db: Db, { accountId, spaceId, userId }: BriefMailKey): Promise<void> {
  await db
    .deleteFrom('brief_mails')
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('user_id', '=', userId)
    .execute()
}

/** Those of all accounts that are due, the longest waiting first. */
export async function listDueBriefMails(db: Db, now: number, limit: number): Promise<StoredBriefMail[]> {
  return db
    .selectFrom('brief_mails')
    .select(['account_id as accountId', 'space_id as spaceId', 'user_id as userId'])
    .select(['next_at as nextAt', 'seq', 'at'])
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute()
}

/** Moves it on; false if another process has done so since it was listed. */
export async function moveBriefMail(
  db: Db,
  { accountId, spaceId, userId, nextAt }: StoredBriefMail,
  to: { nextAt: number; seq: number; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('brief_mails')
    .set({ next_at: to.nextAt, seq: to.seq, at: to.at })
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('user_id', '=', userId)
    .where('next_at', '=', nextAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The account as addresses name it. */
export async function findAccountId(db: Db, accountId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.id
}

/** The confirmed address of a person; undefined without one. */
export async function findConfirmedEmail(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.email
}
