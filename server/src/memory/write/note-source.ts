import type { Observation } from '@loci/contract/observations'
import { numbersOf } from '../../ground/lib/ids.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { addAccountBytes } from './counters.writes.repo.ts'
import { setSource } from './rows.writes.repo.ts'

/**
 * Notes where facts are from that do not say so yet; returns how many. It corrects nothing that they say, so no change is
 * recorded: the write that stored them can still be undone. The caller holds the account's lock.
 */
export async function noteSource(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  source: NonNullable<Observation['source']>,
): Promise<number> {
  const text = JSON.stringify(source)
  const noted = await setSource(db, scope, numbersOf('obs', ids), text)
  if (noted > 0) await addAccountBytes(db, scope.accountId, noted * Buffer.byteLength(text))
  return noted
}
