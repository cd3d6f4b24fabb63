import type {
  Conversation,
  ConversationOrder,
  ConversationsResponse,
  ListConversationsQuery,
} from '@loci/contract/conversations'
import { type Cursor, decodeCursor, toPage } from '../../ground/lib/cursors.ts'
import { toId } from '../../ground/lib/ids.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { hasRight } from '../../tenancy/auth/permissions.ts'
import type { Context } from '../../tenancy/context.ts'
import {
  type ConversationsWanted,
  type GroupsWanted,
  listConversationRows,
  type StoredConversation,
} from './conversations.repo.ts'
import { countFactsOf, idOfConversation, toConversation } from './conversations.service.ts'
import { findNarrowed } from './conversations-only.ts'
import { countToDecide } from './to-decide.ts'

/** A page of conversations. Throws `invalid_cursor`. */
export async function listConversations(
  { db }: Context,
  actor: Actor,
  { agent, project, file, query, after, before, only, order = 'day', limit, cursor }: ListConversationsQuery,
): Promise<ConversationsResponse> {
  const wanted = {
    agent,
    project,
    ids: await findNarrowed(db, actor, { file, only }),
    words: query.split(/\s+/).filter(Boolean).slice(0, 20),
    after: after === undefined ? undefined : fromIso(after),
    before: before === undefined ? undefined : fromIso(before),
  }
  const list = `conversations ${order}`
  const found = await listInOrder(db, actor, wanted, {
    ...{ order, cursor: decodeCursor(list, cursor), limit: limit + 1 },
  })
  const { rows, nextCursor } = toPage(list, found, limit, (last) => toCursor(last, order))
  return { conversations: await toListed(db, actor, rows), nextCursor }
}

function toCursor({ endedAt, id, agent, project }: StoredConversation, order: ConversationOrder): Cursor {
  if (order === 'day') return { at: endedAt, id }
  return { at: endedAt, id, group: order === 'agent' ? agent : (project?.name ?? null) }
}

type Place = { order: ConversationOrder; cursor: Cursor | undefined; limit: number }

/** Each part in the order of an index: the rest of the group at hand, the next groups, and what is in none. */
async function listInOrder(
  db: Context['db'],
  actor: Actor,
  wanted: Omit<ConversationsWanted, 'cursor' | 'limit'>,
  { order, cursor, limit }: Place,
): Promise<StoredConversation[]> {
  if (order === 'day') return listConversationRows(db, actor, { ...wanted, cursor, limit })
  const rows: StoredConversation[] = []
  for (const { place, within } of partsOf(order, cursor)) {
    if (rows.length === limit) break
    const page = { ...wanted, within, cursor: place, limit: limit - rows.length }
    rows.push(...(await listConversationRows(db, actor, page)))
  }
  return rows
}

type Part = { place: Cursor | undefined; within: GroupsWanted }

function partsOf(column: 'project' | 'agent', cursor: Cursor | undefined): Part[] {
  const group = cursor?.group
  const inNone: Part[] = column === 'agent' ? [] : [{ place: undefined, within: { column, is: null } }]
  if (group === null) return [{ place: cursor, within: { column, is: null } }]
  const next: Part = { place: undefined, within: { column, after: group ?? '' } }
  if (group === undefined) return [next, ...inNone]
  return [{ place: cursor, within: { column, is: group } }, next, ...inNone]
}

const ledToMax = 3

/** With what they led to: the facts, and for callers who may read the memory the entities that these are of. */
async function toListed(
  db: Context['db'],
  actor: Actor,
  rows: readonly StoredConversation[],
): Promise<Conversation[]> {
  if (rows.length === 0) return []
  const counted = await countFactsOf(db, actor, rows)
  const waiting = await countToDecide(
    db,
    actor,
    rows.map(({ id }) => id),
  )
  const ledTo = hasRight(actor, 'memory:read') ? await findLedTo(db, actor, counted) : undefined
  return rows.map((row) => {
    const counts = counted.get(idOfConversation(row)) ?? []
    return {
      ...toConversation(row, counts),
      ...(ledTo && { ledTo: ledTo.get(idOfConversation(row)) ?? [], ledToCount: counts.length }),
      toDecide: waiting.get(row.id) ?? 0,
    }
  })
}

/** The entities of most facts of each conversation. */
async function findLedTo(
  db: Context['db'],
  actor: Actor,
  counted: Awaited<ReturnType<typeof countFactsOf>>,
): Promise<Map<string, NonNullable<Conversation['ledTo']>>> {
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
  return new Map([...most].map(([id, ids]) => [id, ids.flatMap((entity) => entities.get(entity) ?? [])]))
}
