import type { Context } from '../../context.ts'
import type { IndexedSpace } from '../../search-index/search-index.repo.ts'
import { termsOf } from './find-names.ts'
import { listTypesInUse } from './relation-candidates.repo.ts'

/** Types with their terms. */
export type TypeTerms = ReadonlyMap<string, readonly string[]>

const typesReadMax = 2_000

/** The types of a space's entities and relations, in alphabetical order; of a great many the first. */
export async function readTypesInUse(
  { db }: Context,
  space: IndexedSpace,
): Promise<{ entities: TypeTerms; relations: TypeTerms }> {
  const rows = await listTypesInUse(db, space, typesReadMax)
  const of = (wanted: string) =>
    new Map(rows.filter(({ kind }) => kind === wanted).map(({ type }) => [type, termsOf(type)]))
  return { entities: of('entity'), relations: of('relation') }
}
