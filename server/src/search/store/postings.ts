import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { TermDigests } from './term-digests.ts'

/** An indexed passage, or a word by its trigrams; terms are separated by spaces. The id is unique in its account. */
export type PostedPassage = { id: number; terms: string }

/** The terms of a {@link PostedPassage}, one by one. */
export const listTerms = (terms: string): string[] => (terms === '' ? [] : terms.split(' '))

/** The passages that contain a term, newest first. */
export type PostedTerm = { term: string; ids: Uint32Array }

/** Passages that contain a term: the newest with ids below `below`, at most `limit`. */
export type OlderPassages = { term: string; below: number; limit: number }

/** A term of a passage. */
export type PostedRow = { term: string; id: number }

/** The inverted index: which passages contain a term. Each database has its own implementation. */
export type Postings = {
  /** Passages can be generated lazily if they are expensive to build. */
  add: (db: Db, scope: Scope, passages: Iterable<PostedPassage>) => Promise<void>
  /** The terms must be those that were added, if the database needs them. */
  remove: (db: Db, scope: Scope, passages: readonly PostedPassage[]) => Promise<void>
  /** Whether {@link Postings.remove} needs the terms. */
  removesByTerms: boolean
  /**
   * Removes some postings of ids up to `upTo` before a rebuild, if {@link Postings.removesByTerms}. Returns
   * whether there are more.
   */
  clear: (db: Db, scope: Scope, upTo: number) => Promise<boolean>
  /** Removes about `limit` postings of a space whose whole account is deleted; returns whether there are more. */
  removeAll: (db: Db, scope: Scope, limit: number) => Promise<boolean>
  /**
   * Removes about `limit` postings of a space that is deleted alone, if they can be distinguished from those of the
   * account's other spaces; returns whether there are more. Otherwise {@link Postings.removeIds} does it.
   */
  removeSpace: (db: Db, scope: Scope, limit: number) => Promise<boolean>
  /** Removes the postings of ids whose rows are deleted with their space. */
  removeIds: (db: Db, scope: Scope, ids: readonly number[]) => Promise<void>
  /** The newest passages of each term, at most `limit`; terms without passages are left out. */
  readNewest: (db: Db, scope: Scope, terms: readonly string[], limit: number) => Promise<PostedTerm[]>
  /** The next page of each term; terms without further passages are left out. */
  readOlder: (db: Db, scope: Scope, asked: readonly OlderPassages[]) => Promise<PostedTerm[]>
  /** The newest passages that contain a term with this prefix, at most `limit`. */
  readStarting: (db: Db, scope: Scope, starting: { beginning: string; limit: number }) => Promise<Uint32Array>
  /** All passages of each term with ids from `from` to `to`; terms without passages are left out. */
  readBetween: (
    db: Db,
    scope: Scope,
    terms: readonly string[],
    range: { from: number; to: number },
  ) => Promise<PostedTerm[]>
  /** The digest (`digestOf`) of the terms of each passage of a space; undefined if looking up terms is as fast. */
  readDigests: (db: Db, scope: Scope) => Promise<TermDigests | undefined>
  /**
   * Rewrites a part of the index without what was removed from it, which could be read in the file until then; false
   * when done. `isFirst` begins with the whole of it.
   */
  purge: (tx: Db, isFirst: boolean) => Promise<boolean>
  /** Merges a little of what many transactions wrote, so that a search reads fewer places; false when done. */
  settle: (tx: Db) => Promise<boolean>
  /**
   * The next space, in numerical order, with postings of single writes to fold; undefined if the database stores all
   * postings alike.
   */
  findUnfolded: (db: Db, after: Scope) => Promise<Scope | undefined>
  /**
   * Moves some postings of single writes, after `after`, into the compact form. The caller holds the account's lock.
   * Returns where to continue, or undefined at the end.
   */
  fold: (tx: Db, scope: Scope, after: PostedRow | undefined) => Promise<PostedRow | undefined>
}
