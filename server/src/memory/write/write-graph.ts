import { unlimited } from '@loci/contract/plans'
import { AppError } from '../../ground/errors/app-error.ts'
import { dayOf } from '../../ground/lib/time.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { findNamed } from '../../rows/entities.repo.ts'
import type { Operation } from '../../rows/operations.ts'
import { knownSpaceNames, noteNames } from '../../search/match/names-in-memory.ts'
import { type IndexDelta, type IndexedBefore, toUnindexed } from '../../search/store/search-index.repo.ts'
import type { NamedEntityRow } from '../../search/store/space-names.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import { afterCommit, transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor, Caller } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { limitsInForce, planInForce, wayOut } from '../../tenancy/usage/plan-in-force.ts'
import { appendChanges, internActor, type RecordedChange } from '../log/append-changes.repo.ts'
import {
  addToAccount,
  addToTotals,
  addToTypeCount,
  type GraphState,
  type LockedSpace,
  lockSpace,
  timeOfWrite,
} from './counters.writes.repo.ts'

/** A graph write in progress: report every change to `record`, which maintains counters and change log. */
export type GraphWrite = {
  /** The context of the transaction. */
  ctx: Context
  db: Db
  dialect: Dialect
  scope: Scope
  /** Before the write. */
  state: GraphState
  /** Time of the write, milliseconds. */
  at: number
  /** Number of the set of all its changes, which is the number of the first one. */
  setSeq: number
  /** Number of the newest change so far, by this write or before it. */
  lastSeq: () => number
  /** Number of further entities that the plan allows; can be infinite. */
  room: number
  /** The first of `count` consecutive unused numbers of the account. */
  takeIds: (count: number) => number
  /**
   * Adds a change to the log and the counters; returns its number. `types` are the subject's own, if
   * they change.
   */
  record: (
    change: Omit<RecordedChange, 'seq'>,
    types?: { before?: string | undefined; after?: string | undefined },
  ) => number
  /** Tells the names of entities that it recorded as created. */
  noteNames: (named: readonly NamedEntityRow[]) => void
  /** Counts what search stored; returns the space's values before that. */
  addToIndex: (delta: IndexDelta) => IndexedBefore
  /** The number of the caller among the actors of the account. */
  internCaller: () => Promise<number>
  /** Counts bytes that current rows gained or, if negative, lost. */
  addBytes: (delta: number) => void
}

type Tally = {
  changes: RecordedChange[]
  types: Map<string, number>
  named: NamedEntityRow[]
  bytes: number
  nextId: number
  index: IndexDelta
}

/** A set of changes from `first` to `last`. */
export type ChangeSet = { first: number; last: number }

/** What reads of a graph need. */
export type GraphReader = Pick<GraphWrite, 'db' | 'scope'>

const underWay = new WeakMap<Db, GraphWrite>()

/**
 * The only way to change a graph. In one transaction it locks the account, runs `work`, refuses writes
 * beyond the plan, updates the counters and appends the changes that `work` recorded, as one set with
 * gapless numbers. Inside another `writeGraph` it joins that one.
 * @param previous a set of the same caller: the changes extend it, unless something was written in between
 * What waits for a review is stored as a proposal instead, with the same result.
 * Throws `plan_limit_reached`, `not_proposable`, and whatever `work` throws; then nothing is written.
 */
export async function writeGraph<T>(
  ctx: Context,
  actor: Actor,
  work: (write: GraphWrite) => Promise<T>,
  previous?: ChangeSet,
): Promise<T> {
  const outer = underWay.get(ctx.db)
  if (outer !== undefined) return work(requireScope(outer, actor))
  let accept: ((inner: Context) => Promise<void>) | undefined
  let changed = 0
  const run = async (inner: Context): Promise<T> => {
    accept = undefined
    const scope: Scope = { accountId: actor.accountId, spaceId: actor.spaceId }
    const locked = await lockSpace(inner.db, scope)
    if (locked === undefined) {
      await lockAccount(inner.db, scope.accountId)
      throw new AppError('space_not_found', 'This space was deleted')
    }
    const index = { indexed: 0, passages: 0, length: 0 }
    const tally: Tally = { changes: [], types: new Map(), named: [], bytes: 0, nextId: locked.nextId, index }
    const write = newWrite(inner, actor, locked, tally, previous)
    underWay.set(inner.db, write)
    try {
      if (actor.writes !== undefined || locked.writes !== null) {
        const { proposeIfReviewed } = await import('./proposals/propose-write.ts')
        const check = () => requireRoom(write, locked, { ...countsOf(tally.changes), bytes: tally.bytes })
        const begun = { write, locked, changes: tally.changes, check }
        const proposed = await proposeIfReviewed(begun, actor, work)
        if (proposed !== undefined) {
          accept = proposed.accept
          return proposed.result
        }
      }
      const result = await work(write)
      await settle(write, actor, locked, tally)
      changed = tally.changes.length
      const { operation } = actor
      if (tally.changes.length > 0 && operation !== undefined) {
        await operation.countIn(inner, planInForce(inner.config, locked.plan))
        operation.setSeq = write.setSeq
      }
      return result
    } finally {
      underWay.delete(inner.db)
    }
  }
  const runAll = async (inner: Context): Promise<T> => {
    const result = await run(inner)
    await accept?.(inner)
    return result
  }
  const result = await transact(ctx, actor.accountId, runAll)
  await learnSizes(ctx, changed)
  return result
}

/** After so many changes, tables can be much larger than the planner knows, which then compares all with all. */
const changesToLearn = 500
const unlearnt = new WeakMap<Dialect, number>()

/** @param changed by a call; those of earlier ones count too */
async function learnSizes({ db, dialect, log }: Context, changed: number): Promise<void> {
  if (db.isTransaction) return
  const changes = (unlearnt.get(dialect) ?? 0) + changed
  unlearnt.set(dialect, changes < changesToLearn ? changes : 0)
  if (changes < changesToLearn) return
  await dialect.updateStatistics(db).catch((error) => log.warn({ err: error }, 'statistics were not updated'))
}

/**
 * Entities by name or alias. Names that are free take no statement if this process knows all names of the space: the
 * lock of the write keeps them as they are.
 */
export async function findByName(
  { db, dialect, scope, lastSeq }: GraphWrite,
  names: readonly string[],
): Promise<Map<string, StoredEntity>> {
  const known = knownSpaceNames(dialect, scope, lastSeq())
  const asked = known === undefined ? names : names.filter((name) => known.named(name) !== undefined)
  return asked.length === 0 ? new Map() : findNamed(db, scope, asked)
}

function requireScope(write: GraphWrite, { accountId, spaceId }: Scope): GraphWrite {
  if (write.scope.accountId === accountId && write.scope.spaceId === spaceId) return write
  throw new Error('A write of one graph cannot contain a write of another')
}

function newWrite(
  ctx: Context,
  actor: Actor,
  locked: LockedSpace,
  tally: Tally,
  previous: ChangeSet | undefined,
): GraphWrite {
  const scope: Scope = { accountId: actor.accountId, spaceId: actor.spaceId }
  const { maxEntities } = limitsInForce(ctx.config, locked.plan)
  return {
    ctx,
    db: ctx.db,
    dialect: ctx.dialect,
    scope,
    state: { seq: locked.seq, entities: locked.entities, bytes: locked.bytes },
    at: timeOfWrite(ctx.now(), locked.writtenAt),
    setSeq: previous?.last === locked.seq ? previous.first : locked.seq + 1,
    lastSeq: () => locked.seq + tally.changes.length,
    room: roomOf(maxEntities, locked.entities),
    takeIds(count) {
      tally.nextId += count
      return tally.nextId - count
    },
    record(change, types = {}) {
      const seq = locked.seq + tally.changes.length + 1
      tally.changes.push({ seq, operation: change.operation, subjectId: change.subjectId })
      const kind = change.operation.startsWith('relation') ? 'relation' : 'entity'
      addType(tally.types, kind, types.before, -1)
      addType(tally.types, kind, types.after, 1)
      return seq
    },
    noteNames(named) {
      tally.named.push(...named)
    },
    addToIndex({ indexed, passages, length }) {
      const firstOrdinal = locked.indexed + tally.index.indexed + 1
      tally.index.indexed += indexed
      tally.index.passages += passages
      tally.index.length += length
      const unindexed = toUnindexed(locked.renewedTo, locked.renewingTo)
      return { firstOrdinal, embeddedTo: locked.embeddedTo ?? 0, unindexed }
    },
    async internCaller() {
      const number = await internActor(ctx.db, scope.accountId, actor, locked.nextActorId)
      if (number === locked.nextActorId) {
        const { nextId } = tally
        await addToAccount(ctx.db, scope, { nextId, nextActorId: number + 1, entities: 0, bytes: 0 })
      }
      return number
    },
    addBytes(delta) {
      tally.bytes += delta
    },
  }
}

function addType(types: Map<string, number>, kind: string, type: string | undefined, delta: number): void {
  if (type === undefined) return
  const key = `${kind}\n${type}`
  types.set(key, (types.get(key) ?? 0) + delta)
}

async function settle(write: GraphWrite, caller: Caller, locked: LockedSpace, tally: Tally): Promise<void> {
  const { changes, bytes, nextId, index } = tally
  if (changes.length === 0 && nextId === locked.nextId && index.indexed === 0) return
  const { ctx, db, scope, at } = write
  const delta = countsOf(changes)
  requireRoom(write, locked, { entities: delta.entities, bytes })
  const actorId = await internActor(db, scope.accountId, caller, locked.nextActorId)
  const nextActorId = Math.max(locked.nextActorId, actorId + 1)
  const seq = locked.seq + changes.length
  await addToTotals(db, scope, { nextId, nextActorId, bytes, ...delta, ...index, seq, writtenAt: at })
  if (changes.length === 0) return
  await appendChanges(db, scope, changes, {
    setSeq: write.setSeq,
    at,
    actorId,
    tool: caller.tool,
    behalfId: caller.behalfId,
  })
  for (const [key, count] of tally.types) {
    const kind = key.startsWith('entity') ? 'entity' : 'relation'
    if (count !== 0) await addToTypeCount(db, scope, { kind, type: key.slice(kind.length + 1), count })
  }
  const created = createdBy(changes)
  if (Object.values(created).some((count) => count > 0))
    afterCommit(db, () => ctx.usage.noteCreated({ ...scope, day: dayOf(at), ...created }))
  if (namesAll(changes, tally.named)) {
    afterCommit(db, () => noteNames(ctx.dialect, scope, { from: locked.seq, to: seq, named: tally.named }))
  }
  ctx.changes.announce(scope)
}

/** Analysing more names would keep other calls waiting; they are read when they are needed. */
const namedMax = 50

/** Whether these are the names of all entities that the changes are about. */
const namesAll = (changes: readonly RecordedChange[], named: readonly NamedEntityRow[]) =>
  named.length <= namedMax &&
  changes.filter(({ operation }) => operation.startsWith('entity')).length === named.length &&
  changes.filter(({ operation }) => operation === 'entity_created').length === named.length

type Totals = { entities: number; relations: number; observations: number }

/** The effect of each operation on the totals of its space. */
const countedBy: Partial<Record<Operation, Partial<Totals>>> = {
  entity_created: { entities: 1 },
  entity_deleted: { entities: -1 },
  entity_merged: { entities: -1 },
  observation_added: { observations: 1 },
  observation_deleted: { observations: -1 },
  relation_created: { relations: 1 },
  relation_deleted: { relations: -1 },
}

function countsOf(changes: readonly RecordedChange[]): Totals {
  const totals: Totals = { entities: 0, relations: 0, observations: 0 }
  for (const { operation } of changes) {
    const { entities = 0, relations = 0, observations = 0 } = countedBy[operation] ?? {}
    totals.entities += entities
    totals.relations += relations
    totals.observations += observations
  }
  return totals
}

function createdBy(changes: readonly RecordedChange[]) {
  const countOf = (wanted: Operation) => changes.filter(({ operation }) => operation === wanted).length
  return {
    entities: countOf('entity_created'),
    relations: countOf('relation_created'),
    observations: countOf('observation_added'),
  }
}

function roomOf(limit: number, used: number): number {
  return limit === unlimited ? Number.POSITIVE_INFINITY : Math.max(0, limit - used)
}

/** Throws `plan_limit_reached` if a write increases usage beyond the plan. */
function requireRoom(
  { ctx: { config }, room }: GraphWrite,
  { plan, entities, bytes }: LockedSpace,
  delta: { entities: number; bytes: number },
): void {
  const { maxEntities, maxBytes } = limitsInForce(config, plan)
  if (delta.entities > 0 && delta.entities > room) {
    const message = `Your plan allows ${maxEntities.toLocaleString('en-US')} entities. ${wayOut(config, 'store more')}`
    throw planLimitReached(message, { limit: maxEntities, used: entities, plan })
  }
  if (delta.bytes > 0 && delta.bytes > roomOf(maxBytes, bytes)) {
    const megabytes = (maxBytes / 1_000_000).toLocaleString('en-US')
    const message = `Your plan allows ${megabytes} MB of stored text. ${wayOut(config, 'store more')}`
    throw planLimitReached(message, { limit: maxBytes, used: bytes, plan })
  }
}

const planLimitReached = (message: string, details: { limit: number; used: number; plan: string }) =>
  new AppError('plan_limit_reached', message, { details: [details] })
