import type { MomentOrSeq } from '@loci/contract/moments'
import { fromIso } from '../../ground/lib/time.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findSeqAt } from './log.repo.ts'

/** The number of the last change at or before a moment; a number is returned as is. */
export async function toSeq(db: Db, scope: Scope, moment: MomentOrSeq): Promise<number> {
  return typeof moment === 'number' ? moment : findSeqAt(db, scope, fromIso(moment))
}

/** The number of the first change at or after a moment; a number is returned as is. */
export async function toFirstSeq(db: Db, scope: Scope, moment: MomentOrSeq): Promise<number> {
  return typeof moment === 'number' ? moment : (await findSeqAt(db, scope, fromIso(moment) - 1)) + 1
}
