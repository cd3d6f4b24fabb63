import { type Selectable, sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'
import type { Db, KeyedRange } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import type { PostingsScope } from '../db/postings.ts'
import { prepared, statement } from '../db/prepared.ts'
import type { PassagesTable, SearchSpacesTable, SearchWordsTable } from '../db/schema.ts'
import { spaceNumberOf } from '../db/space-number.ts'
import { type Index, type PostingLists, pickHeaviest, readLists, readOn } from './posting-lists.ts'
import { countShared, toGramTerm } from './vocabulary.ts'

/** What the index says of a space as a whole. */
export type IndexedSpace = Scope &
  PostingsScope & { nextId: number; passages: number; length: number; version: number }

/** Of the analyser: raised whenever texts are analysed to other terms than before. */
export const indexVersion = 2

const selectSpace = prepared((db, { accountId, spaceId }: Scope) =>
  db
    .selectFrom('search_spaces')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId),
)

export async function findIndexedSpace(db: Db, scope: Scope): Promise<IndexedSpace | undefined> {
  const [row] = await selectSpace(db, scope)
  return row === undefined ? undefined : toIndexedSpace(row)
}

/** The space in the index, entered when it is new. Under the account's lock, like every write. */
export async function enterSpace(db: Db, scope: Scope): Promise<IndexedSpace> {
  return (await findIndexedSpace(db, scope)) ?? (await insertSpace(db, scope, firstId))
}

const firstId = 1

async function insertSpace(db: Db, scope: Scope, nextId: number): Promise<IndexedSpace> {
  const row = await db
    .insertInto('search_spaces')
    .values({
      account_id: scope.accountId,
      space_id: scope.spaceId,
      next_id: nextId,
      passages: 0,
      length: 0,
      version: indexVersion,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toIndexedSpace(row)
}

function toIndexedSpace(row: Selectable<SearchSpacesTable>): IndexedSpace {
  const { account_id: accountId, space_id: spaceId, next_id: nextId, number, passages, length, version } = row
  return { accountId, spaceId, number, nextId, passages, length, version }
}

type SpaceDelta = { ids: number; passages: number; length: number }
const updateSpace = prepared((db, values: Scope & SpaceDelta) =>
  db
    .updateTable('search_spaces')
    .set((eb) => ({
      next_id: eb('next_id', '+', values.ids),
      passages: eb('passages', '+', values.passages),
      length: eb('length', '+', values.length),
    }))
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId),
)

export async function addToIndexedSpace(db: Db, scope: Scope, delta: SpaceDelta): Promise<void> {
  await updateSpace(db, { accountId: scope.accountId, spaceId: scope.spaceId, ...delta })
}

export async function insertPassages(
  db: Db,
  dialect: Dialect,
  rows: readonly PassagesTable[],
): Promise<void> {
  await dialect.insertRows(db, 'passages', rows)
}

/** The passages of observations, or (`entity_id`) of whole entities with their name passage. */
export async function listPassagesOf(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  column: 'observation_id' | 'entity_id',
  ids: readonly string[],
): Promise<PassagesTable[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where('space_number', '=', spaceNumberOf(scope))
    .where(dialect.isOneOf(column, ids))
    .execute()
}

/** The passages that hold the names of entities. */
export async function listNamePassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
): Promise<PassagesTable[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where('space_number', '=', spaceNumberOf(scope))
    .where(dialect.isOneOf('entity_id', entityIds))
    .where('position', '=', -1)
    .execute()
}

export async function deletePassages(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  ids: readonly number[],
): Promise<void> {
  await db
    .deleteFrom('passages')
    .where('space_number', '=', spaceNumberOf(scope))
    .where(dialect.isOneOfNumbers('id', ids))
    .execute()
}

const selectLastPositions = prepared(
  (db, values: Scope & { entityIds: readonly string[] }, dialect: Dialect) =>
    db
      .selectFrom('entities as e')
      .select('e.id')
      .select((eb) =>
        eb
          .selectFrom('passages as p')
          .select('p.position')
          .where('p.space_number', '=', spaceNumberOf(values))
          .whereRef('p.entity_id', '=', 'e.id')
          .orderBy('p.position', 'desc')
          .limit(1)
          .as('last'),
      )
      .where('e.account_id', '=', values.accountId)
      .where('e.space_id', '=', values.spaceId)
      .where(dialect.isOneOf('e.id', values.entityIds)),
)

/** The place after the last passage of each entity; entities without passages are left out. */
export async function nextPositions(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await selectLastPositions(db, { ...scope, entityIds }, dialect)
  return new Map(rows.map((row) => [row.id, (row.last ?? -1) + 1]))
}

const selectStoredWords = prepared((db, values: Scope & { words: readonly string[] }, dialect: Dialect) =>
  db
    .selectFrom('search_words')
    .select('word')
    .where('space_number', '=', spaceNumberOf(values))
    .where(dialect.isOneOf('word', values.words)),
)

/** Which of these words the vocabulary has. */
export async function listStoredWords(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  words: readonly string[],
): Promise<Set<string>> {
  if (words.length === 0) return new Set()
  const rows = await selectStoredWords(db, { ...scope, words }, dialect)
  return new Set(rows.map((row) => row.word))
}

export async function insertWords(
  db: Db,
  dialect: Dialect,
  rows: readonly SearchWordsTable[],
): Promise<void> {
  await dialect.insertRows(db, 'search_words', rows)
}

/** Forgets what the index holds of a space, which gets a new number. Ids are not given out again. */
export async function clearIndex(db: Db, scope: Scope): Promise<void> {
  const { nextId } = await enterSpace(db, scope)
  await db
    .deleteFrom('search_spaces')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .execute()
  await insertSpace(db, scope, nextId)
}

export type VocabularyWord = { word: string; term: string }

/** How many words are read of each letter group, and how many more of the rarest that have more. */
const gramReadMax = 1_500
const gramsBudget = 4_000
/** Words that are looked at for each that is wanted, since the index says how much they share but not the order. */
const similarPerWanted = 5

type WithIds = PostingsScope & { ids: readonly number[] }

/** As one text, as a row for each word takes longer than to find it; their terms would have to be looked up besides. */
const selectWords = prepared((db, { number, ids }: WithIds, dialect: Dialect) =>
  statement<{ words: string | null }>(
    db,
    sql`select string_agg(word, ',') as words from search_words
      where space_number = ${number} and ${dialect.isOneOfNumbers('id', ids)}`,
  ),
)

/** Reads which words of the space have each of these letter groups. */
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

/** The words of the space that share most of these letter groups, best first. `lists` has where each of `asked` is. */
export async function listSimilarWords(
  { db, dialect }: Index,
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
  const [found] = await selectWords(db, { ...space, ids }, dialect)
  return sortByShared(found?.words?.split(',') ?? [], grams).slice(0, limit)
}

/** Those first that have most of the letter groups. */
export function sortByShared(words: readonly string[], grams: readonly string[]): string[] {
  const counted = words.map((word) => ({ word, shared: countShared(word, grams) }))
  counted.sort((a, b) => b.shared - a.shared || (a.word < b.word ? -1 : 1))
  return counted.map(({ word }) => word)
}

const selectTerms = prepared((db, values: PostingsScope & { words: readonly string[] }, dialect: Dialect) =>
  db
    .selectFrom('search_words')
    .select(['word', 'term'])
    .where('space_number', '=', values.number)
    .where(dialect.isOneOf('word', values.words)),
)

/** The terms of words of the vocabulary. */
export async function findTerms(
  { db, dialect }: Index,
  { number }: IndexedSpace,
  words: readonly string[],
): Promise<Map<string, string>> {
  if (words.length === 0) return new Map()
  const rows = await selectTerms(db, { number, words }, dialect)
  return new Map(rows.map(({ word, term }) => [word, term]))
}

const readWords = (text: string | null | undefined): VocabularyWord[] =>
  (text?.split(',') ?? []).map((one) => {
    const [word = '', term = ''] = one.split(' ')
    return { word, term }
  })

/** Comes after all that a word goes on with. */
const afterAll = '\u{10fffd}'
type Starting = PostingsScope & { prefixes: readonly KeyedRange[]; limitEach: number }

/** For each prefix a text. */
const selectStarting = prepared((db, { number, prefixes, limitEach }: Starting, dialect: Dialect) =>
  statement<{ words: string | null }>(
    db,
    sql`select (
      select string_agg(word || ' ' || term, ',') from (
        select word, term from search_words
        where space_number = ${number} and word >= prefix.key and word < prefix.key || ${afterAll}
        order by word limit ${limitEach}
      ) as starting
    ) as words from ${dialect.rangesOf(prefixes)} as prefix`,
  ),
)

/** The words of the space that begin with one of the prefixes, at most `limitEach` for each. */
export async function listWordsStarting(
  db: Db,
  dialect: Dialect,
  { number }: IndexedSpace,
  prefixes: readonly string[],
  limitEach: number,
): Promise<VocabularyWord[]> {
  if (prefixes.length === 0) return []
  const keyed = prefixes.map((key) => ({ key, low: 0, high: 0 }))
  const rows = await selectStarting(db, { number, prefixes: keyed, limitEach }, dialect)
  return rows.flatMap(({ words }) => readWords(words))
}
