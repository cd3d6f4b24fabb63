import type { Db } from '../db/db.ts'
import { deleteSessionRow } from './callers.repo.ts'
import { deleteCredentials, listEndedCredentials } from './credentials.repo.ts'

const sweptMax = 20

/** Deletes some of the credentials that have expired, and the sessions among them. */
export async function sweepEndedCredentials(db: Db, now: number): Promise<void> {
  const ended = await listEndedCredentials(db, now, sweptMax)
  // Everyone sweeps in the same order, one by one, so that two who sweep at once do not lock each other out.
  for (const { hash, kind, accountId, subject } of ended.sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    await deleteCredentials(db, [hash])
    if (kind === 'session') await deleteSessionRow(db, accountId, subject)
  }
}
