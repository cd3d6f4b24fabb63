import type { Db } from './db.ts'

/** A space as the postings know it. */
export type PostingsScope = { number: number }

/** What is searched; the id is unique in its space. */
export type PostedPassage = { id: number; terms: readonly string[] }

/** The passages that a term is in, newest first: ids with commas between, as a row for each takes longer than to read. */
export type PostedTerm = { term: string; ids: string }

/** The inverted index: which passages a term is in. Each database keeps it in the way it is good at. */
export type Postings = {
  /** Data definition, for the migration; what is posted of a space goes when its row in `search_spaces` does. */
  statements: readonly string[]
  /** What takes long to put together may be made one by one, as it is asked for. */
  add: (db: Db, scope: PostingsScope, passages: Iterable<PostedPassage>) => Promise<void>
  /** To be called before the rows of `passages` are deleted. */
  remove: (db: Db, scope: PostingsScope, passages: readonly PostedPassage[]) => Promise<void>
  /** Ids of passages that have terms and are in no posting, at most `limit`. Reads the whole space. */
  listUnposted: (db: Db, scope: PostingsScope, limit: number) => Promise<number[]>
  /** Of each term its newest passages, at most `limit`; terms that are in none are left out. */
  readNewest: (db: Db, space: PostingsScope, terms: readonly string[], limit: number) => Promise<PostedTerm[]>
  /** The next of a term: its newest passages with ids below `below`. */
  readOlder: (
    db: Db,
    space: PostingsScope,
    older: { term: string; below: number; limit: number },
  ) => Promise<string>
  /** The newest passages that are in a term with this beginning, at most `limit`: ids with commas between. */
  readStarting: (
    db: Db,
    space: PostingsScope,
    starting: { beginning: string; limit: number },
  ) => Promise<string>
  /**
   * A short step of bringing together what many transactions posted, so that a search has fewer places to read; false
   * when that is done.
   */
  settle: (tx: Db) => Promise<boolean>
}
