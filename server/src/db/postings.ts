import type { Scope } from '../scope.ts'
import type { Db } from './db.ts'

/** What is searched: a passage, or a word by its letters. The id is unique in its account. */
export type PostedPassage = { id: number; terms: readonly string[] }

/** The passages that a term is in, newest first: ids with commas between, as a row for each takes longer than to read. */
export type PostedTerm = { term: string; ids: string }

/** The inverted index: which passages a term is in. Each database keeps it in the way it is good at. */
export type Postings = {
  /** Data definition, for the migration. */
  statements: readonly string[]
  /** What takes long to put together may be made one by one, as it is asked for. */
  add: (db: Db, scope: Scope, passages: Iterable<PostedPassage>) => Promise<void>
  /** The terms must be those that were added. */
  remove: (db: Db, scope: Scope, passages: readonly PostedPassage[]) => Promise<void>
  /**
   * Removes postings of a space that is to have none up to the id `upTo`, whatever their terms: those of these passages
   * and, where the database tells spaces apart, others too. Answers whether more are known to be left.
   */
  removeAny: (db: Db, scope: Scope, ids: readonly number[], upTo: number) => Promise<boolean>
  /** Passages after `after` that have terms and are in no posting, in order. Reads the whole space. */
  listUnposted: (
    db: Db,
    scope: Scope,
    page: { after: number; limit: number },
  ) => Promise<{ id: number; terms: string }[]>
  /** Of each term its newest passages, at most `limit`; terms that are in none are left out. */
  readNewest: (db: Db, scope: Scope, terms: readonly string[], limit: number) => Promise<PostedTerm[]>
  /** The next of a term: its newest passages with ids below `below`. */
  readOlder: (db: Db, scope: Scope, older: { term: string; below: number; limit: number }) => Promise<string>
  /** The newest passages that are in a term with this beginning, at most `limit`: ids with commas between. */
  readStarting: (db: Db, scope: Scope, starting: { beginning: string; limit: number }) => Promise<string>
  /**
   * A short step of bringing together what many transactions posted, so that a search has fewer places to read; false
   * when that is done.
   */
  settle: (tx: Db) => Promise<boolean>
}
