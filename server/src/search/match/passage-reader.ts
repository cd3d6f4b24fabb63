import type { Metadata } from '@loci/contract/metadata'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { createPace } from '../../ground/lib/pace.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { rankedPassagesOf } from '../analyse/analyse-in-thread.ts'
import { type AskedWords, nothingAsked } from '../analyse/asked-words.ts'
import { readAskedPassage } from '../analyse/index-text.ts'
import type { ReadPassage } from '../analyse/read-passages.ts'
import { timesOfFact } from '../analyse/times/fact-times.ts'
import { listAfter, listAround } from '../store/around.repo.ts'
import type { Around, EntityLabel, PassageRow } from '../store/index-rows.ts'
import { listFurtherPassages } from '../store/passages.repo.ts'
import {
  countFurtherPassages,
  findParts,
  findPassageRows,
  listFirstObservations,
  type PassageFilter,
  type PassagePart,
} from '../store/search.repo.ts'
import type { WithMemory } from '../store/search-index.repo.ts'
import type { Passage } from './count-words.ts'
import { createPassageOrder } from './passage-order.ts'
import { weights } from './weights.ts'

/**
 * The passages used by one search. Only their postings are stored, so their texts are analysed here. A passage is
 * always the same object; its position is valid once it has been placed.
 */
export type PassageReader = {
  /** The passages with these ids that pass the filter, in this order, at most `limit`. */
  find: (ids: readonly number[], limit?: number) => Promise<Passage[]>
  /** Finds out which of these passages are neighbours. */
  place: (passages: readonly Passage[]) => Promise<void>
  /** Loads the observations around those of the passages, within the neighbour distance. */
  surround: (passages: readonly Passage[]) => Promise<void>
  /** The passages within the neighbour distance that pass the filter. `surround` must have been called for these. */
  findNeighbours: (passages: readonly Passage[]) => Promise<Passage[]>
  /** The first passages of entities, `count` of each. */
  findOpenings: (entityIds: readonly number[], count: number) => Promise<Passage[]>
  /** The entities of all passages found. */
  labels: Map<number, EntityLabel>
  /** The observations around one loaded by `surround`, nearest first. */
  around: (observationId: number) => Around | undefined
  /** An observation that was read. */
  observation: (observationId: number) => ReadObservation | undefined
}

/** Texts read by one statement: a long one has 64 KiB. */
const textsPerRead = 200

/** Reads twice the neighbour distance after, which also gives the places of the neighbours without another query. */
const surrounding = { beforeMax: weights.neighboursMax, afterMax: 2 * weights.neighboursMax }

/** `createdAt` in milliseconds. */
export type ReadObservation = Pick<
  PassageRow,
  'content' | 'createdAt' | 'trueFrom' | 'trueUntil' | 'expiresAt' | 'replacedBy' | 'stale'
>

type SearchedSpace = WithMemory & { hasFurther: boolean }

/** Where the searched texts stand. Each is of an entity, or of what takes its place, and is one of a sequence. */
export type SearchedTexts = {
  findRows: typeof findPassageRows
  listAround: typeof listAround
  listAfter: typeof listAfter
  listFirst: typeof listFirstObservations
}

const observationTexts: SearchedTexts = {
  findRows: findPassageRows,
  listAround,
  listAfter,
  listFirst: listFirstObservations,
}

/** @param asked the words of the question; other terms may be missing from the passages */
export function createPassageReader(
  { db, now }: Pick<Context, 'db' | 'dialect' | 'now'>,
  space: SearchedSpace,
  filter: PassageFilter,
  asked: AskedWords = nothingAsked,
  source: SearchedTexts = observationTexts,
): PassageReader {
  const texts = new Map<number, Passage[]>()
  const observations = new Map<number, ReadObservation>()
  const labels = new Map<number, EntityLabel>()
  const around = new Map<number, Around>()
  const further = new Map<number, number>()
  const order = createPassageOrder(texts, further)
  /** Knows the places of all passages, which else are found out from what was read. */
  const { memory } = space
  const pace = createPace()

  async function open(rows: readonly PassageRow[]): Promise<void> {
    const read = new Map<number, Passage[]>()
    for (const row of rows) {
      const resting = pace()
      if (resting !== undefined) await resting
      read.set(row.id, readAtOnce(row, space, asked) ?? (await toPassages(row, space)))
    }
    const long = [...read].filter(([, passages]) => passages.length > 1).map(([id]) => id)
    for (const { id, observationId, part } of await listFurtherPassages(db, space, long)) {
      const passage = read.get(observationId)?.[part]
      if (passage !== undefined) passage.id = id
    }
    for (const row of rows) {
      const { id, entityId, name, type } = row
      const passages = read.get(id)!
      texts.set(id, passages)
      observations.set(id, row)
      labels.set(entityId, { id: entityId, name, type })
      if (memory === undefined) order.add(entityId, [id])
      else {
        const place = memory.placeOf(id, entityId)
        for (const [part, passage] of passages.entries()) passage.position = place + part
      }
    }
  }

  function idsAround(observationId: number): number[] {
    const { before = [], after = [] } = around.get(observationId) ?? {}
    return [...before.toReversed(), observationId, ...after]
  }

  /** @param observationIds those that may not have been opened */
  async function settle(observationIds: readonly number[]): Promise<void> {
    if (memory !== undefined) return
    if (space.hasFurther) {
      const uncounted = new Set(observationIds.filter((id) => !texts.has(id) && !further.has(id)))
      for (const { id, count } of await countFurtherPassages(db, space, [...uncounted]))
        further.set(id, count)
    }
    order.settle()
  }

  /** Opens observations, some at a time; with `limit`, until as many of `wanted` are open. */
  async function openAll(wanted: readonly number[], limit = Number.POSITIVE_INFINITY): Promise<void> {
    const missing = [...new Set(wanted)].filter((id) => !texts.has(id))
    for (const some of chunksOf(missing, textsPerRead)) {
      await open(await source.findRows(db, space, some, filter, now()))
      if (wanted.filter((id) => texts.has(id)).length >= limit) break
      await pace()
    }
    if (memory === undefined) order.settle()
  }

  return {
    labels,
    around: (id) => around.get(id),
    observation: (id) => observations.get(id),
    async find(ids, limit) {
      const parts = space.hasFurther ? await findParts(db, space, ids) : new Map<number, PassagePart>()
      const wanted = ids.map((id) => parts.get(id) ?? { observationId: id, part: 0 })
      const observationIds = wanted.map(({ observationId }) => observationId)
      await openAll(observationIds, limit)
      return wanted
        .flatMap(({ observationId, part }) => texts.get(observationId)?.[part] ?? [])
        .slice(0, limit)
    },
    async place(passages) {
      if (memory !== undefined) return
      const unknown = order.listUnknown(passages)
      const entityOf = new Map(unknown.map(({ id, entityId }) => [id, entityId]))
      const found = await source.listAfter(db, space, unknown, weights.neighboursMax)
      for (const { id, after } of found) order.add(entityOf.get(id)!, [id, ...after])
      await settle(found.flatMap(({ after }) => after))
    },
    async surround(passages) {
      const asked = new Map(passages.map(({ observationId: id, entityId }) => [id, { id, entityId }]))
      const unknown = [...asked.values()].filter(({ id }) => !around.has(id))
      const found = await source.listAround(db, space, unknown, surrounding)
      for (const { id, before, after } of found) {
        around.set(id, { before, after: after.slice(0, weights.neighboursMax) })
        if (memory === undefined) order.add(asked.get(id)!.entityId, [...before.toReversed(), id, ...after])
      }
      await settle(found.flatMap(({ id, before, after }) => [...before, id, ...after]))
    },
    async findNeighbours(passages) {
      await openAll(passages.flatMap(({ observationId }) => idsAround(observationId)))
      return passages.flatMap((passage) =>
        idsAround(passage.observationId)
          .flatMap((id) => texts.get(id) ?? [])
          .filter(({ position }) => Math.abs(position - passage.position) <= weights.neighboursMax),
      )
    },
    async findOpenings(entityIds, count) {
      const first = await source.listFirst(db, space, entityIds, count)
      await openAll(first.flat())
      return first.flatMap((ids) => ids.flatMap((id) => texts.get(id) ?? []).slice(0, count))
    },
  }
}

/** Most texts: waiting for each would take longer than reading it. */
function readAtOnce(row: PassageRow, { accountId }: Scope, asked: AskedWords): Passage[] | undefined {
  const { id, content, metadata } = row
  const known = readKnown({ accountId, id, content, metadata }, asked)
  return known && toPassagesOf(row, known)
}

async function toPassages(row: PassageRow, { accountId }: Scope): Promise<Passage[]> {
  const { id, content, metadata } = row
  return toPassagesOf(row, await readWhole({ accountId, id, content, metadata }))
}

function toPassagesOf(row: PassageRow, read: readonly ReadPassage[]): Passage[] {
  const { id, entityId, createdAt } = row
  const times = () => timesOfFact(row)
  return read.map(({ terms, length }, part) => ({
    id: part === 0 ? id : Number.NaN,
    observationId: id,
    entityId,
    position: part,
    createdAt,
    times,
    length,
    pieces: read.length,
    terms,
  }))
}

/** An observation's stored text. */
type StoredText = { accountId: number; id: number; content: string; metadata: string | null }

/** A text that was read completely. Valid for any observation with the same content and metadata. */
type Known = { content: string; metadata: string | null; passages: readonly ReadPassage[] }

/** Maximum bytes of each of the two cache generations. */
const bytesMax = 16_000_000
/** Overhead per entry, besides the characters. */
const bytesOfEntry = 300

let young = new Map<number, Known>()
let old = new Map<number, Known>()
let bytes = 0

/** A text read for more questions than this is read completely and cached. */
const readingsMin = 8
const readingsBits = 18
/** Read counts by key hash; a few texts share a slot. Reset after as many reads as there are slots. */
const readings = new Uint8Array(2 ** readingsBits)
let readingsCounted = 0

/**
 * The passages of an observation that need not be read completely: it is known, or short and read for this question only,
 * in which case terms that are not in `asked` may be missing. Undefined for others.
 */
function readKnown(text: StoredText, asked: AskedWords): readonly ReadPassage[] | undefined {
  const key = keyOf(text)
  const known = findKnown(key, text)
  if (known !== undefined) return known.passages
  if (countReading(key) > readingsMin) return undefined
  const short = readAskedPassage(text.content, metadataOf(text), asked)
  return short && [short]
}

async function readWhole(text: StoredText): Promise<readonly ReadPassage[]> {
  const { content, metadata } = text
  const passages = await rankedPassagesOf({ content, metadata: metadataOf(text) })
  keep(keyOf(text), { content, metadata, passages })
  return passages
}

const metadataOf = ({ metadata }: StoredText): Metadata | undefined =>
  metadata === null ? undefined : JSON.parse(metadata)

/** Not the text itself, which would be hashed each time. Two observations with the same key replace each other. */
const keyOf = ({ accountId, id }: StoredText) => Math.imul(accountId, 0x9e3779b1) ^ id

const isOf = (known: Known, { content, metadata }: StoredText) =>
  known.content === content && known.metadata === metadata

function findKnown(key: number, text: StoredText): Known | undefined {
  const inYoung = young.get(key)
  if (inYoung !== undefined) return isOf(inYoung, text) ? inYoung : undefined
  const inOld = old.get(key)
  if (inOld === undefined || !isOf(inOld, text)) return undefined
  keep(key, inOld)
  return inOld
}

function countReading(key: number): number {
  readingsCounted += 1
  if (readingsCounted > readings.length) {
    readings.fill(0)
    readingsCounted = 1
  }
  const place = Math.imul(key, 0x9e3779b1) >>> (32 - readingsBits)
  readings[place] = Math.min(255, readings[place]! + 1)
  return readings[place]
}

function keep(key: number, known: Known): void {
  const replaced = young.get(key)
  const size = bytesOf(known) - (replaced === undefined ? 0 : bytesOf(replaced))
  if (bytes + size > bytesMax) {
    old = young
    young = new Map()
    bytes = bytesOf(known)
  } else bytes += size
  young.set(key, known)
}

/** Upper bound, since most characters take one byte. */
function bytesOf({ content, metadata, passages }: Known): number {
  const characters = passages.reduce((sum, { terms }) => sum + terms.length, content.length)
  return bytesOfEntry + 2 * (characters + (metadata?.length ?? 0))
}
