import type { Db } from './dialect.ts'

/** A space as the postings know it. */
export type PostingsScope = { number: number }

/** What is searched; the id is unique in its space. */
export type PostedPassage = { id: number; terms: readonly string[] }

export type WeightedTerm = { term: string; weight: number }

/** The inverted index: which passages a term is in. Each database keeps it in the way it is good at. */
export type Postings = {
  /** Data definition, for the migration; what is posted of a space goes when its row in `search_spaces` does. */
  statements: readonly string[]
  add: (db: Db, scope: PostingsScope, passages: readonly PostedPassage[]) => Promise<void>
  /** To be called before the rows of `passages` are deleted. */
  remove: (db: Db, scope: PostingsScope, passages: readonly PostedPassage[]) => Promise<void>
  /** Ids of passages that have terms and are in no posting, at most `limit`. Reads the whole space. */
  listUnposted: (db: Db, scope: PostingsScope, limit: number) => Promise<number[]>
  /**
   * In how many passages each term is; terms that are in none are left out. Of a term in very many the newest are
   * counted, and the rest taken to be as dense.
   */
  countPassages: (
    db: Db,
    space: PostingsScope & { nextId: number },
    terms: readonly string[],
  ) => Promise<Map<string, number>>
  /**
   * The passages in which the terms weigh most together, best first, the newest of equals. Reads the rarest terms
   * first (that is the order to give them in) and stops after `budget` postings, so that no query is slow.
   */
  findCandidates: (
    db: Db,
    scope: PostingsScope,
    terms: readonly (WeightedTerm & { count: number })[],
    limits: { candidates: number; budget: number },
  ) => Promise<number[]>
}

/** So many terms at most are looked up by one statement. */
export const termsPerStatement = 250

/** What was counted of a term: its newest postings, at most `countedMax`, and the id of the oldest of these. */
export type CountedTerm = { term: string; counted: number; oldest: number }
export const countedMax = 4_000

export function estimateCount({ counted, oldest }: CountedTerm, nextId: number): number {
  return counted < countedMax ? counted : Math.round((counted * nextId) / Math.max(1, nextId - oldest))
}

/** How many postings of each term may be read, so that all together stay within the budget. */
export function shareBudget<T extends { count: number }>(
  terms: readonly T[],
  budget: number,
): (T & { limit: number })[] {
  let left = budget
  return terms.slice(0, termsPerStatement).flatMap((term) => {
    const limit = Math.min(term.count, left)
    left -= limit
    return limit > 0 ? [{ ...term, limit }] : []
  })
}
