import { basename } from 'node:path/win32'
import type { NewTurn, StoreTurns, StoreTurnsResponse } from '@loci/contract/conversations'
import { unlimited } from '@loci/contract/plans'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { reserveIds } from '../../rows/counters.repo.ts'
import { indexTurns } from '../../search/store/index-turns.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { limitsInForce, planInForce, wayOut } from '../../tenancy/usage/plan-in-force.ts'
import { cleanTurns } from './clean-turns.ts'
import * as conversations from './conversations.repo.ts'
import { bytesOfTurn, hashOfExternalId, insertTurns, listKnownTurns, type StoredTurn } from './turns.repo.ts'

type HashedTurn = NewTurn & { hash: string }

/**
 * Stores turns of a conversation, in order. A turn that is there already is left as it is, whoever sent it. Throws
 * `plan_limit_reached`, `space_not_found`; then nothing is stored.
 */
export async function storeTurns(ctx: Context, actor: Actor, input: StoreTurns): Promise<StoreTurnsResponse> {
  const { conversation, turns, redacted } = await cleanTurns(input)
  return transact(
    ctx,
    async (inner) => {
      const locked = await conversations.lockSpaceOfTurns(inner.db, actor)
      if (locked === undefined) throw new AppError('space_not_found', 'This space was deleted')
      const before = await conversations.findExternalConversation(inner.db, actor, conversation)
      const fresh = await unknownTurns(inner, actor, before?.id, turns)
      const conversationId = await storeFresh(inner, actor, { conversation, before, fresh, locked })
      await actor.operation?.countIn(inner, planInForce(inner.config, locked.plan))
      const stored = fresh.length
      return {
        conversationId: toId('cnv', conversationId),
        ...{ stored, known: turns.length - stored, redacted },
      }
    },
    actor.accountId,
  )
}

/** Those that are not there yet, each once. */
async function unknownTurns(
  { db }: Context,
  actor: Actor,
  conversationId: number | undefined,
  turns: readonly NewTurn[],
): Promise<HashedTurn[]> {
  const byHash = new Map<string, HashedTurn>()
  for (const turn of turns) {
    const hash = hashOfExternalId(turn.externalId)
    if (!byHash.has(hash)) byHash.set(hash, { ...turn, hash })
  }
  if (conversationId === undefined) return [...byHash.values()]
  const known = await listKnownTurns(db, actor, conversationId, [...byHash.keys()])
  return [...byHash.values()].filter(({ hash }) => !known.has(hash))
}

type Work = {
  conversation: StoreTurns['conversation']
  before: conversations.StoredConversation | undefined
  fresh: readonly HashedTurn[]
  locked: conversations.SpaceOfTurns
}

async function storeFresh(
  ctx: Context,
  actor: Actor,
  { conversation, before, fresh, locked }: Work,
): Promise<number> {
  const { db } = ctx
  const isNew = before === undefined
  const bytes = fresh.reduce((sum, turn) => sum + bytesOfTurn(toBytesOf(turn)), 0)
  requireRoom(ctx, locked, bytes)
  const count = fresh.length + (isNew ? 1 : 0)
  const first = count === 0 ? 0 : await reserveIds(db, actor.accountId, count)
  const id = isNew ? first : before.id
  const after = toConversation(conversation, before, fresh, { id, bytes })
  if (isNew) await conversations.insertConversation(db, actor, after)
  else if (fresh.length > 0 || after.title !== before.title || after.project !== before.project)
    await conversations.updateConversationRow(db, actor, after)
  if (fresh.length === 0) return id
  const seq = (before?.turns ?? 0) + 1
  const stored = fresh.map((turn, i) => toStored(turn, id, { id: first + i + (isNew ? 1 : 0), seq: seq + i }))
  await insertTurns(db, actor, stored)
  await indexTurns(ctx, actor, stored)
  await conversations.addFiles(db, actor, id, filesOf(fresh))
  await conversations.addConversationBytes(db, actor.accountId, bytes)
  return id
}

const toBytesOf = ({ text, tool, files }: NewTurn) => ({ text, tool, files })

function toStored(
  { hash, at, role, text, tool, files, cut }: HashedTurn,
  conversationId: number,
  numbers: { id: number; seq: number },
): StoredTurn & { hash: string } {
  return { ...numbers, hash, conversationId, at: fromIso(at), role, text, tool, files, cut }
}

/** Its project stays what it was first; its title can become known later. */
function toConversation(
  { agent, externalId, title, project, startedAt }: StoreTurns['conversation'],
  before: conversations.StoredConversation | undefined,
  fresh: readonly NewTurn[],
  { id, bytes }: { id: number; bytes: number },
): conversations.StoredConversation {
  const times = fresh.map(({ at }) => fromIso(at))
  const known = before === undefined ? [] : [before.startedAt]
  const began = startedAt === undefined ? [] : [fromIso(startedAt)]
  return {
    ...{ id, agent, externalId, title: title || (before?.title ?? '') },
    project: before?.project ?? project,
    startedAt: earliest([...known, ...began, ...times]),
    endedAt: Math.max(before?.endedAt ?? 0, ...times),
    turns: (before?.turns ?? 0) + fresh.length,
    bytes: (before?.bytes ?? 0) + bytes,
  }
}

const earliest = (times: readonly number[]) => Math.min(...times)

function filesOf(turns: readonly NewTurn[]): { path: string; name: string }[] {
  const paths = new Set(turns.flatMap(({ files = [] }) => files))
  return [...paths].map((path) => ({ path, name: basename(path) }))
}

/** Throws `plan_limit_reached` if the turns exceed the plan, which limits conversations apart from memory. */
function requireRoom(
  { config }: Context,
  { plan, conversationBytes }: conversations.SpaceOfTurns,
  bytes: number,
) {
  const limit = limitsInForce(config, plan).maxBytes
  if (bytes === 0 || limit === unlimited || conversationBytes + bytes <= limit) return
  const megabytes = (limit / 1_000_000).toLocaleString('en-US')
  const message = `Your plan allows ${megabytes} MB of conversations. ${wayOut(config, 'store more')}`
  throw new AppError('plan_limit_reached', message, { details: [{ limit, used: conversationBytes, plan }] })
}
