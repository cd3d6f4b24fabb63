import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangesResponse, ListChangesQuery } from '@loci/contract/changes'
import type { Actor } from '../../auth/actor.ts'
import { listSeqsConcerning } from '../../changes/concerning.repo.ts'
import {
  findActors,
  findFitting,
  findNewestSeq,
  findSetRange,
  type LogFilter,
  type LoggedChange,
  listFitting,
  type SeqRange,
} from '../../changes/log.repo.ts'
import { toFirstSeq, toSeq } from '../../changes/moments.ts'
import { operationNumbers } from '../../changes/operations.ts'
import { toChanges } from '../../changes/read-changes.ts'
import type { Context } from '../../context.ts'
import { chunksOf } from '../../lib/chunks.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursors.ts'
import { toNumber } from '../../lib/ids.ts'

/** Changes that one statement looks through. */
const changesPerWindow = 2_000
/** Changes of an entity that one statement looks up. */
const changesPerLookUp = 500
/** One answer looks through so many windows at most; it then says where to go on. */
const windowsMax = 25

/** A part of the log that was looked through: what fits of it, and the number that it reaches to. */
type Window = { fitting: LoggedChange[]; reached: number }

/** A page of changes. It ends early where few of many changes fit. */
export async function listChanges(
  ctx: Context,
  actor: Actor,
  query: ListChangesQuery,
): Promise<ChangesResponse> {
  const isAscending = query.order === 'asc'
  const range = await toRange(ctx, actor, query)
  const filter = await toFilter(ctx, actor, query)
  const windows =
    query.entityId === undefined
      ? scanLog(ctx, actor, range, filter, query)
      : scanOfEntity(ctx, actor, range, filter, { entityId: query.entityId, isAscending })
  const found: LoggedChange[] = []
  let goOnAt: number | undefined
  let count = 0
  for await (const { fitting, reached } of windows) {
    found.push(...fitting)
    count += 1
    goOnAt = reached
    if (found.length > query.limit || count === windowsMax) break
    goOnAt = undefined
    await nextTurn()
  }
  const page = found.slice(0, query.limit)
  if (found.length > query.limit) goOnAt = page.at(-1)?.seq
  return {
    changes: await toChanges(ctx.db, actor, page),
    nextCursor: goOnAt === undefined ? null : encodeCursor({ at: goOnAt, id: 0 }),
  }
}

/** Where everything lies that is asked for, both ends left out. */
async function toRange(
  { db }: Context,
  actor: Actor,
  { after, before, setId, cursor, order }: ListChangesQuery,
): Promise<SeqRange> {
  const starts = [after === undefined ? 0 : await toSeq(db, actor, after)]
  const ends = [
    (await findNewestSeq(db, actor)) + 1,
    before === undefined ? Number.MAX_SAFE_INTEGER : await toFirstSeq(db, actor, before),
  ]
  if (setId !== undefined) {
    const number = toNumber('set', setId)
    const set = number === undefined ? undefined : await findSetRange(db, actor, number)
    starts.push((set?.first ?? 1) - 1)
    ends.push((set?.last ?? 0) + 1)
  }
  const place = decodeCursor(cursor)
  if (place !== undefined) (order === 'asc' ? starts : ends).push(place.at)
  return { after: Math.max(...starts), before: Math.min(...ends) }
}

async function toFilter(
  { db }: Context,
  { accountId }: Actor,
  { operation, actorId, client }: ListChangesQuery,
): Promise<LogFilter> {
  return {
    operations: operation?.map((name) => operationNumbers[name]),
    actors:
      actorId === undefined && client === undefined
        ? undefined
        : await findActors(db, accountId, { ref: actorId, client }),
  }
}

async function* scanLog(
  { db }: Context,
  actor: Actor,
  { after, before }: SeqRange,
  filter: LogFilter,
  { order, limit }: ListChangesQuery,
): AsyncGenerator<Window, void> {
  const isFiltered = filter.operations !== undefined || filter.actors !== undefined
  const size = isFiltered ? changesPerWindow : limit + 1
  const read = (range: SeqRange) => listFitting(db, actor, range, filter)
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
  actor: Actor,
  range: SeqRange,
  filter: LogFilter,
  { entityId, isAscending }: { entityId: string; isAscending: boolean },
): AsyncGenerator<Window, void> {
  const number = toNumber('ent', entityId)
  const seqs = number === undefined ? [] : await listSeqsConcerning(db, actor, number, range)
  if (!isAscending) seqs.reverse()
  for (const chunk of chunksOf(seqs, changesPerLookUp)) {
    const fitting = await findFitting(db, actor, chunk, filter)
    yield { fitting: isAscending ? fitting : fitting.reverse(), reached: chunk.at(-1)! }
  }
}
