import { sql } from 'kysely'
import type { Scope } from '../auth/actor.ts'
import type { Db, Dialect } from '../db/dialect.ts'
import type { PostingsScope } from '../db/postings.ts'
import type { PassagesTable } from '../db/schema.ts'
import { chunksOf } from '../lib/chunks.ts'

/** What the index says of a space as a whole. */
export type IndexedSpace = PostingsScope & { nextId: number; passages: number; length: number }

export async function findIndexedSpace(db: Db, scope: Scope): Promise<IndexedSpace | undefined> {
  const row = await db
    .selectFrom('search_spaces')
    .selectAll()
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { number, passages, length } = row
  return { accountId: scope.accountId, spaceId: scope.spaceId, number, nextId: row.next_id, passages, length }
}

/** The space in the index, entered when it is new. Under the account's lock, like every write. */
export async function enterSpace(db: Db, dialect: Dialect, scope: Scope): Promise<IndexedSpace> {
  const found = await findIndexedSpace(db, scope)
  if (found !== undefined) return found
  const number = await dialect.postings.nextSpaceNumber(db)
  await db
    .insertInto('search_spaces')
    .values({
      account_id: scope.accountId,
      space_id: scope.spaceId,
      number,
      next_id: 1,
      passages: 0,
      length: 0,
    })
    .execute()
  return { accountId: scope.accountId, spaceId: scope.spaceId, number, nextId: 1, passages: 0, length: 0 }
}

export async function addToIndexedSpace(
  db: Db,
  scope: Scope,
  delta: { ids: number; passages: number; length: number },
): Promise<void> {
  await db
    .updateTable('search_spaces')
    .set((eb) => ({
      next_id: eb('next_id', '+', delta.ids),
      passages: eb('passages', '+', delta.passages),
      length: eb('length', '+', delta.length),
    }))
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .execute()
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
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
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
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
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
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOfNumbers('id', ids))
    .execute()
}

/** The place after the last passage of each entity; entities without passages are left out. */
export async function nextPositions(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  entityIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('entities as e')
    .select('e.id')
    .select((eb) =>
      eb
        .selectFrom('passages as p')
        .select('p.position')
        .where('p.account_id', '=', scope.accountId)
        .where('p.space_id', '=', scope.spaceId)
        .whereRef('p.entity_id', '=', 'e.id')
        .orderBy('p.position', 'desc')
        .limit(1)
        .as('last'),
    )
    .where('e.account_id', '=', scope.accountId)
    .where('e.space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('e.id', entityIds))
    .execute()
  return new Map(rows.map((row) => [row.id, (row.last ?? -1) + 1]))
}

/** Adds words to the vocabulary and answers those that it did not have. */
export async function addWords(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  words: ReadonlyMap<string, string>,
): Promise<string[]> {
  const known = await db
    .selectFrom('search_words')
    .select('word')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('word', [...words.keys()]))
    .execute()
  const isKnown = new Set(known.map((row) => row.word))
  const fresh = [...words].filter(([word]) => !isKnown.has(word))
  for (const chunk of chunksOf(fresh, 1000)) {
    await db
      .insertInto('search_words')
      .values(
        chunk.map(([word, term]) => ({ account_id: scope.accountId, space_id: scope.spaceId, word, term })),
      )
      .execute()
  }
  return fresh.map(([word]) => word)
}

export async function addGrams(
  db: Db,
  scope: Scope,
  grams: readonly { gram: string; word: string }[],
): Promise<void> {
  for (const chunk of chunksOf(grams, 2000)) {
    await db
      .insertInto('search_grams')
      .values(chunk.map((gram) => ({ account_id: scope.accountId, space_id: scope.spaceId, ...gram })))
      .execute()
  }
}

export type VocabularyWord = { word: string; term: string }

/** The words of the space that share most letter groups with a word, best first. */
export async function listSimilarWords(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  grams: readonly string[],
  limit: number,
): Promise<VocabularyWord[]> {
  return db
    .selectFrom('search_grams as g')
    .innerJoin('search_words as w', (join) =>
      join
        .onRef('w.account_id', '=', 'g.account_id')
        .onRef('w.space_id', '=', 'g.space_id')
        .onRef('w.word', '=', 'g.word'),
    )
    .select(['w.word', 'w.term'])
    .where('g.account_id', '=', scope.accountId)
    .where('g.space_id', '=', scope.spaceId)
    .where(dialect.isOneOf('g.gram', grams))
    .groupBy(['w.word', 'w.term'])
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('w.word')
    .limit(limit)
    .execute()
}

/** The words of the space that begin with one of the prefixes, at most `limitEach` for each. */
export async function listWordsStarting(
  db: Db,
  scope: Scope,
  prefixes: readonly string[],
  limitEach: number,
): Promise<VocabularyWord[]> {
  if (prefixes.length === 0) return []
  // One select a prefix: a condition with `or` would read the vocabulary from end to end.
  const selects = prefixes.map(
    (prefix) => sql`select word, term from (
      select word, term from search_words
      where account_id = ${scope.accountId} and space_id = ${scope.spaceId}
        and word >= ${prefix} and word < ${`${prefix}\u{10fffd}`}
      order by word limit ${limitEach}
    ) as starting`,
  )
  const { rows } = await sql<VocabularyWord>`${sql.join(selects, sql` union all `)}`.execute(db)
  return rows
}
