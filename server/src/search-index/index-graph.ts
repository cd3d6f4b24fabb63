import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Metadata } from '@loci/contract/metadata'
import type { PassagesTable } from '../db/schema.ts'
import { chunksOf } from '../lib/chunks.ts'
import { breathe } from '../lib/turns.ts'
import type { Scope } from '../scope.ts'
import { type IndexedText, indexNames, indexText, type NamedEntity, type Word } from './index-text.ts'
import { toObservationMetadataTerms, withoutMetadata } from './metadata-terms.ts'
import {
  listNamePassages,
  listPassagesOf,
  movePassages,
  namePosition,
  nextPositions,
  noObservation,
  updateTerms,
} from './passages.repo.ts'
import type { Index } from './posting-lists.ts'
import {
  dropPassages,
  type IndexWrite,
  type NewPassage,
  replaceTerms,
  storePassages,
} from './store-passages.ts'

export type EntityToIndex = NamedEntity & {
  id: number
  createdAt: number
  /** What `indexNames` returns for it, if the caller has it already. */
  indexed?: IndexedText | undefined
}
export type ObservationToIndex = {
  id: number
  entityId: number
  content: string
  metadata?: Metadata | undefined
  createdAt: number
  /** What `indexText` returns for it, if the caller has it already. */
  indexed?: IndexedText | undefined
}

/** SQLite answers on our thread. */
const passagesPerStatement = 500

/** Makes entities findable by name, type and metadata, and their first observations, in the order given. */
export async function indexNewEntities(
  index: IndexWrite,
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

/** Makes more observations findable, in the order given. */
export async function indexObservations(
  index: IndexWrite,
  scope: Scope,
  observations: readonly ObservationToIndex[],
): Promise<void> {
  if (observations.length === 0) return
  const entityIds = [...new Set(observations.map((observation) => observation.entityId))]
  const positions = await nextPositions(index.db, index.dialect, scope, entityIds)
  const words = new Map<string, string>()
  await storePassages(index, scope, await toTextPassages(observations, positions, words), words)
}

/** Indexes the name, type and metadata of an entity anew. */
export async function reindexEntity(index: IndexWrite, scope: Scope, entity: EntityToIndex): Promise<void> {
  await dropPassages(index, scope, await listNamePassages(index.db, index.dialect, scope, [entity.id]))
  const words = new Map<string, string>()
  await storePassages(index, scope, [toEntityPassage(entity, words)], words)
}

/** Indexes an observation anew whose text is another now. It keeps its place, but for what became longer. */
export async function reindexObservation(
  index: IndexWrite,
  scope: Scope,
  observation: ObservationToIndex,
): Promise<void> {
  const before = await listInOrder(index, scope, observation.id)
  const words = new Map<string, string>()
  const positions = await nextPositions(index.db, index.dialect, scope, [observation.entityId])
  const passages = await toTextPassages([observation], positions, words)
  await dropPassages(index, scope, before)
  const inPlace = passages.map((passage, i) => {
    const { id, position } = before[i] ?? passage
    return { ...passage, id, position }
  })
  await storePassages(index, scope, inPlace, words)
}

/** Indexes the metadata of an observation anew; its text, and so its vectors, are the same as before. */
export async function reindexObservationMetadata(
  index: Index,
  scope: Scope,
  observationId: number,
  metadata: Metadata | undefined,
): Promise<void> {
  const [first] = await listInOrder(index, scope, observationId)
  if (first === undefined) return
  const before = first.terms.split(' ')
  const terms = [...withoutMetadata(before), ...toObservationMetadataTerms(metadata)]
  await replaceTerms(index, scope, { id: first.id, before, terms })
  await updateTerms(index.db, scope, { ...first, terms: terms.join(' ') })
}

/** Puts observations, in the order given, after what is known of another entity, to which they belong now. */
export async function moveIndexedObservations(
  { db, dialect }: Index,
  scope: Scope,
  ids: readonly number[],
  entityId: number,
): Promise<void> {
  const rows = await listPassagesOf(db, dialect, scope, 'observation_id', ids)
  const passagesOf = Map.groupBy(rows, (row) => row.observation_id)
  const first = (await nextPositions(db, dialect, scope, [entityId])).get(entityId) ?? 0
  const moved = ids.flatMap((id) => inOrder(passagesOf.get(id) ?? []))
  const places = moved.map(({ id }, i) => ({ id, position: first + i }))
  for (const some of chunksOf(places, passagesPerStatement)) {
    await breathe()
    await movePassages(db, dialect, scope, entityId, some)
  }
}

const inOrder = (passages: readonly PassagesTable[]) => passages.toSorted((a, b) => a.position - b.position)

async function listInOrder({ db, dialect }: Index, scope: Scope, observationId: number) {
  return inOrder(await listPassagesOf(db, dialect, scope, 'observation_id', [observationId]))
}

function toEntityPassage(entity: EntityToIndex, words: Map<string, string>): NewPassage {
  const { passages, words: learnt } = entity.indexed ?? indexNames(entity)
  learn(words, learnt)
  return {
    id: entity.id,
    entity_id: entity.id,
    observation_id: noObservation,
    position: namePosition,
    created_at: entity.createdAt,
    pieces: 1,
    ...passages[0]!,
  }
}

/** Counts on in `positions`, the next place of each entity that has passages already. */
async function toTextPassages(
  observations: readonly ObservationToIndex[],
  positions: Map<number, number>,
  words: Map<string, string>,
): Promise<NewPassage[]> {
  const passages: NewPassage[] = []
  for (const { id, entityId, content, metadata, createdAt, indexed } of observations) {
    await breathe()
    const text = indexed ?? indexText(content, metadata)
    learn(words, text.words)
    for (const [piece, { terms, searched, length }] of text.passages.entries()) {
      const position = positions.get(entityId) ?? 0
      positions.set(entityId, position + 1)
      passages.push({
        id: piece === 0 ? id : undefined,
        entity_id: entityId,
        observation_id: id,
        position,
        pieces: text.passages.length,
        created_at: createdAt,
        terms,
        searched,
        length,
      })
    }
  }
  return passages
}

export async function unindexObservations(index: Index, scope: Scope, ids: readonly number[]): Promise<void> {
  const { db, dialect } = index
  await dropPassages(index, scope, await listPassagesOf(db, dialect, scope, 'observation_id', ids))
}

export async function unindexEntities(index: Index, scope: Scope, ids: readonly number[]): Promise<void> {
  for (;;) {
    const limit = passagesPerStatement
    const some = await listPassagesOf(index.db, index.dialect, scope, 'entity_id', ids, limit)
    await dropPassages(index, scope, some)
    if (some.length < limit) return
    await breathe()
  }
}

/**
 * Makes searches fast again after much was stored in many transactions. In short steps, between which others write;
 * it may end anywhere and be begun again.
 */
export async function settleIndex({ db, dialect }: Index): Promise<void> {
  while (await dialect.transaction(db, (tx) => dialect.postings.settle(tx))) await nextTurn()
}

/** Remembers how words are written, to correct and complete what is asked. A word once learnt stays. */
function learn(words: Map<string, string>, learnt: readonly Word[]): void {
  for (const { surface, term } of learnt) if (!words.has(surface)) words.set(surface, term)
}
