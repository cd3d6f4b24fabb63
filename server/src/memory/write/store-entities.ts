import type { Metadata } from '@loci/contract/metadata'
import type { ObservationFields, ObservationInput, StaleFile } from '@loci/contract/observations'
import { textChunksOf } from '../../ground/lib/chunks.ts'
import { toEntityColumns, toObservationColumns } from '../../rows/codec.ts'
import { charactersMin, indexInThread } from '../../search/analyse/analyse-in-thread.ts'
import type { IndexedText } from '../../search/analyse/index-text.ts'
import { indexNewEntities, indexObservations } from '../../search/store/index-graph.ts'
import type { EntitiesTable, ObservationsTable } from '../../store/schema.ts'
import { linkReplaced, requireIds } from './replacements.ts'
import { touchEntities } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'
import { beginRows } from './write-rows.ts'

export const firstVersion = 1

/**
 * An entity to store. Only imports give times and numbers (which the write assigned); others get the
 * server's.
 */
export type EntityToStore = {
  name: string
  /** Must be free, like names; only imports give these. */
  aliases?: readonly string[] | undefined
  type: string
  metadata?: Metadata | undefined
  observations?: readonly ObservationToStore[] | undefined
} & Imported
type ObservationWithFields = Partial<ObservationFields> & {
  content: string
  /** Only imports give these. */
  replacedBy?: string | undefined
  stale?: StaleFile[] | undefined
} & Imported
export type ObservationToStore = ObservationInput | ObservationWithFields

type Imported = {
  id?: number | undefined
  createdAt?: number | undefined
  updatedAt?: number | undefined
  /** The result of `indexNames` or `indexText`, if the caller already has it. */
  indexed?: IndexedText | undefined
}

/** Observations for an existing entity; only imports give `updatedAt` (milliseconds). */
export type Addition = { entity: number; observations: readonly ObservationToStore[]; updatedAt?: number }

type NewObservation = ObservationWithFields & { id: number; entityId: number; createdAt: number }

/** A new entity with its observations, as rows. */
export type NewEntity = { entity: EntitiesTable; observations: ObservationsTable[] }

/** How what new observations replace is ended: strictly, or as far as it is there. */
export type LinkStored = (write: GraphWrite, stored: readonly ObservationsTable[]) => Promise<void>

/** Stores entities with their observations. The caller has checked that the names are free. */
export async function storeEntities(
  write: GraphWrite,
  inputs: readonly EntityToStore[],
  link: LinkStored = linkReplaced,
): Promise<NewEntity[]> {
  const given = inputs.map(({ observations = [] }) => observations.map(toFields))
  const takeId = numbering(write, [...inputs, ...given.flat()])
  const entities: (EntityToStore & { id: number })[] = []
  const observations: NewObservation[][] = []
  for (const [index, input] of inputs.entries()) {
    const entity = { ...input, id: takeId(input) }
    entities.push(entity)
    observations.push(toNewObservations(write, entity.id, given[index]!, takeId))
  }
  const rows = await insertNewEntities(write, entities)
  const stored = await insertNewObservations(write, observations.flat())
  const rowsOf = takerOf(stored)
  const named = entities.map(({ metadata = {}, ...entity }) => ({ ...entity, metadata }))
  await indexNewEntities(write, write.scope, named, observations.flat())
  await link(write, stored)
  return rows.map((entity, index) => ({ entity, observations: rowsOf(observations[index]!) }))
}

/** Gives as many of the rows as a list has, one list after the other. */
function takerOf<Row>(rows: readonly Row[]): (list: readonly unknown[]) => Row[] {
  let next = 0
  return ({ length }) => {
    next += length
    return rows.slice(next - length, next)
  }
}

/** Adds observations to existing entities; returns their rows entity by entity, in the order given. */
export async function storeObservations(
  write: GraphWrite,
  additions: readonly Addition[],
  link: LinkStored = linkReplaced,
): Promise<ObservationsTable[][]> {
  const given = additions.map(({ observations }) => observations.map(toFields))
  const takeId = numbering(write, given.flat())
  const added = additions.map(({ entity }, index) => toNewObservations(write, entity, given[index]!, takeId))
  const stored = await insertNewObservations(write, added.flat())
  const rowsOf = takerOf(stored)
  await indexObservations(write, write.scope, added.flat())
  const touches = new Map<number, { id: number; at: number; observations: number }>()
  for (const { entity, observations, updatedAt = write.at } of additions) {
    if (observations.length === 0) continue
    const before = touches.get(entity)?.observations ?? 0
    touches.set(entity, { id: entity, at: updatedAt, observations: before + observations.length })
  }
  await touchEntities(write.db, write.scope, [...touches.values()])
  await link(write, stored)
  return added.map(rowsOf)
}

type MaybeNumbered = { id?: number | undefined }

/** Assigns each item its own number, or the next of a reserved range for items without one. */
function numbering(
  { takeIds }: GraphWrite,
  things: readonly MaybeNumbered[],
): (thing: MaybeNumbered) => number {
  let next = takeIds(things.filter(({ id }) => id === undefined).length)
  return ({ id }) => id ?? next++
}

/** The fields of an observation that may be given as a plain text. */
export const toFields = (input: ObservationToStore): ObservationWithFields =>
  typeof input === 'string' ? { content: input } : input

const toNewObservations = (
  { at }: GraphWrite,
  entityId: number,
  observations: readonly ObservationWithFields[],
  takeId: (thing: MaybeNumbered) => number,
): NewObservation[] =>
  observations.map((given) => {
    requireIds(given.replaces)
    return { ...given, id: takeId(given), entityId, createdAt: given.createdAt ?? at }
  })

async function insertNewEntities(
  write: GraphWrite,
  entities: readonly (EntityToStore & { id: number })[],
): Promise<EntitiesTable[]> {
  const { at } = write
  const rows = await beginRows(
    write,
    'entities',
    entities.map(({ id, createdAt = at, updatedAt = createdAt, observations = [], ...entity }) => ({
      id,
      ...toEntityColumns({ ...entity, metadata: entity.metadata ?? {} }),
      observations_count: observations.length,
      degree: 0,
      version: firstVersion,
      created_at: createdAt,
      updated_at: updatedAt,
      since_observations: 0,
    })),
  )
  write.noteNames(rows)
  return rows
}

const insertNewObservations = (
  write: GraphWrite,
  observations: readonly NewObservation[],
): Promise<ObservationsTable[]> =>
  beginRows(
    write,
    'observations',
    observations.map((observation) => ({
      id: observation.id,
      entity_id: observation.entityId,
      ...toObservationColumns(observation),
      until_before: null,
      created_at: observation.createdAt,
      updated_at: observation.updatedAt ?? null,
    })),
  )

/** Sent together, so that calls take turns on the thread and no response is large enough to block us. */
export const charactersPerJob = 32_000

type WithTexts = { observations?: readonly ObservationToStore[] | undefined }

/**
 * Analyses long texts in another thread before the write begins, so that neither readers nor other
 * writers wait for it. Short texts are left to the write.
 */
export async function analyseAhead<T extends WithTexts>(inputs: readonly T[]): Promise<readonly T[]> {
  const texts = inputs.flatMap(({ observations = [] }) => observations.map(toFields))
  if (texts.reduce((sum, { content }) => sum + content.length, 0) < charactersMin) return inputs
  const indexed = new Map<ObservationToStore, IndexedText>()
  for (const job of textChunksOf(texts, charactersPerJob)) {
    const answers = await indexInThread(job.map(({ content, metadata }) => ({ content, metadata })))
    for (const [i, text] of job.entries()) indexed.set(text, answers[i]!)
  }
  let next = 0
  const withAnalysis = () => {
    const text = texts[next++]!
    return { ...text, indexed: indexed.get(text) }
  }
  return inputs.map((input) =>
    input.observations === undefined
      ? input
      : { ...input, observations: input.observations.map(withAnalysis) },
  )
}
