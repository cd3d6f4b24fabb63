import type { Selectable } from 'kysely'
import type { Db } from '../../store/db.ts'
import type { InvitationsTable } from '../../store/schema.ts'

export type StoredInvitation = Selectable<InvitationsTable>

/** Most pending invitations of an account; a new one replaces the oldest. */
export const invitationsMax = 100

const invitationsOf = (db: Db, accountId: number) =>
  db.selectFrom('invitations').selectAll().where('account_id', '=', accountId)

/** Invitations of an account, newest first, including expired ones. */
export function listInvitations(db: Db, accountId: number): Promise<StoredInvitation[]> {
  return invitationsOf(db, accountId).orderBy('id', 'desc').limit(invitationsMax).execute()
}

export function findInvitation(db: Db, accountId: number, id: string): Promise<StoredInvitation | undefined> {
  return invitationsOf(db, accountId).where('id', '=', id).executeTakeFirst()
}

export async function insertInvitation(db: Db, invitation: StoredInvitation): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** Its credential has to be deleted too. */
export async function deleteInvitationRow(db: Db, accountId: number, id: string): Promise<void> {
  await db.deleteFrom('invitations').where('account_id', '=', accountId).where('id', '=', id).execute()
}
