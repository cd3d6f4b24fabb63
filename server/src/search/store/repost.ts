import type { Scope } from '../../tenancy/scope.ts'
import { deletePassages, deleteVectors, listFurtherPassages } from './passages.repo.ts'
import { postingsOf } from './posting-lists.ts'
import type { PostedPassage } from './postings.ts'
import { type IndexWrite, toPlace } from './store-passages.ts'

/**
 * Words keep their rows: they leave a vocabulary only with their space. Where removal needs the terms,
 * `clear` has already removed everything.
 */
export async function repostTerms(
  { db, dialect }: IndexWrite,
  scope: Scope,
  posted: readonly PostedPassage[],
): Promise<void> {
  if (posted.length === 0) return
  await postingsOf(dialect).remove(
    db,
    scope,
    posted.map(({ id }) => ({ id, terms: '' })),
  )
  await postingsOf(dialect).add(db, scope, posted)
}

/**
 * Removes the stored index data of texts, whose old terms are unknown; returns the numbers of further
 * passages.
 */
export async function forgetTexts(
  { db, dialect }: IndexWrite,
  scope: Scope,
  ids: readonly number[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const further = await listFurtherPassages(db, scope, ids)
  const all = [...ids, ...further.map(({ id }) => id)]
  await postingsOf(dialect).remove(
    db,
    scope,
    all.map((id) => ({ id, terms: '' })),
  )
  await deleteVectors(db, scope, all)
  await deletePassages(
    db,
    scope,
    further.map(({ id }) => id),
  )
  return new Map(further.map(({ id, observationId, part }) => [toPlace(observationId, part), id]))
}
