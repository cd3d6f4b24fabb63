import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A person who asked for the weekly mail of a space. */
export type BriefMailKey = Scope & { userId: string }
/** What it tells. */
export type BriefMailParts = { news: boolean; waiting: boolean }
export type StoredBriefMail = BriefMailKey & BriefMailParts & { nextAt: number; seq: number; at: number }

const columns = ['next_at as nextAt', 'seq', 'at', 'tells_news', 'tells_waiting'] as const

function toParts<Row extends { tells_news: number; tells_waiting: number }>(row: Row) {
  const { tells_news, tells_waiting, ...rest } = row
  return { ...rest, news: tells_news === 1, waiting: tells_waiting === 1 }
}

const toColumns = ({ news, waiting }: BriefMailParts) => ({
  tells_news: Number(news),
  tells_waiting: Number(waiting),
})

const mailOf = (db: Db, { accountId, spaceId, userId }: BriefMailKey) =>
  db
    .selectFrom('brief_mails')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('user_id', '=', userId)

export async function findBriefMail(db: Db, key: BriefMailKey) {
  const row = await mailOf(db, key).executeTakeFirst()
  return row && toParts(row)
}

/** One that is there tells from now on what this one does. */
export async function saveBriefMail(
  db: Db,
  { accountId, spaceId, userId, nextAt, seq, at, ...parts }: StoredBriefMail,
): Promise<void> {
  const told = { next_at: nextAt, seq, at, ...toColumns(parts) }
  await db
    .insertInto('brief_mails')
    .values({ account_id: accountId, space_id: spaceId, user_id: userId, ...told })
    .onConflict((conflict) => conflict.columns(['account_id', 'space_id', 'user_id']).doUpdateSet(told))
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
  const rows = await db
    .selectFrom('brief_mails')
    .select(['account_id as accountId', 'space_id as spaceId', 'user_id as userId'])
    .select(columns)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute()
  return rows.map(toParts)
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
