import type { Db } from '../db/db.ts'
import { deleteSessionRow, deleteTokenRow } from './callers.repo.ts'
import { deleteCredentials, listEndedCredentials } from './credentials.repo.ts'
import { deleteInvitationRow } from './invitations.repo.ts'

const sweptMax = 20

/** Deletes some of the credentials that have expired, with the sessions, invitations and tokens among them; answers how many. */
export async function sweepEndedCredentials(db: Db, now: number): Promise<number> {
  const ended = await listEndedCredentials(db, now, sweptMax)
  // Everyone sweeps in the same order, one by one, so that two who sweep at once do not lock each other out.
  for (const { hash, kind, accountId, subject } of ended.sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    await deleteCredentials(db, [hash])
    if (kind === 'session') await deleteSessionRow(db, accountId, subject)
    if (kind === 'invitation') await deleteInvitationRow(db, accountId, subject)
    if (kind.startsWith('oauth_')) await deleteTokenRow(db, accountId, hash)
  }
  return ended.length
}
