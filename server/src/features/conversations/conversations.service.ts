import { basename } from 'node:path/win32'
import type {
  Conversation,
  ConversationResponse,
  ReadConversationQuery,
  Turn,
} from '@loci/contract/conversations'
import { AppError } from '../../ground/errors/app-error.ts'
import { decodeCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { listFilesNamed } from './conversation-files.repo.ts'
import * as conversations from './conversations.repo.ts'
import { readTurns } from './read-turns.ts'
import type { StoredTurn } from './turns.repo.ts'

/** The conversations that named this file, or one whose path ends with it. */
export async function conversationsWith(db: Context['db'], actor: Actor, file: string): Promise<number[]> {
  const found = await listFilesNamed(db, actor, basename(file))
  const isMeant = (path: string) => path === file || path.endsWith(`/${file}`) || path.endsWith(`\\${file}`)
  return [...new Set(found.filter(({ path }) => isMeant(path)).map(({ conversationId }) => conversationId))]
}

/** Those of these conversations, by number, that are of a project: a name, or a whole path. Their public ids. */
export async function listConversationsOfProject(
  { db }: Context,
  actor: Actor,
  numbers: readonly number[],
  project: string,
): Promise<string[]> {
  const ids = [...new Set(numbers)]
  if (ids.length === 0) return []
  const wanted = { project, ids, words: [], cursor: undefined, limit: ids.length }
  return (await conversations.listConversationRows(db, actor, wanted)).map(({ id }) => toId('cnv', id))
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
  const list = `turns ${id}`
  const page = await readTurns(db, actor, stored.id, { around, cursor: decodeCursor(list, cursor), limit })
  return {
    conversation: conversation!,
    turns: page.turns.map(toShownTurn),
    nextCursor: page.next === undefined ? null : encodeCursor(list, { at: 1, id: page.next }),
    previousCursor: page.previous === undefined ? null : encodeCursor(list, { at: -1, id: page.previous }),
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
  return rows.map((row) => toConversation(row, counted.get(idOfConversation(row)) ?? []))
}

type FactCount = Awaited<ReturnType<typeof conversations.countFacts>>[number]

export const idOfConversation = ({ id }: conversations.StoredConversation) => toId('cnv', id)

export async function countFactsOf(
  db: Context['db'],
  actor: Actor,
  rows: readonly conversations.StoredConversation[],
): Promise<Map<string, FactCount[]>> {
  if (rows.length === 0) return new Map()
  return Map.groupBy(
    await conversations.countFacts(db, actor, rows.map(idOfConversation)),
    ({ conversation }) => conversation,
  )
}

export function toConversation(
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
