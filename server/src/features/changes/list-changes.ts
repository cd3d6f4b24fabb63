import { setImmediate as nextTask } from 'node:timers/promises'
import type { Change, ChangeFilters, ChangesResponse, ListChangesQuery } from '@loci/contract/changes'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { type Cursor, decodeCursor, encodeCursor, invalidCursor } from '../../ground/lib/cursors.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { createAnswerRoom, jsonSize } from '../../ground/lib/json-size.ts'
import { pagesOfSeqs } from '../../memory/log/concerning.repo.ts'
import {
  findActors,
  findFitting,
  findNewestSeq,
  findSetRange,
  isFiltering,
  type LogFilter,
  type LoggedChange,
  listFitting,
  type SeqRange,
} from '../../memory/log/log.repo.ts'
import { toChanges } from '../../memory/log/read-changes.ts'
import { toFirstSeq, toSeq } from '../../memory/log/seq-of-moment.ts'
import { operationNumbers } from '../../rows/operations.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type Chapter, listChapters } from './former-spaces.ts'

/** Changes scanned by one statement. */
const changesPerWindow = 2_000
/** Changes of an entity looked up by one statement. */
const changesPerLookUp = 500
/** Changes whose states are read by one statement. */
const statesPerRead = 50
/** Most windows scanned per response; the cursor then says where to continue. */
const windowsMax = 25

/** A scanned part of the log: the matching changes, and the number that it reaches to. */
type Window = { fitting: LoggedChange[]; reached: number }

/** A page of changes. It ends early if few of many changes match. */
export async function listChanges(
  ctx: Context,
  actor: Actor,
  query: ListChangesQuery,
): Promise<ChangesResponse> {
  const isAscending = query.order === 'asc'
  const list = `changes ${query.order}`
  const place = decodeCursor(list, query.cursor)
  const chapters = await chaptersOf(ctx, actor, query)
  const number =
    place === undefined ? 0 : chapters.findIndex(({ scope }) => scope.spaceId === (place.id || actor.spaceId))
  const chapter = chapters[number]
  if (chapter === undefined) throw invalidCursor()
  const { scope } = chapter
  const range = await toRange(ctx, chapter, query, place)
  const filter = await toFilter(ctx, actor, query)
  const scan = query.entityId === undefined ? scanLog : scanOfEntity
  const found: LoggedChange[] = []
  let goOnAt: number | undefined
  let count = 0
  for await (const { fitting, reached } of scan(ctx, scope, range, filter, query)) {
    found.push(...fitting)
    count += 1
    goOnAt = reached
    if (found.length > query.limit || count === windowsMax) break
    goOnAt = undefined
    await nextTask()
  }
  const { changes, isWhole } = await withStates(ctx, scope, found.slice(0, query.limit))
  if (found.length > query.limit || !isWhole) goOnAt = changes.at(-1)?.seq
  const next = goOnAt === undefined ? chapters[number + 1] : chapter
  const start = isAscending ? 0 : Number.MAX_SAFE_INTEGER
  return {
    changes: scope.spaceId === actor.spaceId ? changes : changes.map((change) => inSpace(change, scope)),
    nextCursor:
      next === undefined ? null : encodeCursor(list, { at: goOnAt ?? start, id: next.scope.spaceId }),
  }
}

/** The first changes whose states fit into one answer. */
async function withStates({ db }: Context, scope: Scope, page: readonly LoggedChange[]) {
  const room = createAnswerRoom()
  const changes: Change[] = []
  for (const logged of chunksOf(page, statesPerRead)) {
    for (const change of await toChanges(db, scope, logged)) {
      if (room.isFull) return { changes, isWhole: false }
      changes.push(change)
      room.take(jsonSize(change))
    }
    await nextTask()
  }
  return { changes, isWhole: true }
}

const inSpace = (change: Change, { spaceId }: Scope): Change => ({ ...change, space: toId('spc', spaceId) })

/** The logs to read, in list order. Change and set numbers refer to the caller's space. */
async function chaptersOf(ctx: Context, actor: Actor, query: ListChangesQuery): Promise<Chapter[]> {
  const { accountId, spaceId } = actor
  const number = query.entityId === undefined ? undefined : toNumber('ent', query.entityId)
  const isOfSpace = [query.after, query.before].some((moment) => typeof moment === 'number')
  if (number === undefined || isOfSpace || query.setId !== undefined)
    return [{ scope: { accountId, spaceId }, before: Number.MAX_SAFE_INTEGER }]
  const chapters = await listChapters(ctx, actor, number)
  return query.order === 'asc' ? chapters.reverse() : chapters
}

/** The range that holds all requested changes, both ends exclusive. */
async function toRange(
  { db }: Context,
  { scope, before: end }: Chapter,
  { after, before, setId, order }: ListChangesQuery,
  place: Cursor | undefined,
): Promise<SeqRange> {
  const starts = [after === undefined ? 0 : await toSeq(db, scope, after)]
  const ends = [
    Math.min(end, (await findNewestSeq(db, scope)) + 1),
    before === undefined ? Number.MAX_SAFE_INTEGER : await toFirstSeq(db, scope, before),
  ]
  if (setId !== undefined) {
    const number = toNumber('set', setId)
    const set = number === undefined ? undefined : await findSetRange(db, scope, number)
    starts.push((set?.first ?? 1) - 1)
    ends.push((set?.last ?? 0) + 1)
  }
  if (place !== undefined) (order === 'asc' ? starts : ends).push(place.at)
  return { after: Math.max(...starts), before: Math.min(...ends) }
}

/** Where each filter takes effect: in the range that is scanned, in how it is scanned, or on each change. */
const filters = {
  after: 'range',
  before: 'range',
  setId: 'range',
  entityId: 'scan',
  operation: 'change',
  actorId: 'change',
  client: 'change',
  tool: 'change',
} as const satisfies Record<keyof ChangeFilters, 'range' | 'scan' | 'change'>

type OnChange = { [Name in keyof typeof filters]: (typeof filters)[Name] extends 'change' ? Name : never }
type ChangeConditions = Pick<ListChangesQuery, OnChange[keyof typeof filters]>

async function toFilter(
  { db }: Context,
  { accountId }: Actor,
  { operation, actorId, client, tool }: ChangeConditions,
): Promise<Complete<LogFilter>> {
  return {
    operations: operation?.map((name) => operationNumbers[name]),
    actors:
      actorId === undefined && client === undefined
        ? undefined
        : await findActors(db, accountId, { ref: actorId, client }),
    tool,
  }
}

type Complete<T> = { [Name in keyof Required<T>]: T[Name] }

async function* scanLog(
  { db }: Context,
  scope: Scope,
  { after, before }: SeqRange,
  filter: LogFilter,
  { order, limit }: ListChangesQuery,
): AsyncGenerator<Window, void> {
  const size = isFiltering(filter) ? changesPerWindow : limit + 1
  const read = (range: SeqRange) => listFitting(db, scope, range, filter)
  if (order === 'asc') {
    for (let start = after; start + 1 < before; start += size) {
      const end = Math.min(before, start + size + 1)
      yield { fitting: await read({ after: start, before: end }), reached: end - 1 }
    }
    return
  }
  for (let end = before; end - 1 > after; end -= size) {
    const start = Math.max(after, end - size - 1)
    yield { fitting: (await read({ after: start, before: end })).reverse(), reached: start + 1 }
  }
}

async function* scanOfEntity(
  { db }: Context,
  scope: Scope,
  range: SeqRange,
  filter: LogFilter,
  { entityId = '', order, limit }: ListChangesQuery,
): AsyncGenerator<Window, void> {
  const number = toNumber('ent', entityId)
  if (number === undefined) return
  const size = isFiltering(filter) ? changesPerLookUp : limit + 1
  for await (const seqs of pagesOfSeqs(db, scope, number, range, { of: 'all', order, size })) {
    const fitting = await findFitting(db, scope, seqs, filter)
    yield { fitting: order === 'asc' ? fitting : fitting.reverse(), reached: seqs.at(-1)! }
  }
}
