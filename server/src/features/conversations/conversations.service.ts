import { basename } from 'node:path/win32'
import type {
  Conversation,
  ConversationResponse,
  ConversationsResponse,
  ListConversationsQuery,
  ReadConversationQuery,
  Turn,
} from '@loci/contract/conversations'
import { AppError } from '../../ground/errors/app-error.ts'
import { decodeCursor, encodeCursor, toPage } from '../../ground/lib/cursors.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { fromIso, toIso } from '../../ground/lib/time.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import * as conversations from './conversations.repo.ts'
import { readTurns } from './read-turns.ts'
import type { StoredTurn } from './turns.repo.ts'

/** A page of conversations, newest first. Throws `invalid_cursor`. */
export async function listConversations(
  { db }: Context,
  actor: Actor,
  { agent, project, file, query, after, before, limit, cursor }: ListConversationsQuery,
): Promise<ConversationsResponse> {
  const wanted: conversations.ConversationsWanted = {
    agent,
    project: project === undefined ? undefined : toProject(project),
    ids: file === undefined ? undefined : await conversationsWith(db, actor, file),
    words: query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 20),
    after: after === undefined ? undefined : fromIso(after),
    before: before === undefined ? undefined : fromIso(before),
    cursor: decodeCursor(cursor),
    limit: limit + 1,
  }
  const found = await conversations.listConversationRows(db, actor, wanted)
  const { rows, nextCursor } = toPage(found, limit, ({ endedAt, id }) => ({ at: endedAt, id }))
  return { conversations: await withLedTo(db, actor, rows), nextCursor }
}

/** A name, or a path that ends in the name. */
export const toProject = (project: string) =>
  /[\\/]/.test(project) ? { name: basename(project), path: project } : { name: project }

/** The conversations that named this file, or one whose path ends with it. */
export async function conversationsWith(db: Context['db'], actor: Actor, file: string): Promise<number[]> {
  const found = await conversations.listFilesNamed(db, actor, basename(file))
  const isMeant = (path: string) => path === file || path.endsWith(`/${file}`) || path.endsWith(`\\${file}`)
  return [...new Set(found.filter(({ path }) => isMeant(path)).map(({ conversationId }) => conversationId))]
}

/** The id of the conversation that an agent's session is, if it is stored. */
export async function findSessionConversation(
  { db }: Context,
  actor: Actor,
  { agent, session }: { agent?: string | undefined; session?: string | undefined },
): Promise<string | undefined> {
  if (agent === undefined || session === undefined) return undefined
  const found = await conversations.findExternalConversation(db, actor, { agent, externalId: session })
  return found && toId('cnv', found.id)
}

/** A page of a conversation's turns. Throws `conversation_not_found`, `turn_not_found`, `invalid_cursor`. */
export async function readConversation(
  { db }: Context,
  actor: Actor,
  id: string,
  { around, limit, cursor }: ReadConversationQuery,
): Promise<ConversationResponse> {
  const stored = await getConversation(db, actor, id)
  const [conversation] = await withFacts(db, actor, [stored])
  const page = await readTurns(db, actor, stored.id, { around, cursor: decodeCursor(cursor), limit })
  return {
    conversation: conversation!,
    turns: page.turns.map(toShownTurn),
    nextCursor: page.next === undefined ? null : encodeCursor({ at: 1, id: page.next }),
    previousCursor: page.previous === undefined ? null : encodeCursor({ at: -1, id: page.previous }),
  }
}

/** Throws `conversation_not_found`. */
export async function getConversation(
  db: Context['db'],
  actor: Actor,
  id: string,
): Promise<conversations.StoredConversation> {
  const number = toNumber('cnv', id)
  const found = number === undefined ? undefined : await conversations.findConversation(db, actor, number)
  if (found === undefined) throw new AppError('conversation_not_found', 'Conversation not found')
  return found
}

/** Conversations as callers see them, with the number of facts that they led to. */
export async function withFacts(
  db: Context['db'],
  actor: Actor,
  rows: readonly conversations.StoredConversation[],
): Promise<Conversation[]> {
  const counted = await countFactsOf(db, actor, rows)
  return rows.map((row) => toConversation(row, counted.get(idOf(row)) ?? []))
}

const ledToMax = 3

/** The same with the entities of these facts, for callers who may read the memory. */
async function withLedTo(
  db: Context['db'],
  actor: Actor,
  rows: readonly conversations.StoredConversation[],
): Promise<Conversation[]> {
  if (!hasRight(actor, 'memory:read')) return withFacts(db, actor, rows)
  const counted = await countFactsOf(db, actor, rows)
  const most = new Map(
    [...counted].map(([id, counts]) => [
      id,
      counts
        .toSorted((a, b) => b.facts - a.facts || a.entityId - b.entityId)
        .slice(0, ledToMax)
        .map(({ entityId }) => toId('ent', entityId)),
    ]),
  )
  const found = await findEntitiesById(db, actor, [...most.values()].flat())
  const entities = new Map(found.map(({ id, name, type }) => [id, { id, name, type }]))
  return rows.map((row) => ({
    ...toConversation(row, counted.get(idOf(row)) ?? []),
    ledTo: (most.get(idOf(row)) ?? []).flatMap((id) => entities.get(id) ?? []),
  }))
}

type FactCount = Awaited<ReturnType<typeof conversations.countFacts>>[number]

const idOf = ({ id }: conversations.StoredConversation) => toId('cnv', id)

async function countFactsOf(
  db: Context['db'],
  actor: Actor,
  rows: readonly conversations.StoredConversation[],
): Promise<Map<string, FactCount[]>> {
  if (rows.length === 0) return new Map()
  return Map.groupBy(
    await conversations.countFacts(db, actor, rows.map(idOf)),
    ({ conversation }) => conversation,
  )
}

function toConversation(
  { project, startedAt, endedAt, ...row }: conversations.StoredConversation,
  counts: readonly FactCount[],
): Conversation {
  return {
    ...row,
    id: toId('cnv', row.id),
    ...(project && { project }),
    startedAt: toIso(startedAt),
    endedAt: toIso(endedAt),
    facts: counts.reduce((sum, { facts }) => sum + facts, 0),
  }
}

export function toShownTurn({ id, seq, at, role, text, tool, files, cut }: StoredTurn): Turn {
  return {
    ...{ id: toId('trn', id), seq, at: toIso(at), role, text },
    ...(tool && { tool }),
    ...(files && { files: [...files] }),
    ...(cut !== undefined && { cut }),
  }
}
