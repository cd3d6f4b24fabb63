import type { PassagesTable } from '../db/schema.ts'
import type { Scope } from '../scope.ts'
import type { IndexedPassage } from './index-text.ts'
import { listUnknownWords, rememberWords } from './known-words.ts'
import { deletePassages, insertPassages, noObservation } from './passages.repo.ts'
import { searchedTerms } from './passages.ts'
import type { Index } from './posting-lists.ts'
import { addToIndexedSpace, type IndexDelta, type IndexedBefore } from './search-index.repo.ts'
import { noteVectorGaps } from './vector-gaps.repo.ts'
import { gramTermsOf } from './vocabulary.ts'
import { findTerms, insertWords, listStoredWords, updateTermOf } from './words.repo.ts'

/** What indexing needs of a write. */
export type IndexWrite = Index & {
  /** Gives the first of so many consecutive numbers of the account. */
  takeIds: (count: number) => number | Promise<number>
  /** Adds to what the space counts of its index. */
  addToIndex: (delta: IndexDelta) => IndexedBefore | Promise<IndexedBefore>
  /** True where stored words may have the terms of an older analyser. */
  renewsTerms?: boolean
}

/** A passage without an id gets a number of its own. */
export type NewPassage = Pick<
  PassagesTable,
  'entity_id' | 'observation_id' | 'position' | 'created_at' | 'pieces'
> &
  IndexedPassage & { id: number | undefined }

/** Postings keep 32 bits: beyond, row ids on SQLite would be those of the next account. */
const idMax = 2 ** 32 - 1

/** Stores passages, and what their words (each with its term) add to the vocabulary. */
export async function storePassages(
  { db, dialect, takeIds, addToIndex, renewsTerms = false }: IndexWrite,
  scope: Scope,
  passages: readonly NewPassage[],
  words: ReadonlyMap<string, string>,
): Promise<void> {
  const { accountId: account_id, spaceId: space_id } = scope
  const unknown = listUnknownWords(dialect, scope, words.keys())
  const stored = await listStoredWords(db, dialect, scope, unknown)
  rememberWords(db, dialect, scope, unknown)
  const fresh = unknown.filter((word) => !stored.has(word))
  const indexed = passages.length + fresh.length
  const { firstOrdinal, embeddedTo } = await addToIndex({ indexed, ...countsOf(passages, 1) })
  const unnumbered = passages.filter(({ id }) => id === undefined).length + fresh.length
  let nextId = unnumbered === 0 ? 0 : await takeIds(unnumbered)
  const rows = passages.map(({ searched: _, ...passage }, i) => ({
    account_id,
    space_id,
    ...passage,
    id: passage.id ?? nextId++,
    ordinal: firstOrdinal + i,
  }))
  const newWords = fresh.map((word) => ({ account_id, space_id, id: nextId++, word, term: words.get(word)! }))
  if ([...rows, ...newWords].some(({ id }) => id > idMax))
    throw new Error(`Account ${account_id} has no numbers left`)
  if (renewsTerms) await renewTerms({ db, dialect }, scope, words)
  await insertPassages(db, dialect, rows)
  await insertWords(db, dialect, newWords)
  const posted = function* () {
    for (const [i, { id }] of rows.entries()) yield { id, terms: toTerms(passages[i]!.searched) }
    for (const { id, word } of newWords) yield { id, terms: gramTermsOf(word) }
  }
  await dialect.postings.add(db, scope, posted())
  const late = rows.filter(({ id, observation_id }) => id <= embeddedTo && observation_id !== noObservation)
  await noteVectorGaps(
    db,
    dialect,
    scope,
    late.map(({ id }) => id),
  )
}

const toTerms = (searched: string) => (searched === '' ? [] : searched.split(' '))

async function renewTerms(
  { db, dialect }: Index,
  scope: Scope,
  words: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [word, stored] of await findTerms({ db, dialect }, scope, [...words.keys()])) {
    const term = words.get(word)!
    if (term !== stored) await updateTermOf(db, scope, word, term)
  }
}

/** Deletes passages with all that was kept of them. */
export async function dropPassages(
  { db, dialect }: Index,
  scope: Scope,
  rows: readonly PassagesTable[],
): Promise<void> {
  if (rows.length === 0) return
  const posted = rows.map(({ id, terms }) => ({ id, terms: searchedTerms(terms.split(' ')) }))
  await dialect.postings.remove(db, scope, posted)
  await deletePassages(
    db,
    dialect,
    scope,
    rows.map(({ id }) => id),
  )
  await addToIndexedSpace(db, scope, { indexed: 0, ...countsOf(rows, -1) })
}

/** Posts a passage under other terms than `before`. */
export async function replaceTerms(
  { db, dialect }: Index,
  scope: Scope,
  { id, before, terms }: { id: number; before: readonly string[]; terms: readonly string[] },
): Promise<void> {
  await dialect.postings.remove(db, scope, [{ id, terms: searchedTerms(before) }])
  await dialect.postings.add(db, scope, [{ id, terms: searchedTerms(terms) }])
}

/** Names are not counted: the statistics are those of what people wrote. */
export function countsOf(rows: readonly { observation_id: number; length: number }[], sign: 1 | -1) {
  const counted = rows.filter((row) => row.observation_id !== noObservation)
  return {
    passages: sign * counted.length,
    length: sign * counted.reduce((sum, row) => sum + row.length, 0),
  }
}
