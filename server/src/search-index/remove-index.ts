import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import type { Scope } from '../scope.ts'
import { deletePassages, listFirstPassages } from './passages.repo.ts'
import type { Index } from './posting-lists.ts'
import { addToIndexedSpace } from './search-index.repo.ts'
import { countsOf } from './store-passages.ts'
import { forgetProgress } from './vector-gaps.repo.ts'
import { deleteWords, listWords } from './words.repo.ts'

/**
 * Removes a part of what search keeps of a space that goes: some `limit` passages or words with postings and vectors.
 * Answers whether there is more. The caller holds the account's lock.
 */
export async function removeIndexSlice(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  limit: number,
): Promise<boolean> {
  const upTo = Number.MAX_SAFE_INTEGER
  if (await removePassagesSlice({ db, dialect }, scope, { upTo, limit })) return true
  const words = await listWords(db, scope, { after: 0, upTo, limit })
  if (words.length === 0) return false
  const ids = words.map(({ id }) => id)
  await dialect.postings.removeAny(db, scope, ids, upTo)
  await deleteWords(db, dialect, scope, ids)
  return true
}

/** The same of passages only, up to the number `upTo`. */
export async function removePassagesSlice(
  { db, dialect }: Index,
  scope: Scope,
  slice: { upTo: number; limit: number },
): Promise<boolean> {
  const passages = await listFirstPassages(db, scope, slice)
  const ids = passages.map(({ id }) => id)
  const hasPostings = await dialect.postings.removeAny(db, scope, ids, slice.upTo)
  if (passages.length === 0) {
    if (!hasPostings) await forgetProgress(db, scope)
    return hasPostings
  }
  await deletePassages(db, dialect, scope, ids)
  await addToIndexedSpace(db, scope, { indexed: 0, ...countsOf(passages, -1) })
  return true
}
