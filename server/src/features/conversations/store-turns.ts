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
import { addFiles } from './conversation-files.repo.ts'
import * as conversations from './conversations.repo.ts'
import { storeDrafts } from './drafts/store-drafts.ts'
import { noteReceipts } from './note-receipts.ts'
import { bytesOfTurn, hashOfExternalId, insertTurns, listKnownTurns, type StoredTurn } from './turns.repo.ts'

/** A turn that has no number yet. `hash`: of the id that its agent gave it. */
export type HashedTurn = Omit<StoredTurn, 'id' | 'conversationId' | 'seq'> & { hash: string }

type ToStore = { conversation: StoreTurns['conversation']; turns: readonly HashedTurn[] }

/**
 * Stores turns of a conversation, in order. A turn that is there already is left as it is, whoever sent it. Throws
 * `plan_limit_reached`, `space_not_found`; then nothing is stored.
 */
export async function storeTurns(ctx: Context, actor: Actor, input: StoreTurns): Promise<StoreTurnsResponse> {
  const { conversation, turns, redacted } = await cleanTurns(input)
  const { id, stored } = await storeCleanTurns(ctx, actor, { conversation, turns: turns.map(toHashed) })
  return { conversationId: toId('cnv', id), stored, known: turns.length - stored, redacted }
}

const toHashed = ({ externalId, at, role, text, tool, files, cut }: NewTurn): HashedTurn => ({
  ...{ hash: hashOfExternalId(externalId), at: fromIso(at), role, text, tool, files, cut },
})

/** The same for turns that were cleaned before. Returns the conversation's number, and how many turns were new. */
export function storeCleanTurns(
  ctx: Context,
  actor: Actor,
  { conversation, turns }: ToStore,
): Promise<{ id: number; stored: number }> {
  return transact(ctx, actor.accountId, async (inner) => {
    const locked = await conversations.lockSpaceOfTurns(inner.db, actor)
    if (locked === undefined) throw new AppError('space_not_found', 'This space was deleted')
    const before = await conversations.findExternalConversation(inner.db, actor, conversation)
    const fresh = await unknownTurns(inner, actor, before?.id, turns)
    const id = await storeFresh(inner, actor, { conversation, before, fresh, locked })
    await actor.operation?.countIn(inner, planInForce(inner.config, locked.plan))
    return { id, stored: fresh.length }
  })
}

/** Those that are not there yet, each once. */
async function unknownTurns(
  { db }: Context,
  actor: Actor,
  conversationId: number | undefined,
  turns: readonly HashedTurn[],
): Promise<HashedTurn[]> {
  // Of equal keys the first one keeps its place, the last one its value.
  const byHash = new Map(turns.toReversed().map((turn) => [turn.hash, turn]))
  const once = turns.filter((turn) => byHash.get(turn.hash) === turn)
  if (conversationId === undefined) return once
  const known = await listKnownTurns(db, actor, conversationId, [...byHash.keys()])
  return once.filter(({ hash }) => !known.has(hash))
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
  const bytes = fresh.reduce((sum, turn) => sum + bytesOfTurn(turn), 0)
  requireRoom(ctx, locked, bytes)
  const numbers = fresh.length + (before === undefined ? 1 : 0)
  const first = numbers === 0 ? 0 : await reserveIds(db, actor.accountId, numbers)
  const id = before?.id ?? first
  const after = toConversation(conversation, before, fresh, { id, bytes })
  if (before === undefined) await conversations.insertConversation(db, actor, after)
  else if (fresh.length > 0 || after.title !== before.title || after.project !== before.project)
    await conversations.updateConversationRow(db, actor, after)
  if (fresh.length === 0) return id
  const stored = toStored(fresh, id, {
    firstId: before === undefined ? first + 1 : first,
    firstSeq: (before?.turns ?? 0) + 1,
  })
  await insertTurns(db, actor, stored)
  await indexTurns(ctx, actor, stored)
  await noteReceipts(db, actor, stored)
  await storeDrafts(ctx, actor, stored)
  await addFiles(db, actor, id, filesOf(fresh))
  await conversations.addConversationBytes(db, actor.accountId, bytes)
  return id
}

const toStored = (
  turns: readonly HashedTurn[],
  conversationId: number,
  { firstId, firstSeq }: { firstId: number; firstSeq: number },
) => turns.map((turn, i) => ({ ...turn, conversationId, id: firstId + i, seq: firstSeq + i }))

/** A title may be what was said first, which may have several lines. */
const inOneLine = (title = '') => title.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

const firstWordsMax = 120

/** Names a conversation that has no title after the first thing that the person said. */
function firstWordsIn(turns: readonly HashedTurn[]): string {
  const words = inOneLine(turns.find(({ role }) => role === 'person')?.text.slice(0, 2 * firstWordsMax))
  return words.slice(0, firstWordsMax).toWellFormed().trim()
}

/** Its project stays what it was first; its title can become known later. */
function toConversation(
  { agent, externalId, title, project, startedAt }: StoreTurns['conversation'],
  before: conversations.StoredConversation | undefined,
  fresh: readonly HashedTurn[],
  { id, bytes }: { id: number; bytes: number },
): conversations.StoredConversation {
  const times = fresh.map(({ at }) => at)
  const starts = [before?.startedAt, startedAt && fromIso(startedAt)].filter((at) => typeof at === 'number')
  return {
    ...{ id, agent, externalId, title: inOneLine(title) || before?.title || firstWordsIn(fresh) },
    project: before?.project ?? project,
    startedAt: Math.min(...starts, ...times),
    endedAt: Math.max(...times, before?.endedAt ?? times[0]!),
    turns: (before?.turns ?? 0) + fresh.length,
    bytes: (before?.bytes ?? 0) + bytes,
  }
}

function filesOf(turns: readonly HashedTurn[]): { path: string; name: string }[] {
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
