import type { Relation } from '@loci/contract/relations'
import { pagesById } from '../../ground/lib/all-pages.ts'
import { numbersOf } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { type StoredEntity, type StoredObservation, toStoredEntity } from '../../rows/codec.ts'
import { findEntitiesById, findEntitiesByName } from '../../rows/entities.repo.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { kindOf, operationOfNumber } from '../../rows/operations.ts'
import { findRelationsByNumber } from '../../rows/relations.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { ObservationsTable, SearchWordsTable } from '../../store/schema.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { indexTextOf } from '../analyse/analyse-in-thread.ts'
import { createKeptSpaces } from './kept-spaces.ts'
import { listFurtherPassages } from './passages.repo.ts'
import { findIndexedSpace, type IndexedSpace, indexVersion, type WithMemory } from './search-index.repo.ts'
import { createSpaceMemory, type ReadRow, type SpaceMemory } from './space-memory.ts'
import { findSpaceRows, listRowsOfSpace, listSpaceChanges, type SpaceTable } from './space-rows.repo.ts'
import { listWords } from './words.repo.ts'

/** Larger spaces are searched by statements: reading a text for the index takes some 30 microseconds. */
const sizes = { passages: 5_000, entities: 5_000, relations: 20_000, length: 300_000 }
/** Larger ones are read in the background. */
const waitedFor = { passages: 300, entities: 300, relations: 1_000, length: 10_000 }
/** Of all spaces together. */
const bytesMax = 40_000_000
/** A process that asks once or twice gains nothing. */
const searchesBefore = 2
const rowsPerRead = 500
/** After more changes the space is read again. */
const changesMax = 500

const spaces = createKeptSpaces<SpaceMemory>(bytesMax)
/** Searches of spaces that are not in memory, of each database that the process has open. */
const searches = new WeakMap<Dialect, Map<string, number>>()
const searchesMax = 1_000

/**
 * A space to search, with its memory if it is small and was searched before. One statement says how it is now; what was
 * changed since, by whichever process, is read by number. Never in a transaction, which sees changes that may not be
 * committed, nor for a snapshot that is older than the memory.
 */
export async function findSearchedSpace(ctx: Context, scope: Scope): Promise<IndexedSpace | undefined> {
  const space = await findIndexedSpace(ctx.db, scope)
  if (
    space === undefined ||
    space.version !== indexVersion ||
    ctx.db.isTransaction ||
    !isWithin(space, sizes)
  )
    return space
  const memory = await readMemory(ctx, space)
  return memory === undefined ? space : { ...space, memory }
}

/** Takes a space out of this process's memory once words that left its vocabulary are committed. */
export const forgetSpaceAfter = (tx: Db, dialect: Dialect, scope: Scope): void =>
  afterCommit(tx, () => spaces.forget(dialect, scope))

const isWithin = (space: IndexedSpace, most: typeof sizes) =>
  space.passages <= most.passages &&
  space.entities <= most.entities &&
  space.relations <= most.relations &&
  space.length <= most.length

async function readMemory(ctx: Context, space: IndexedSpace): Promise<SpaceMemory | undefined> {
  for (;;) {
    const memory = spaces.find(ctx.dialect, space)
    if (memory === undefined) {
      if (!isAskedOften(ctx.dialect, space)) return undefined
      const read = {
        read: () => readAll(ctx, space),
        isWaitedFor: isWithin(space, waitedFor),
        what: 'a space',
      }
      if (!(await spaces.load(ctx, space, read))) return undefined
    } else if (memory.seq >= space.seq) return memory.seq === space.seq ? memory : undefined
    else if (!(await catchUp(ctx, space, memory))) spaces.forget(ctx.dialect, space)
  }
}

function isAskedOften(dialect: Dialect, { accountId, spaceId }: Scope): boolean {
  const key = `${accountId} ${spaceId}`
  const counts = searches.get(dialect) ?? new Map<string, number>()
  searches.set(dialect, counts)
  const before = counts.get(key) ?? 0
  if (counts.size >= searchesMax) counts.clear()
  counts.set(key, before + 1)
  return before >= searchesBefore
}

/** What changes meanwhile is read again as changes after the number at which this began. */
async function readAll(ctx: Context, space: IndexedSpace): Promise<SpaceMemory> {
  const { db } = ctx
  const memory = createSpaceMemory()
  memory.seq = space.seq
  const pace = createPace()
  for await (const rows of pagesOf(ctx, space, 'entities'))
    for (const row of rows) {
      await pace()
      memory.addEntity(row)
    }
  for await (const rows of pagesOf(ctx, space, 'observations'))
    for (const row of await toReadRows(ctx, space, rows)) {
      await pace()
      memory.addObservation(row)
    }
  for await (const rows of pagesOf(ctx, space, 'relations')) for (const row of rows) memory.addRelation(row)
  for (let words: SearchWordsTable[] | undefined; words === undefined || words.length === rowsPerRead; ) {
    words = await listWords(db, space, { after: memory.lastWord(), upTo: lastNumber, limit: rowsPerRead })
    await pace()
    memory.addWords(words)
  }
  return memory
}

const lastNumber = 2 ** 32

const pagesOf = <T extends SpaceTable>({ db }: Context, scope: Scope, table: T) =>
  pagesById(
    rowsPerRead,
    (page) => listRowsOfSpace(db, scope, table, page),
    ({ id }) => id,
  )

async function toReadRows(
  { db }: Context,
  space: IndexedSpace,
  rows: readonly ObservationsTable[],
): Promise<ReadRow[]> {
  const ids = rows.map(({ id }) => id)
  const further = space.hasFurther ? await listFurtherPassages(db, space, ids) : []
  const furtherOf = Map.groupBy(further, ({ observationId }) => observationId)
  const pace = createPace()
  const read: ReadRow[] = []
  for (const row of rows) {
    await pace()
    const metadata = row.metadata === null ? undefined : JSON.parse(row.metadata)
    const indexed = await indexTextOf({ content: row.content, metadata })
    read.push({ row, indexed, further: furtherOf.get(row.id) ?? [] })
  }
  return read
}

/** False if the log no longer tells all, or too much, or if words may have left the vocabulary. */
async function catchUp(ctx: Context, space: IndexedSpace, memory: SpaceMemory): Promise<boolean> {
  const { db } = ctx
  const { seq } = memory
  if (space.seq - seq > changesMax) return false
  const changes = (await listSpaceChanges(db, space, { above: seq, upTo: space.seq })).map(
    ({ operation, id }) => ({
      operation: operationOfNumber(operation),
      id,
    }),
  )
  if (changes.some(({ operation }) => operation.endsWith('erased'))) return false
  const idsOf = (kind: ReturnType<typeof kindOf>) => [
    ...new Set(changes.filter(({ operation }) => kindOf(operation) === kind).map(({ id }) => id)),
  ]
  const ids = [...new Set(changes.map(({ id }) => id))]
  const entities = await findSpaceRows(db, space, 'entities', idsOf('entity'))
  const rows = await findSpaceRows(db, space, 'observations', idsOf('observation'))
  const relations = await findSpaceRows(db, space, 'relations', idsOf('relation'))
  const observations = await toReadRows(ctx, space, rows)
  const words = await listWords(db, space, { after: memory.lastWord(), upTo: lastNumber, limit: wordsMax })
  // Another search was faster, or the space was forgotten.
  if (memory.seq !== seq) return true
  if (changes.length !== space.seq - seq || words.length === wordsMax) return false
  memory.drop(ids)
  for (const row of entities) memory.addEntity(row)
  for (const row of observations) memory.addObservation(row)
  for (const row of relations) memory.addRelation(row)
  memory.addWords(words)
  memory.seq = space.seq
  return true
}

const wordsMax = 10_000

/*
 * Rows as their repos read them, from memory where the space is in it: then without what is noted on them outside of the
 * change log, such as sources, and without versions and degrees.
 */

export const readObservations = async (
  db: Db,
  scope: WithMemory,
  ids: readonly string[],
): Promise<StoredObservation[]> =>
  scope.memory?.observations(numbersOf('obs', ids)) ?? findObservations(db, scope, ids)

export const readEntities = async (
  db: Db,
  scope: WithMemory,
  ids: readonly string[],
): Promise<StoredEntity[]> =>
  scope.memory?.entities(numbersOf('ent', ids)).map(toStoredEntity) ?? findEntitiesById(db, scope, ids)

export const readEntitiesNamed = async (
  db: Db,
  scope: WithMemory,
  names: readonly string[],
): Promise<StoredEntity[]> =>
  scope.memory?.entitiesNamed(names).map(toStoredEntity) ?? findEntitiesByName(db, scope, names)

export const readRelationRows = async (
  db: Db,
  scope: WithMemory,
  numbers: readonly number[],
): Promise<Relation[]> => scope.memory?.relations(numbers) ?? findRelationsByNumber(db, scope, numbers)
