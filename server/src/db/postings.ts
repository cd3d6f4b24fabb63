import type { Scope } from '../scope.ts'
import type { Db } from './db.ts'

/** What is searched: a passage, or a word by its letters; terms have spaces between. The id is unique in its account. */
export type PostedPassage = { id: number; terms: string }

/** The terms of a {@link PostedPassage}, one by one. */
export const listTerms = (terms: string): string[] => (terms === '' ? [] : terms.split(' '))

/** The passages that a term is in, newest first. */
export type PostedTerm = { term: string; ids: Uint32Array }

/** A term of a passage. */
export type PostedRow = { term: string; id: number }

/** The inverted index: which passages a term is in. Each database keeps it in the way it is good at. */
export type Postings = {
  /** Data definition, for the migration. */
  statements: readonly string[]
  /** The same, of what came later: a second table where rows take too much room. */
  statementsOfBlocks: readonly string[]
  /** What takes long to put together may be made one by one, as it is asked for. */
  add: (db: Db, scope: Scope, passages: Iterable<PostedPassage>) => Promise<void>
  /** The terms must be those that were added; where the database finds them itself there need be none. */
  remove: (db: Db, scope: Scope, passages: readonly PostedPassage[]) => Promise<void>
  /**
   * Removes some of what is posted up to the id `upTo`, where {@link Postings.remove} must know the terms, before all is
   * posted anew. Answers whether there is more.
   */
  clear: (db: Db, scope: Scope, upTo: number) => Promise<boolean>
  /** Removes some `limit` of the postings of a space that goes with all its account; answers whether there is more. */
  removeAll: (db: Db, scope: Scope, limit: number) => Promise<boolean>
  /**
   * Removes some `limit` of the postings of a space that goes alone, where they can be told from those of the account's
   * other spaces; answers whether there is more. Elsewhere {@link Postings.removeIds} does it.
   */
  removeSpace: (db: Db, scope: Scope, limit: number) => Promise<boolean>
  /** Removes what is posted under ids whose rows go with their space. */
  removeIds: (db: Db, scope: Scope, ids: readonly number[]) => Promise<void>
  /** Of each term its newest passages, at most `limit`; terms that are in none are left out. */
  readNewest: (db: Db, scope: Scope, terms: readonly string[], limit: number) => Promise<PostedTerm[]>
  /** The next of a term: its newest passages with ids below `below`. */
  readOlder: (
    db: Db,
    scope: Scope,
    older: { term: string; below: number; limit: number },
  ) => Promise<Uint32Array>
  /** The newest passages that are in a term with this beginning, at most `limit`. */
  readStarting: (db: Db, scope: Scope, starting: { beginning: string; limit: number }) => Promise<Uint32Array>
  /** Of each term its passages with ids from `from` to `to`, all of them; terms that are in none are left out. */
  readBetween: (
    db: Db,
    scope: Scope,
    terms: readonly string[],
    range: { from: number; to: number },
  ) => Promise<PostedTerm[]>
  /**
   * A short step of bringing together what many transactions posted, so that a search has fewer places to read; false
   * when that is done.
   */
  settle: (tx: Db) => Promise<boolean>
  /**
   * The next space in which single writes have left something to fold, in the order of numbers; undefined where the
   * database keeps all postings alike.
   */
  findUnfolded: (db: Db, after: Scope) => Promise<Scope | undefined>
  /**
   * Brings a slice of what single writes posted in a space, after `after`, into the shape that takes least room, under
   * the account's lock; answers after what to go on, or undefined at the end.
   */
  fold: (tx: Db, scope: Scope, after: PostedRow | undefined) => Promise<PostedRow | undefined>
}
