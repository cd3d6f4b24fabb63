import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Metadata } from '@loci/contract/metadata'
import type { Scope } from '../auth/actor.ts'
import type { PassagesTable } from '../db/schema.ts'
import { breathe } from '../lib/turns.ts'
import { type Analysis, analyse } from './analyser.ts'
import { listUnknownWords, rememberWords } from './known-words.ts'
import { metadataTerms, toObservationMetadataTerms, withoutMetadata } from './metadata-terms.ts'
import { toLettersTerms } from './name-letters.ts'
import { type PassageTerms, searchedTerms, toEntityTerms, toPassages } from './passages.ts'
import type { Index } from './posting-lists.ts'
import {
  addToIndexedSpace,
  deletePassages,
  enterSpace,
  type IndexedSpace,
  insertPassages,
  insertWords,
  listNamePassages,
  listPassagesOf,
  listStoredWords,
  nextPositions,
} from './search-index.repo.ts'
import { gramTermsOf, isVocabularyWord } from './vocabulary.ts'

export type EntityToIndex = { id: string; name: string; type: string; metadata: Metadata; createdAt: number }
export type ObservationToIndex = {
  id: string
  entityId: string
  content: string
  metadata?: Metadata | undefined
  createdAt: number
}

type NewPassage = Pick<PassagesTable, 'entity_id' | 'observation_id' | 'position' | 'created_at' | 'pieces'> &
  PassageTerms

/** Makes new entities findable by name, type and metadata, and their first observations, in the order given. */
export async function indexNewEntities(
  index: Index,
  scope: Scope,
  entities: readonly EntityToIndex[],
  observations: readonly ObservationToIndex[],
): Promise<void> {
  if (entities.length === 0) return
  const words = new Map<string, string>()
  const names = entities.map((entity) => toEntityPassage(entity, words))
  const texts = await toTextPassages(observations, new Map(), words)
  await storePassages(index, scope, [...names, ...texts], words)
}

/** Indexes the name, type and metadata of an entity anew. */
export async function reindexEntity(index: Index, scope: Scope, entity: EntityToIndex): Promise<void> {
  await dropPassages(index, scope, await listNamePassages(index.db, index.dialect, scope, [entity.id]))
  const words = new Map<string, string>()
  await storePassages(index, scope, [toEntityPassage(entity, words)], words)
}

/** Indexes the metadata of an observation anew; its passages stay where they are. */
export async function reindexObservationMetadata(
  index: Index,
  scope: Scope,
  observationId: string,
  metadata: Metadata,
): Promise<void> {
  const { db, dialect } = index
  const rows = await listPassagesOf(db, dialect, scope, 'observation_id', [observationId])
  const first = rows.toSorted((a, b) => a.position - b.position)[0]
  if (first === undefined) return
  const space = await enterSpace(db, scope)
  const written = withoutMetadata(first.terms.split(' '))
  const terms = [...written, ...toObservationMetadataTerms(metadata)]
  await dialect.postings.remove(db, space, [{ id: first.id, terms: searchedTerms(first.terms.split(' ')) }])
  await deletePassages(db, dialect, scope, [first.id])
  await insertPassages(db, dialect, [{ ...first, terms: terms.join(' ') }])
  await dialect.postings.add(db, space, [{ id: first.id, terms: searchedTerms(terms) }])
}

/** Makes more observations findable, in the order given. */
export async function indexObservations(
  index: Index,
  scope: Scope,
  observations: readonly ObservationToIndex[],
): Promise<void> {
  if (observations.length === 0) return
  const entityIds = [...new Set(observations.map((observation) => observation.entityId))]
  const positions = await nextPositions(index.db, index.dialect, scope, entityIds)
  const words = new Map<string, string>()
  await storePassages(index, scope, await toTextPassages(observations, positions, words), words)
}

function toEntityPassage(entity: EntityToIndex, words: Map<string, string>): NewPassage {
  const name = analyse(entity.name)
  const type = analyse(entity.type)
  learn(words, name)
  learn(words, type)
  return {
    entity_id: entity.id,
    observation_id: '',
    position: -1,
    created_at: entity.createdAt,
    length: 0,
    pieces: 1,
    terms: [...toEntityTerms(name, type, metadataTerms(entity.metadata)), ...toLettersTerms(entity.name)],
  }
}

/** Counts on in `positions`, the next place of each entity that has passages already. */
async function toTextPassages(
  observations: readonly ObservationToIndex[],
  positions: Map<string, number>,
  words: Map<string, string>,
): Promise<NewPassage[]> {
  const passages: NewPassage[] = []
  for (const { id, entityId, content, metadata, createdAt } of observations) {
    await breathe()
    const analysis = analyse(content)
    learn(words, analysis)
    const pieces = toPassages(content, analysis)
    pieces[0]?.terms.push(...toObservationMetadataTerms(metadata))
    for (const { terms, length } of pieces) {
      const position = positions.get(entityId) ?? 0
      positions.set(entityId, position + 1)
      const of = { entity_id: entityId, observation_id: id, pieces: pieces.length }
      passages.push({ ...of, position, created_at: createdAt, length, terms })
    }
  }
  return passages
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

/**
 * Makes searches fast again after much was stored in many transactions. In short steps, between which others write;
 * it may end anywhere and be begun again.
 */
export async function settleIndex({ db, dialect }: Index): Promise<void> {
  while (await dialect.transaction(db, (tx) => dialect.postings.settle(tx))) await nextTurn()
}

/** Stores passages, and what their words (each with its term) add to the vocabulary. */
async function storePassages(
  { db, dialect }: Index,
  scope: Scope,
  passages: readonly NewPassage[],
  words: ReadonlyMap<string, string>,
): Promise<void> {
  const space = await enterSpace(db, scope)
  const unknown = listUnknownWords(dialect, space.number, words.keys())
  const stored = await listStoredWords(db, dialect, scope, unknown)
  rememberWords(db, dialect, space.number, unknown)
  const rows: PassagesTable[] = []
  for (const [index, passage] of passages.entries()) {
    await breathe()
    rows.push({ ...keyOf(space, index), ...passage, terms: passage.terms.join(' ') })
  }
  const fresh = unknown
    .filter((word) => !stored.has(word))
    .map((word, index) => ({ ...keyOf(space, rows.length + index), word, term: words.get(word)! }))
  await insertPassages(db, dialect, rows)
  await insertWords(db, dialect, fresh)
  const posted = function* () {
    for (const [index, { id }] of rows.entries()) yield { id, terms: searchedTerms(passages[index]!.terms) }
    for (const { id, word } of fresh) yield { id, terms: gramTermsOf(word) }
  }
  await dialect.postings.add(db, space, posted())
  await addToIndexedSpace(db, scope, { ids: rows.length + fresh.length, ...countsOf(rows, 1) })
}

/** Key of the row that comes `index` places after the last of the space. */
function keyOf({ number, nextId }: IndexedSpace, index: number) {
  return { space_number: number, id: nextId + index }
}

async function dropPassages(
  { db, dialect }: Index,
  scope: Scope,
  rows: readonly PassagesTable[],
): Promise<void> {
  if (rows.length === 0) return
  const space = await enterSpace(db, scope)
  const posted = rows.map(({ id, terms }) => ({ id, terms: searchedTerms(terms.split(' ')) }))
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
function learn(words: Map<string, string>, { tokens }: Analysis): void {
  for (const { surface, term, isStop } of tokens) {
    if (!isStop && !words.has(surface) && isVocabularyWord(surface)) words.set(surface, term)
  }
}
