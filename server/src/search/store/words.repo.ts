import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import type { Db, KeyedRange } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { SearchWordsTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { countShared, toGramTerm } from '../analyse/vocabulary.ts'
import type { VocabularyWord } from './index-rows.ts'
import { type Index, type PostingLists, pickHeaviest, readLists, readOn } from './posting-lists.ts'
import type { IndexedSpace, WithMemory } from './search-index.repo.ts'

/**
 * Returns the words that the vocabulary contains. Each is looked up separately: `= any(...)` made
 * PostgreSQL compare all with all.
 */
export async function listStoredWords(
  db: Db,
  { accountId, spaceId }: Scope,
  words: readonly string[],
): Promise<Set<string>> {
  const dialect = dialectOf(db)
  const found = new Set<string>()
  const condition = sql`stored.account_id = ${accountId} and stored.space_id = ${spaceId} and stored.word = wanted.word`
  for (const some of chunksOf(words, wordsPerLookUp)) {
    await breathe()
    const wanted = dialect.rowsOf(
      'wanted',
      some.map((word) => ({ word })),
    )
    const { rows } = await sql<{ word: string }>`
      select stored.word from ${wanted} ${dialect.lookUp('search_words', 'stored', condition)}`.execute(db)
    for (const { word } of rows) found.add(word)
  }
  return found
}

/** A millisecond or two on SQLite, which blocks our thread. */
const wordsPerLookUp = 1_000

export async function insertWords(db: Db, rows: readonly SearchWordsTable[]): Promise<void> {
  await dialectOf(db).insertRows(db, 'search_words', rows)
}

/** The words of a space with numbers above `after`, at most `limit`. */
export async function listWords(
  db: Db,
  scope: Scope,
  page: { after: number; upTo: number; limit: number },
): Promise<SearchWordsTable[]> {
  return selectPage(db, { ...scope, ...page })
}

const selectPage = prepared(
  (
    db: Db,
    { accountId, spaceId, after, upTo, limit }: Scope & { after: number; upTo: number; limit: number },
  ) =>
    db
      .selectFrom('search_words')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .where('id', '>', after)
      .where('id', '<=', upTo)
      .orderBy('id')
      .limit(limit),
)

/** Updates the term of a word. */
export async function updateTermOf(db: Db, scope: Scope, word: string, term: string): Promise<void> {
  await db.updateTable('search_words').set({ term }).where(isIn(scope)).where('word', '=', word).execute()
}

export async function deleteWords(db: Db, scope: Scope, ids: readonly number[]): Promise<void> {
  await db
    .deleteFrom('search_words')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('id', ids))
    .execute()
}

/** Words read per trigram, and how many more in total from truncated lists, the shortest first. */
const gramReadMax = 1_500
const gramsBudget = 4_000
/**
 * Candidates examined per word wanted, since the index gives the number of shared trigrams but not
 * their order.
 */
const similarPerWanted = 5

type WithIds = Scope & { ids: readonly number[] }

/** As one text, since a row per word takes longer than finding it; their terms would need another lookup. */
const selectWords = prepared((db: Db, { accountId, spaceId, ids }: WithIds) =>
  statement<{ words: string | null }>(
    db,
    sql`select string_agg(word, ',') as words from search_words
      where account_id = ${accountId} and space_id = ${spaceId} and ${dialectOf(db).isOneOfNumbers('id', ids)}`,
  ),
)

/** Reads the words of the space that contain each of these trigrams. */
export async function readGrams(
  index: Index,
  space: IndexedSpace,
  grams: readonly string[],
): Promise<PostingLists> {
  const terms = grams.map(toGramTerm)
  const lists = await readLists(index, space, terms, gramReadMax)
  await readOn(index, space, lists, terms, gramsBudget)
  return lists
}

/**
 * The words of the space that share most of these trigrams, best first. `lists` contains the words of
 * each of `asked`.
 */
export async function listSimilarWords(
  { db }: Index,
  space: IndexedSpace,
  lists: PostingLists,
  { asked, grams, limit }: { asked: readonly string[]; grams: readonly string[]; limit: number },
): Promise<string[]> {
  const weighted = asked.flatMap((gram) => {
    const list = lists.get(toGramTerm(gram))
    return list === undefined ? [] : [{ ids: list.ids, weight: 1 }]
  })
  const ids = pickHeaviest(weighted, limit * similarPerWanted)
  if (ids.length === 0) return []
  const { accountId, spaceId, memory } = space
  const words = memory?.wordsOf(ids)
  if (words !== undefined) return sortByShared(words, grams).slice(0, limit)
  const [found] = await selectWords(db, { accountId, spaceId, ids })
  return sortByShared(found?.words?.split(',') ?? [], grams).slice(0, limit)
}

/** Sorted by the number of shared trigrams, highest first. */
export function sortByShared(words: readonly string[], grams: readonly string[]): string[] {
  const counted = words.map((word) => ({ word, shared: countShared(word, grams) }))
  counted.sort((a, b) => b.shared - a.shared || (a.word < b.word ? -1 : 1))
  return counted.map(({ word }) => word)
}

const selectTerms = prepared((db, values: Scope & { words: readonly string[] }) =>
  db
    .selectFrom('search_words')
    .select(['word', 'term'])
    .where(isIn(values))
    .where(dialectOf(db).isOneOf('word', values.words)),
)

/** The terms of vocabulary words. */
export async function findTerms(
  { db }: Index,
  { accountId, spaceId, memory }: WithMemory,
  words: readonly string[],
): Promise<Map<string, string>> {
  if (words.length === 0) return new Map()
  if (memory !== undefined) return memory.termsOf(words)
  const rows = await selectTerms(db, { accountId, spaceId, words })
  return new Map(rows.map(({ word, term }) => [word, term]))
}

const readWords = (text: string | null | undefined): VocabularyWord[] =>
  (text?.split(',') ?? []).map((one) => {
    const [word = '', term = ''] = one.split(' ')
    return { word, term }
  })

/** Sorts after any continuation of a word. */
const afterAll = '\u{10fffd}'
type Starting = Scope & { prefixes: readonly KeyedRange[]; limitEach: number }

/** One text per prefix. */
const selectStarting = prepared((db: Db, { accountId, spaceId, prefixes, limitEach }: Starting) =>
  statement<{ words: string | null }>(
    db,
    sql`select (
      select string_agg(word || ' ' || term, ',') from (
        select word, term from search_words
        where account_id = ${accountId} and space_id = ${spaceId} and word >= prefix.key and word < prefix.key || ${afterAll}
        order by word limit ${limitEach}
      ) as starting
    ) as words from ${dialectOf(db).rangesOf(prefixes)} as prefix`,
  ),
)

/** The words of the space that start with one of the prefixes, at most `limitEach` per prefix. */
export async function listWordsStarting(
  db: Db,
  { accountId, spaceId, memory }: IndexedSpace,
  prefixes: readonly string[],
  limitEach: number,
): Promise<VocabularyWord[]> {
  if (prefixes.length === 0) return []
  if (memory !== undefined) return memory.wordsStarting(prefixes, limitEach)
  const keyed = prefixes.map((key) => ({ key, low: 0, high: 0 }))
  const rows = await selectStarting(db, { accountId, spaceId, prefixes: keyed, limitEach })
  return rows.flatMap(({ words }) => readWords(words))
}
