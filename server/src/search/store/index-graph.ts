import { setImmediate as nextTask } from 'node:timers/promises'
import type { Metadata } from '@loci/contract/metadata'
import { chunksOf, textChunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { indexTextOf } from '../analyse/analyse-in-thread.ts'
import { type IndexedText, indexNames, type NamedEntity } from '../analyse/index-text.ts'
import type { Word } from '../analyse/pieces.ts'
import { type Index, postingsOf } from './posting-lists.ts'
import {
  dropPassages,
  type IndexWrite,
  type NewPassage,
  type ReplacedTerms,
  replaceTerms,
  storePassages,
} from './store-passages.ts'

export type EntityToIndex = NamedEntity & {
  id: number
  /** The result of `indexNames`, if the caller already has it. */
  indexed?: IndexedText | undefined
}
export type ObservationToIndex = {
  id: number
  content: string
  metadata?: Metadata | undefined
  /** The result of `indexText`, if the caller already has it. */
  indexed?: IndexedText | undefined
}

/** Indexes entities by name, type and metadata, with their first observations. */
export async function indexNewEntities(
  index: IndexWrite,
  scope: Scope,
  entities: readonly EntityToIndex[],
  observations: readonly ObservationToIndex[],
): Promise<void> {
  if (entities.length === 0) return
  let words = new Map<string, string>()
  let passages: NewPassage[] = []
  for (const entity of entities) {
    await breathe()
    passages.push(toNamePassage(entity, words))
  }
  for (const some of textChunksOf(observations, charactersPerSlice)) {
    passages.push(...(await toTextPassages(some, words)))
    await storePassages(index, scope, passages, words)
    passages = []
    words = new Map()
  }
  if (passages.length > 0) await storePassages(index, scope, passages, words)
}

/** Indexes further observations. */
export async function indexObservations(
  index: IndexWrite,
  scope: Scope,
  observations: readonly ObservationToIndex[],
): Promise<void> {
  if (observations.length === 0) return
  for (const some of textChunksOf(observations, charactersPerSlice)) {
    const words = new Map<string, string>()
    await storePassages(index, scope, await toTextPassages(some, words), words)
  }
}

/** A few thousand words of passages at a time, so that the lists built from them block nobody. */
const charactersPerSlice = 250_000

type Change<Row> = { before: Row; after: Row }

/** Entities per step: their common words are then posted anew once for all of them. */
const entitiesPerStep = 500

/** Reindexes the names, types and metadata of entities. */
export async function reindexEntities(
  index: IndexWrite,
  scope: Scope,
  changes: readonly Change<EntityToIndex>[],
): Promise<void> {
  for (const some of chunksOf(changes, entitiesPerStep)) {
    const words = new Map<string, string>()
    const replaced: ReplacedTerms[] = []
    for (const { before, after } of some) {
      await breathe()
      const { searched } = toNamePassage(after, words)
      replaced.push({ id: after.id, before: () => searchedOfEntity(before), after: searched })
    }
    await replaceTerms(index, scope, replaced)
    await storePassages(index, scope, [], words)
  }
}

/** Reindexes an observation whose text or metadata has changed. */
export async function reindexObservation(
  index: IndexWrite,
  scope: Scope,
  { before, after }: Change<ObservationToIndex>,
): Promise<void> {
  if (after.content === before.content) return reindexMetadata(index, scope, { before, after })
  await unindexObservations(index, scope, [before])
  await indexObservations(index, scope, [after])
}

/** The text is unchanged, and so are its vectors. */
async function reindexMetadata(
  index: IndexWrite,
  scope: Scope,
  { before, after }: Change<ObservationToIndex>,
): Promise<void> {
  const [was] = (await indexTextOf(before)).passages
  const [is] = (await indexTextOf(after)).passages
  if (was === undefined || is === undefined || was.searched === is.searched) return
  await replaceTerms(index, scope, [{ id: after.id, before: () => was.searched, after: is.searched }])
}

function toNamePassage(entity: EntityToIndex, words: Map<string, string>): NewPassage {
  const { passages, words: learnt } = entity.indexed ?? indexNames(entity)
  learn(words, learnt)
  return { kind: 'name', of: entity.id, part: 0, ...passages[0]! }
}

export async function toTextPassages(
  observations: readonly ObservationToIndex[],
  words: Map<string, string>,
): Promise<NewPassage[]> {
  const passages: NewPassage[] = []
  for (const observation of observations) {
    await breathe()
    const text = observation.indexed ?? (await indexTextOf(observation))
    learn(words, text.words)
    for (const [part, passage] of text.passages.entries())
      passages.push({ kind: 'text', of: observation.id, part, ...passage })
  }
  return passages
}

export async function unindexObservations(
  index: IndexWrite,
  scope: Scope,
  observations: readonly ObservationToIndex[],
): Promise<void> {
  await dropPassages(index, scope, await toTextPassages(observations, new Map()))
}

export async function unindexEntities(
  index: IndexWrite,
  scope: Scope,
  entities: readonly EntityToIndex[],
): Promise<void> {
  const { removesByTerms } = postingsOf(index.dialect)
  const passages: NewPassage[] = []
  for (const entity of entities) {
    await breathe()
    const searched = removesByTerms ? searchedOfEntity(entity) : ''
    passages.push({ kind: 'name', of: entity.id, part: 0, length: 0, searched })
  }
  await dropPassages(index, scope, passages)
}

/** The posted terms of an entity's names, type and metadata. */
export const searchedOfEntity = (entity: EntityToIndex): string => toNamePassage(entity, new Map()).searched

/**
 * Makes searches fast again after many transactions stored data. Runs in short steps between which
 * others can write; it can be interrupted anywhere and restarted.
 */
export async function settleIndex({ db, dialect }: Index): Promise<void> {
  while (await dialect.transaction(db, (tx) => postingsOf(dialect).settle(tx))) await nextTask()
}

/** Records how words are written, to correct and complete questions. A learnt word is never removed. */
function learn(words: Map<string, string>, learnt: readonly Word[]): void {
  for (const { surface, term } of learnt) if (!words.has(surface)) words.set(surface, term)
}
