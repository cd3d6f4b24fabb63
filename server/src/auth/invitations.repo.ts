import type { Selectable } from 'kysely'
import type { Db } from '../db/db.ts'
import type { InvitationsTable } from '../db/schema.ts'

export type StoredInvitation = Selectable<InvitationsTable>

/** As many wait at a time; an older one makes room for a newer. */
export const invitationsMax = 100

const invitationsOf = (db: Db, accountId: number) =>
  db.selectFrom('invitations').selectAll().where('account_id', '=', accountId)

/** Those of an account, newest first; those that have expired are among them. */
export function listInvitations(db: Db, accountId: number): Promise<StoredInvitation[]> {
  return invitationsOf(db, accountId).orderBy('id', 'desc').limit(invitationsMax).execute()
}

export function findInvitation(db: Db, accountId: number, id: string): Promise<StoredInvitation | undefined> {
  return invitationsOf(db, accountId).where('id', '=', id).executeTakeFirst()
}

export async function insertInvitation(db: Db, invitation: StoredInvitation): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** Its credential has to go, too. */
export async function deleteInvitationRow(db: Db, accountId: number, id: string): Promise<void> {
  await db.deleteFrom('invitations').where('account_id', '=', accountId).where('id', '=', id).execute()
}
