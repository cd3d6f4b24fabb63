import type { Scope } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import type { PassagesTable } from '../db/schema.ts'
import { analyse } from './analyser.ts'
import { type PassageTerms, searchedTerms, toNameTerms, toPassages } from './passages.ts'
import {
  addGrams,
  addToIndexedSpace,
  addWords,
  deletePassages,
  enterSpace,
  insertPassages,
  listNamePassages,
  listPassagesOf,
  nextPositions,
} from './search-index.repo.ts'
import { gramsOf, isVocabularyWord } from './vocabulary.ts'

/** What the index needs of the context: the transaction of the write. */
type Index = Pick<Context, 'db' | 'dialect'>

export type EntityToIndex = { id: string; name: string; type: string; createdAt: number }
export type ObservationToIndex = { id: string; entityId: string; content: string; createdAt: number }

type NewPassage = Pick<PassagesTable, 'entity_id' | 'observation_id' | 'position' | 'created_at'> &
  PassageTerms

const rowsPerSpace = 2 ** 32

/** Makes entities findable by name and type. An entity that is indexed already is indexed anew. */
export async function indexEntities(
  index: Index,
  scope: Scope,
  entities: readonly EntityToIndex[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  if (entities.length === 0) return
  if (!isNew) {
    const ids = entities.map((entity) => entity.id)
    await dropPassages(index, scope, await listNamePassages(index.db, index.dialect, scope, ids))
  }
  const passages = entities.map((entity) => ({
    entity_id: entity.id,
    observation_id: '',
    position: -1,
    created_at: entity.createdAt,
    length: 0,
    terms: toNameTerms(entity.name, entity.type),
  }))
  await storePassages(index, scope, passages)
  await learnWords(
    index,
    scope,
    entities.map((entity) => `${entity.name} ${entity.type}`),
  )
}

/** Makes observations findable, in the order given. `areFirst` tells that their entities have none yet. */
export async function indexObservations(
  index: Index,
  scope: Scope,
  observations: readonly ObservationToIndex[],
  { areFirst }: { areFirst: boolean },
): Promise<void> {
  if (observations.length === 0) return
  const entityIds = [...new Set(observations.map((observation) => observation.entityId))]
  const positions = areFirst
    ? new Map<string, number>()
    : await nextPositions(index.db, index.dialect, scope, entityIds)
  const passages = observations.flatMap(({ id, entityId, content, createdAt }) =>
    toPassages(content).map((passage): NewPassage => {
      const position = positions.get(entityId) ?? 0
      positions.set(entityId, position + 1)
      return { entity_id: entityId, observation_id: id, position, created_at: createdAt, ...passage }
    }),
  )
  await storePassages(index, scope, passages)
  await learnWords(
    index,
    scope,
    observations.map((observation) => observation.content),
  )
}

export async function unindexObservations(index: Index, scope: Scope, ids: readonly string[]): Promise<void> {
  await dropPassages(
    index,
    scope,
    await listPassagesOf(index.db, index.dialect, scope, 'observation_id', ids),
  )
}

export async function unindexEntities(index: Index, scope: Scope, ids: readonly string[]): Promise<void> {
  await dropPassages(index, scope, await listPassagesOf(index.db, index.dialect, scope, 'entity_id', ids))
}

async function storePassages(
  { db, dialect }: Index,
  scope: Scope,
  passages: readonly NewPassage[],
): Promise<void> {
  const space = await enterSpace(db, dialect, scope)
  const rows = passages.map((passage, index) => ({
    account_id: scope.accountId,
    space_id: scope.spaceId,
    id: space.nextId + index,
    row_id: space.number * rowsPerSpace + space.nextId + index,
    ...passage,
    terms: passage.terms.join(' '),
  }))
  await insertPassages(db, dialect, rows)
  const posted = rows.map((row, index) => ({
    id: row.id,
    rowId: row.row_id,
    terms: searchedTerms(passages[index]!.terms),
  }))
  await dialect.postings.add(db, space, posted)
  await addToIndexedSpace(db, scope, { ids: rows.length, ...countsOf(rows, 1) })
}

async function dropPassages(
  { db, dialect }: Index,
  scope: Scope,
  rows: readonly PassagesTable[],
): Promise<void> {
  if (rows.length === 0) return
  const space = await enterSpace(db, dialect, scope)
  const posted = rows.map((row) => ({
    id: row.id,
    rowId: row.row_id,
    terms: searchedTerms(row.terms.split(' ')),
  }))
  await dialect.postings.remove(db, space, posted)
  await deletePassages(
    db,
    dialect,
    scope,
    rows.map((row) => row.id),
  )
  await addToIndexedSpace(db, scope, { ids: 0, ...countsOf(rows, -1) })
}

/** Names are not counted: the statistics are those of what people wrote. */
function countsOf(rows: readonly { observation_id: string; length: number }[], sign: 1 | -1) {
  const counted = rows.filter((row) => row.observation_id !== '')
  return {
    passages: sign * counted.length,
    length: sign * counted.reduce((sum, row) => sum + row.length, 0),
  }
}

/** Remembers how words are written, to correct and complete what is asked. A word once learnt stays. */
async function learnWords({ db, dialect }: Index, scope: Scope, texts: readonly string[]): Promise<void> {
  const words = new Map<string, string>()
  for (const text of texts) {
    for (const { surface, term, isStop } of analyse(text).tokens) {
      if (!isStop && !words.has(surface) && isVocabularyWord(surface)) words.set(surface, term)
    }
  }
  if (words.size === 0) return
  const fresh = await addWords(db, dialect, scope, words)
  await addGrams(
    db,
    scope,
    fresh.flatMap((word) => gramsOf(word).map((gram) => ({ gram, word }))),
  )
}
