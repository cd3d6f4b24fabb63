import type { ChangeActor } from '@loci/contract/change-actor'
import type {
  ListRecallsQuery,
  RecallsResponse,
  ReplayResponse,
  Recall as ShownRecall,
  UnansweredQuestion,
} from '@loci/contract/recalls'
import { AppError } from '../../ground/errors/app-error.ts'
import { decodeTextCursor, toPage } from '../../ground/lib/cursors.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'
import { findCallerName } from '../../memory/log/actors.repo.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { reachOf } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import { storeWaitingRecalls } from '../../tenancy/usage/forget-recalls.ts'
import { deleteRecallRow, type Recall, toQuestionKey } from '../../tenancy/usage/recalls.repo.ts'
import * as recalls from './recalls.repo.ts'
import { replay } from './replay.ts'

/** Those of the space, or only the caller's own without the right to review. Throws `invalid_cursor`. */
export async function listRecalls(
  ctx: Context,
  actor: Actor,
  { limit, cursor, found, by }: ListRecallsQuery,
): Promise<RecallsResponse> {
  await ctx.usage.flush()
  const stored = await recalls.listRecallRows(ctx.db, actor, {
    ...{ ...readerOf(ctx, actor), by, limit: limit + 1 },
    found: found === undefined ? undefined : found === 'true',
    before: decodeTextCursor('recalls', cursor)?.at,
  })
  const { rows, nextCursor } = toPage('recalls', stored, limit, ({ id }) => ({ at: id, id: 0 }))
  const nameOf = namerOf(ctx, actor.accountId)
  const shown: ShownRecall[] = []
  for (const recall of rows) shown.push(await toShown(recall, nameOf))
  return {
    recalls: shown,
    keptDays: ctx.config.recallDays,
    nextCursor,
  }
}

/** Whose recalls a caller sees, and from when: expired ones are hidden before the sweep deletes them. */
export const readerOf = ({ config, now }: Context, actor: Actor) => ({
  userId: reachOf(actor, 'memory:review') === 'all' ? undefined : actor.userId,
  since: now() - config.recallDays * dayMs,
})

async function toShown(
  { told, entities, kind, ref, ...recall }: Recall,
  nameOf: Namer,
): Promise<ShownRecall> {
  const { id, question, understood, tokens, maxTokens, ms, found } = recall
  return {
    ...{ id, question, understood, tokens, maxTokens, ms, found },
    at: toIso(recall.at),
    by: await nameOf({ kind, ref, client: recall.client }),
    rows: told.map((row, index) => ({ ...row, rank: index + 1 })),
    entityIds: entities,
  }
}

/** A recall with its rows as they are now. Throws `recall_not_found`. */
export async function getRecall(ctx: Context, actor: Actor, id: string): Promise<ReplayResponse> {
  await ctx.usage.flush()
  const recall = await requireRecall(ctx, actor, id)
  const shown = await toShown(recall, namerOf(ctx, actor.accountId))
  return { recall: { ...shown, ...(await replay(ctx, actor, recall)) }, keptDays: ctx.config.recallDays }
}

async function requireRecall(ctx: Context, actor: Actor, id: string): Promise<Recall> {
  const recall = await recalls.findRecallRow(ctx.db, actor, id)
  const { userId, since } = readerOf(ctx, actor)
  const isReadable = userId === undefined || recall?.userId === userId
  if (recall === undefined || !isReadable || recall.at < since) {
    throw new AppError('recall_not_found', 'Recall not found. It may have been too old, and deleted.')
  }
  return recall
}

/** With `isAlike`, all recalls of the question that the caller can see. Throws `recall_not_found`. */
export async function deleteRecall(ctx: Context, actor: Actor, id: string, isAlike: boolean): Promise<void> {
  await storeWaitingRecalls(ctx)
  const recall = await requireRecall(ctx, actor, id)
  const { userId } = readerOf(ctx, actor)
  const { question } = recall
  await transact(ctx, actor.accountId, ({ db }) =>
    isAlike ? recalls.deleteRecallsOf(db, actor, { question, userId }) : deleteRecallRow(db, actor, id),
  )
}

const unansweredReadMax = 300
const unansweredToldMax = 20
const agentsToldMax = 5

/** Questions for which nothing was found, and still nothing when they were last asked; the latest first. */
export async function listUnanswered(ctx: Context, actor: Actor): Promise<UnansweredQuestion[]> {
  await ctx.usage.flush()
  const wanted = { ...readerOf(ctx, actor), found: false, limit: unansweredReadMax }
  const rows = await recalls.listRecallRows(ctx.db, actor, wanted)
  const groups = [...Map.groupBy(rows, ({ question }) => toQuestionKey(question))].filter(
    ([asked]) => asked !== '',
  )
  const answered = await recalls.findLastAnswers(
    ctx.db,
    actor,
    groups.map(([asked]) => asked),
  )
  const open = groups.filter(([asked, [last]]) => (answered.get(asked) ?? '') < last!.id)
  return open.slice(0, unansweredToldMax).map(([, group]) => toUnanswered(group))
}

function toUnanswered(group: Recall[]): UnansweredQuestion {
  const [last] = group
  const agents = new Set(group.flatMap(({ client }) => client ?? []))
  return {
    question: last!.question,
    recallId: last!.id,
    times: group.length,
    agents: [...agents].slice(0, agentsToldMax),
    lastAt: toIso(last!.at),
  }
}

type Asker = Pick<Recall, 'kind' | 'ref' | 'client'>
type Namer = (asker: Asker) => Promise<ChangeActor>

/** Names who asked, with one look-up for each key, connection and person; the name of a deleted one is empty. */
function namerOf({ db }: Pick<Context, 'db'>, accountId: number): Namer {
  const names = new Map<string, Promise<string>>()
  return async ({ kind, ref, client }) => {
    const key = `${kind} ${ref}`
    const name = names.get(key) ?? findCallerName(db, accountId, toCaller(kind, ref))
    names.set(key, name)
    return { kind, id: ref, name: await name, ...(client === null ? {} : { client }) }
  }
}

function toCaller(kind: Recall['kind'], ref: string): Parameters<typeof findCallerName>[2] {
  if (kind === 'api_key') return { keyId: ref, userId: '' }
  if (kind === 'oauth') return { connectionId: ref, userId: '' }
  return { userId: ref }
}
