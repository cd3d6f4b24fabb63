import type { Context } from '../../tenancy/context.ts'
import { listTypesInUse } from '../store/relation-candidates.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { termsOf } from './subjects.ts'

/** Types with their terms. */
export type TypeTerms = ReadonlyMap<string, readonly string[]>

const typesReadMax = 2_000

/** The types of a space's entities and relations in alphabetical order, up to a maximum. */
export async function readTypesInUse(
  { db }: Context,
  space: IndexedSpace,
): Promise<{ entities: TypeTerms; relations: TypeTerms }> {
  const rows = await listTypesInUse(db, space, typesReadMax)
  const of = (wanted: string, toTerms: (type: string) => string[]) =>
    new Map(rows.filter(({ kind }) => kind === wanted).map(({ type }) => [type, toTerms(type)]))
  return { entities: of('entity', termsOf), relations: of('relation', familyOf) }
}

const doers = ['er', 'or']
const familyStemMin = 3

/** The terms of a relation's type, including the agent noun: "owner" matches "owns". */
function familyOf(type: string): string[] {
  const terms = termsOf(type)
  const long = terms.filter((term) => term.length >= familyStemMin)
  return [...new Set([...terms, ...long.flatMap((term) => doers.map((ending) => term + ending))])]
}
