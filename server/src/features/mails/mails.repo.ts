import type { Selectable } from 'kysely'
import type { Db } from '../../store/db.ts'
import type { MailsTable } from '../../store/schema.ts'

/** Identifies a mail of an account; an account gets each mail once. */
export type MailKey = { accountId: number; id: string }
export type DueMail = MailKey & { nextTryAt: number }
export type StoredMail = MailKey &
  Pick<Selectable<MailsTable>, 'recipient' | 'content' | 'tries'> & {
    createdAt: number
    expiresAt: number | null
  }

type NewMail = MailKey & { recipient: string; content: string; now: number; expiresAt: number | null }

/** Puts a mail in the outbox. A mail with the same id is kept, sent or not; returns whether this one is new. */
export async function insertMail(
  db: Db,
  { accountId, id, now, expiresAt, ...rest }: NewMail,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mails')
    .values({
      ...rest,
      account_id: accountId,
      id,
      created_at: now,
      expires_at: expiresAt,
      tries: 0,
      // Due at once, even if the billing clock is ahead of the server's.
      next_try_at: 0,
      sent_at: null,
      failure: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Whether a mail was queued, sent or not. */
export async function hasMail(db: Db, { accountId, id }: MailKey): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Mails of all accounts whose next attempt is due, the longest waiting first. */
export async function listDueMails(db: Db, now: number, limit: number): Promise<DueMail[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['account_id as accountId', 'id', 'next_try_at as nextTryAt'])
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(limit)
    .execute()
  return rows.map(({ nextTryAt, ...key }) => ({ ...key, nextTryAt: nextTryAt! }))
}

/**
 * Counts an attempt and schedules the next one, before the mail is sent. Undefined if another process has done so
 * since the mail was listed: then this process must not send it.
 */
export async function claimMail(
  db: Db,
  { accountId, id, nextTryAt }: DueMail,
  nextTryIn: (tries: number) => number,
  now: number,
): Promise<StoredMail | undefined> {
  const row = await db
    .selectFrom('mails')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const tries = row.tries + 1
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ tries, next_try_at: now + nextTryIn(tries) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('next_try_at', '=', nextTryAt)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  const { recipient, content, created_at: createdAt, expires_at: expiresAt } = row
  return { accountId, id, recipient, content, tries, createdAt, expiresAt }
}

/** Marks a mail as sent or given up and deletes its content. */
export async function endMail(
  db: Db,
  { accountId, id }: MailKey,
  outcome: { sentAt: number } | { failure: string },
): Promise<void> {
  const result =
    'sentAt' in outcome ? { sent_at: outcome.sentAt, failure: null } : { failure: outcome.failure }
  await db
    .updateTable('mails')
    .set({ ...result, next_try_at: null, content: null })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

export async function noteFailure(db: Db, { accountId, id }: MailKey, failure: string): Promise<void> {
  await db
    .updateTable('mails')
    .set({ failure })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Mails queued before `before`, the oldest first. */
export async function listOldMails(db: Db, before: number, limit: number): Promise<MailKey[]> {
  return db
    .selectFrom('mails')
    .select(['account_id as accountId', 'id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

export async function deleteMail(db: Db, { accountId, id }: MailKey): Promise<void> {
  await db.deleteFrom('mails').where('account_id', '=', accountId).where('id', '=', id).execute()
}
