import { type Brief, type BriefItem, briefChangesMax, briefReadMax } from '@loci/contract/briefs'
import type { Change } from '@loci/contract/changes'
import { isTold, stateOf } from '@loci/contract/observations'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { compareIds } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { toIso } from '../../ground/lib/time.ts'
import { findNewestSeq, listLogged } from '../../memory/log/log.repo.ts'
import { toChanges } from '../../memory/log/read-changes.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import { listStandingRules } from '../../search/find/find-standing-rules.ts'
import { findReplaced } from '../../search/find/rivals.rules.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { countTold, type Told } from '../recalls/count-told.ts'
import { findMark, type Mark, storeMark } from './briefs.repo.ts'
import { cutText, toItems } from './to-items.rules.ts'

/** Changes whose states are read by one statement. */
const statesPerRead = 50
const rulesMax = 4
const rulesReadMax = 100

/** What happened in the space since the caller last read all of it. */
export async function getBrief(ctx: Context, actor: Actor): Promise<Brief> {
  return getBriefSince(ctx, actor, await findMark(ctx.db, actor, actor.userId))
}

/** The same since a mark of its own. */
export async function getBriefSince(ctx: Context, actor: Actor, mark: Mark | undefined): Promise<Brief> {
  const seq = await findNewestSeq(ctx.db, actor)
  const told = await countTold(ctx, actor, mark?.at ?? ctx.now())
  const changes = mark === undefined ? [] : await listChangesSince(ctx, actor, mark.seq, seq)
  const read = new Set(mark?.read)
  const items = await findRivalsOf(ctx, actor, toItems(changes, read, actor.userId))
  return {
    since: mark === undefined ? null : toIso(mark.at),
    seq,
    items,
    isComplete: changes.length < briefChangesMax,
    recalled: await toRecalled(ctx, actor, told),
    rules: await listRules(ctx, actor, told),
  }
}

/** Newest first. */
async function listChangesSince(
  { db }: Context,
  actor: Actor,
  after: number,
  seq: number,
): Promise<Change[]> {
  const range = { after, before: seq + 1 }
  const logged = await listLogged(db, actor, range, { order: 'desc', limit: briefChangesMax })
  const pace = createPace()
  const changes: Change[] = []
  for (const chunk of chunksOf(logged, statesPerRead)) {
    changes.push(...(await toChanges(db, actor, chunk)))
    await pace()
  }
  return changes
}

async function toRecalled(
  ctx: Context,
  actor: Actor,
  { times, notFound, most }: Told,
): Promise<Brief['recalled']> {
  if (most === undefined) return { times, notFound }
  const [entity] = await findEntitiesById(ctx.db, actor, [most.observation.entityId])
  if (entity === undefined) return { times, notFound }
  const { id, name, type } = entity
  return {
    times,
    notFound,
    most: { content: cutText(most.observation.content), entity: { id, name, type }, times: most.times },
  }
}

async function listRules(ctx: Context, actor: Actor, { counts }: Told): Promise<Brief['rules']> {
  const stored = (await listStandingRules(ctx, actor, rulesReadMax))
    .filter((row) => stateOf(row, ctx.now()) === 'current')
    .slice(0, rulesMax)
  const ids = [...new Set(stored.map(({ entityId }) => entityId))]
  const entities = new Map((await findEntitiesById(ctx.db, actor, ids)).map((entity) => [entity.id, entity]))
  return stored.flatMap(({ id: observationId, entityId, content, createdAt }) => {
    const entity = entities.get(entityId)
    if (entity === undefined) return []
    const { id, name, type } = entity
    return [
      {
        ...{ observationId, content: cutText(content), createdAt },
        entity: { id, name, type },
        told: counts.get(observationId) ?? 0,
      },
    ]
  })
}

/** Marks everything up to a change as read. */
export async function markBrief(ctx: Context, actor: Actor, seq: number): Promise<void> {
  await changeMark(ctx, actor, (mark, newest, at) => {
    const end = Math.max(mark?.seq ?? 0, Math.min(seq, newest))
    return { seq: end, at, read: (mark?.read ?? []).filter((one) => one > end) }
  })
}

/** Marks single changes as read. */
export async function readBrief(ctx: Context, actor: Actor, seqs: readonly number[]): Promise<void> {
  await changeMark(ctx, actor, (mark, newest, at) => {
    const { seq, at: since, read } = mark ?? { seq: 0, at, read: [] }
    const all = new Set([...read, ...seqs.filter((one) => one > seq && one <= newest)])
    return { seq, at: since, read: [...all].sort((a, b) => a - b).slice(-briefReadMax) }
  })
}

/** Locks the account, so that what two tabs read at once is kept. */
function changeMark(
  ctx: Context,
  actor: Actor,
  change: (mark: Mark | undefined, newest: number, at: number) => Mark,
): Promise<void> {
  return transact(ctx, actor.accountId, async ({ db, now }) => {
    await lockAccount(db, actor.accountId)
    const mark = await findMark(db, actor, actor.userId)
    await storeMark(db, actor, actor.userId, change(mark, await findNewestSeq(db, actor), now()))
  })
}

/** Entities whose facts are compared, the newest items first, and how many of their facts. */
const entitiesMax = 10
const comparedMax = 60
const charactersMax = 1_000

/** Marks learned facts that seem to replace an earlier one. */
async function findRivalsOf(ctx: Context, actor: Actor, items: readonly BriefItem[]): Promise<BriefItem[]> {
  const learned = items.filter(({ kind, isRead }) => kind === 'learned' && !isRead)
  const rivals = new Map<number, BriefItem['rival']>()
  const pace = createPace()
  for (const ofEntity of [...Map.groupBy(learned, ({ entity }) => entity.id).values()].slice(
    0,
    entitiesMax,
  )) {
    const { entity } = ofEntity[0]!
    const rows = await listNewestObservations(ctx.db, actor, entity.id, { limit: comparedMax })
    const told = rows
      .filter((row) => isTold(row, ctx.now()))
      .map((row) => ({ ...row, content: row.content.slice(0, charactersMax) }))
    for (const { seq, observationId = '', content } of ofEntity) {
      await pace()
      const earlier = told.filter(({ id }) => compareIds(id, observationId) < 0)
      const [rival] = findReplaced(content, earlier, entity.name)
      if (rival === undefined || rival.content === content) continue
      const { id, createdAt } = rival
      rivals.set(seq, { observationId: id, content: cutText(rival.content), createdAt })
    }
  }
  return items.map((item) => {
    const rival = rivals.get(item.seq)
    return rival === undefined ? item : { ...item, kind: 'rival' as const, rival }
  })
}
