import { setImmediate as nextTask } from 'node:timers/promises'
import type { Change } from '@loci/contract/changes'
import { withControls } from '../../ground/lib/for-models.ts'
import { toId } from '../../ground/lib/ids.ts'
import { takeFitting } from '../../ground/lib/json-size.ts'
import { findNewestSeq, findSeqAt } from '../../memory/log/log.repo.ts'
import { listChangesBefore } from '../../memory/log/read-changes.ts'
import { findEverNamed } from '../../memory/versions/versions.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { contentCharactersMax } from './answer-size.ts'
import { subjectsOf } from './change-subjects.ts'
import { findChangedNames } from './changed-names.ts'
import { authorOf, type DescribedCall, describeCall, type RecordedCall } from './describe-call.ts'
import { findCalled } from './find-called.ts'
import { listNames } from './not-found.ts'

export type ChangesQuery = {
  /** Milliseconds, `until` exclusive. */
  since?: number | undefined
  until?: number | undefined
  /** Only changes that concern the entity of this name. */
  entity?: string | undefined
  /** Only changes made by this program, or with this kind of credentials. */
  by?: string | undefined
  /** Only changes before the one with this number. */
  before?: number | undefined
  /** Only changes after the one with this number. */
  after?: number | undefined
  limit: number
}

/** Maximum number of changes scanned for one answer. */
const changesRead = 2_000
const changesPerRead = 100
const detailsPerCall = 3
const detailsOfEntity = 10

type Found = { calls: RecordedCall[]; authors: Set<string>; reached: number; isEnd: boolean }

/** The calls that changed something, newest first, each in words; the notice says how to continue if there are more. */
export async function listNamedChanges(
  ctx: Context,
  actor: Actor,
  query: ChangesQuery,
): Promise<{ notice?: string; changes: DescribedCall[]; newest: number }> {
  const newest = await findNewestSeq(ctx.db, actor)
  const start = query.since === undefined ? 0 : await findSeqAt(ctx.db, actor, query.since - 1)
  const after = Math.max(start, query.after ?? 0)
  const last = query.until === undefined ? undefined : await findSeqAt(ctx.db, actor, query.until - 1)
  const before = Math.min(
    query.before ?? Number.MAX_SAFE_INTEGER,
    last === undefined ? Number.MAX_SAFE_INTEGER : last + 1,
  )
  const found = await findCalls(ctx, actor, query, { before, after })
  const names = await findChangedNames(
    ctx,
    actor,
    found.calls.flatMap(({ changes }) => changes),
  )
  const details = query.entity === undefined ? detailsPerCall : detailsOfEntity
  const described = found.calls.slice(0, query.limit).map((call) => describeCall(call, names, details))
  const { taken } = takeFitting(described, contentCharactersMax)
  const notice = noticeOf(query, found, taken)
  return { ...(notice === undefined ? {} : { notice }), changes: taken, newest }
}

/** Reads back until it has one call more than requested. */
async function findCalls(
  ctx: Context,
  actor: Actor,
  { entity, by, limit }: ChangesQuery,
  range: { before: number; after: number },
): Promise<Found> {
  const isAbout = entity === undefined ? () => true : await concerning(ctx, actor, entity)
  const isBy =
    by === undefined ? () => true : (author: string) => author.toLowerCase() === by.trim().toLowerCase()
  const found: Found = { calls: [], authors: new Set(), reached: range.before, isEnd: false }
  let previous: Change | undefined
  for (let read = 0; read < changesRead; read += changesPerRead) {
    const page = { before: found.reached, after: range.after, limit: changesPerRead }
    const changes = await listChangesBefore(ctx.db, actor, page)
    for (const change of changes) {
      found.authors.add(authorOf(change))
      const isNewCall = previous === undefined || !isOfSameCall(previous, change)
      if (isNewCall && found.calls.length > limit) return found
      previous = change
      found.reached = change.seq
      if (!isAbout(change) || !isBy(authorOf(change))) continue
      const call = found.calls.at(-1)
      if (call !== undefined && isOfSameCall(call.changes[0]!, change)) call.changes.push(change)
      else found.calls.push({ changes: [change] })
    }
    if (changes.length < changesPerRead) return { ...found, isEnd: true }
    await nextTask()
  }
  return { ...found, isEnd: found.reached <= range.after + 1 }
}

const isOfSameCall = (a: Change, b: Change) => a.setId === b.setId

/** Returns a test for changes that concern an entity that has or had the name, as stored or as models are shown it. */
async function concerning(ctx: Context, actor: Actor, name: string): Promise<(change: Change) => boolean> {
  let numbers = await findEverNamed(ctx.db, actor, name)
  if (numbers.length === 0) {
    const called = (await findCalled(ctx, actor, [name])).get(name)
    numbers = await findEverNamed(ctx.db, actor, called?.name ?? withControls(name))
  }
  const ids = new Set(numbers.map((id) => toId('ent', id)))
  return (change) => subjectsOf(change).some(({ id }) => ids.has(id))
}

function noticeOf(
  { entity, by, after, limit }: ChangesQuery,
  found: Found,
  shown: readonly DescribedCall[],
): string | undefined {
  const isAll = found.isEnd && shown.length === found.calls.length
  const nobody =
    by !== undefined && found.calls.length === 0 && found.authors.size > 0
      ? `Nothing was changed by ${JSON.stringify(by)}; changes are by ${listNames([...found.authors])}.`
      : undefined
  if (isAll) return nobody
  const isShort = shown.length < Math.min(limit, found.calls.length) || found.calls.length > limit
  const before = isShort ? shown.at(-1)?.number : found.reached
  const filters = {
    ...(entity === undefined ? {} : { entity }),
    ...(by === undefined ? {} : { by }),
    ...(after === undefined ? {} : { after }),
  }
  const goOn = `list_changes ${JSON.stringify({ before, ...filters })}`
  const more = isShort
    ? `There are older changes: continue with ${goOn}.`
    : `This is what the newest ${changesRead} changes hold; look further back with ${goOn}.`
  return nobody === undefined ? more : `${more} ${nobody}`
}
