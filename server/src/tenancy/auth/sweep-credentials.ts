import type { Db } from '../../store/db.ts'
import { deleteSessionRow, deleteTokenRow } from './callers.repo.ts'
import { deleteCredentials, listEndedCredentials } from './credentials.repo.ts'
import { deleteInvitationRow } from './invitations.repo.ts'

const sweptMax = 100

/** Deletes some expired credentials with their sessions, invitations and tokens; returns how many. */
export async function sweepEndedCredentials(db: Db, now: number): Promise<number> {
  const ended = await listEndedCredentials(db, now, sweptMax)
  for (const { hash, kind, accountId, subject } of ended) {
    await deleteCredentials(db, [hash])
    if (kind === 'session') await deleteSessionRow(db, accountId, subject)
    if (kind === 'invitation') await deleteInvitationRow(db, accountId, subject)
    if (kind.startsWith('oauth_')) await deleteTokenRow(db, accountId, hash)
  }
  return ended.length
}
