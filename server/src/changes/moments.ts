import type { MomentOrSeq } from '@loci/contract/moments'
import type { Db } from '../db/db.ts'
import { fromIso } from '../lib/time.ts'
import type { Scope } from '../scope.ts'
import { findSeqAt } from './log.repo.ts'

/** The number of the last change at a moment or before; a number stands for itself. */
export async function toSeq(db: Db, scope: Scope, moment: MomentOrSeq): Promise<number> {
  return typeof moment === 'number' ? moment : findSeqAt(db, scope, fromIso(moment))
}

/** The number of the first change at a moment or after; a number stands for itself. */
export async function toFirstSeq(db: Db, scope: Scope, moment: MomentOrSeq): Promise<number> {
  return typeof moment === 'number' ? moment : (await findSeqAt(db, scope, fromIso(moment) - 1)) + 1
}
