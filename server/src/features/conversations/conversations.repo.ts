import type { ConversationProject } from '@loci/contract/conversations'
import { type Selectable, sql } from 'kysely'
import type { Cursor } from '../../ground/lib/cursors.ts'
import { isOfProject } from '../../search/store/turn-texts.repo.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { ConversationsTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { foldAscii } from './turns.repo.ts'

/** A conversation with its number and its times in milliseconds. */
export type StoredConversation = {
  id: number
  agent: string
  externalId: string
  project: ConversationProject | undefined
  title: string
  startedAt: number
  endedAt: number
  turns: number
  bytes: number
}

const conversationsOf = (db: Db, scope: Scope) =>
  db.selectFrom('conversations').selectAll().where(isIn(scope))

export async function findConversation(
  db: Db,
  scope: Scope,
  id: number,
): Promise<StoredConversation | undefined> {
  const row = await conversationsOf(db, scope).where('id', '=', id).executeTakeFirst()
  return row && toConversation(row)
}

/** The conversation that an agent calls by this id. */
export async function findExternalConversation(
  db: Db,
  scope: Scope,
  { agent, externalId }: Pick<StoredConversation, 'agent' | 'externalId'>,
): Promise<StoredConversation | undefined> {
  const row = await conversationsOf(db, scope)
    .where('agent', '=', agent)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row && toConversation(row)
}

export type ConversationsWanted = {
  agent?: string | undefined
  /** A name, or the whole path. */
  project?: string | undefined
  ids?: readonly number[] | undefined
  words: readonly string[]
  after?: number | undefined
  before?: number | undefined
  /** Those of one group, or of the groups after one, in the order of their names. */
  within?: GroupsWanted | undefined
  cursor: Cursor | undefined
  limit: number
}

export type GroupsWanted = { column: 'project' | 'agent' } & ({ is: string | null } | { after: string })

/** Newest first, of each group or of all: by the time of the newest turn. */
export async function listConversationRows(
  db: Db,
  scope: Scope,
  { agent, project, ids, words, after, before, within, cursor, limit }: ConversationsWanted,
): Promise<StoredConversation[]> {
  let query = conversationsOf(db, scope)
  if (agent !== undefined) query = query.where('agent', '=', agent)
  if (project !== undefined) query = query.where(isOfProject(project))
  if (ids !== undefined) query = query.where(dialectOf(db).isOneOfNumbers('id', ids))
  for (const word of words)
    query = query.where((eb) => eb.or(inCases(word).map((part) => dialectOf(db).hasPart('title', part))))
  if (after !== undefined) query = query.where('ended_at', '>=', after)
  if (before !== undefined) query = query.where('started_at', '<', before)
  if (cursor !== undefined) query = query.where(sql<boolean>`(ended_at, id) < (${cursor.at}, ${cursor.id})`)
  if (within !== undefined && 'after' in within)
    query = query.where(within.column, '>', within.after).orderBy(within.column)
  else if (within !== undefined)
    query = query.where(within.column, within.is === null ? 'is' : '=', within.is)
  const rows = await query.orderBy('ended_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toConversation)
}

/** As it is usually written, since databases compare letters beyond ASCII only as they stand. */
function inCases(word: string): string[] {
  const [lower, upper] = [word.toLowerCase(), word.toUpperCase()]
  const capitalised = lower.replace(/^./u, (first) => first.toUpperCase())
  return [...new Set([word, lower, upper, capitalised].map(foldAscii))]
}

function toConversation(row: Selectable<ConversationsTable>): StoredConversation {
  const { project: name, project_path: path, repository, branch } = row
  return {
    id: row.id,
    agent: row.agent,
    externalId: row.external_id,
    project:
      name === null
        ? undefined
        : { name, ...(path && { path }), ...(repository && { repository }), ...(branch && { branch }) },
    title: row.title,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    turns: row.turns,
    bytes: row.bytes,
  }
}

const toColumns = ({ project, title, startedAt, endedAt, turns, bytes }: StoredConversation) => ({
  project: project?.name ?? null,
  project_path: project?.path ?? null,
  repository: project?.repository ?? null,
  branch: project?.branch ?? null,
  title,
  started_at: startedAt,
  ended_at: endedAt,
  turns,
  bytes,
})

export async function insertConversation(
  db: Db,
  { accountId, spaceId }: Scope,
  conversation: StoredConversation,
): Promise<void> {
  const { id, agent, externalId } = conversation
  await db
    .insertInto('conversations')
    .values({
      ...{ account_id: accountId, space_id: spaceId, id, agent, external_id: externalId },
      ...toColumns(conversation),
    })
    .execute()
}

export async function updateConversationRow(
  db: Db,
  scope: Scope,
  conversation: StoredConversation,
): Promise<void> {
  await db
    .updateTable('conversations')
    .set(toColumns(conversation))
    .where(isIn(scope))
    .where('id', '=', conversation.id)
    .execute()
}

export async function deleteConversationRow(
  db: Db,
  { accountId, spaceId }: Scope,
  id: number,
): Promise<void> {
  for (const [table, column] of [
    ['drafts', 'conversation_id'],
    ['conversation_files', 'conversation_id'],
    ['conversations', 'id'],
  ] as const) {
    await sql`delete from ${sql.table(table)}
      where account_id = ${accountId} and space_id = ${spaceId} and ${sql.ref(column)} = ${id}`.execute(db)
  }
}

/** Conversations after a number, in order. */
export async function listConversationsAfter(
  db: Db,
  scope: Scope,
  { after, limit }: { after: number; limit: number },
): Promise<StoredConversation[]> {
  const rows = await conversationsOf(db, scope).where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(toConversation)
}

/** Conversations, of one space or of all accounts, whose newest turn is older than a time, the oldest first. */
export const listEnded = (db: Db, scope: Scope | undefined, before: number, limit: number) =>
  db
    .selectFrom('conversations')
    .select(['account_id as accountId', 'space_id as spaceId', 'id'])
    .$if(scope !== undefined, (query) => query.where(isIn(scope!)))
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(limit)
    .execute()

/** Spaces after `after` that limit how long conversations are kept, in order. */
export async function listLimitedSpaces(
  db: Db,
  after: Scope,
  limit: number,
): Promise<(Scope & { days: number })[]> {
  const rows = await db
    .selectFrom('spaces')
    .select(['account_id as accountId', 'space_id as spaceId', 'conversation_days as days'])
    .where('conversation_days', 'is not', null)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(account_id, space_id) > (${after.accountId}, ${after.spaceId})`)
    .orderBy('account_id')
    .orderBy('space_id')
    .limit(limit)
    .execute()
  return rows.map(({ days, ...scope }) => ({ ...scope, days: days! }))
}

/** How many observations of each entity name each of these conversations as their source, by its public id. */
export async function countFacts(
  db: Db,
  { accountId, spaceId }: Scope,
  ids: readonly string[],
): Promise<{ conversation: string; entityId: number; facts: number }[]> {
  const conversation = sql`(${sql.raw(dialectOf(db).sql.jsonText('source', 'conversationId'))})`
  const { rows } = await sql<{ conversation: string; entity_id: number; facts: number }>`
    select ${conversation} as conversation, entity_id, count(*) as facts from observations
    where account_id = ${accountId} and space_id = ${spaceId} and source is not null
      and ${dialectOf(db).isOneOf(conversation, ids)}
    group by ${conversation}, entity_id`.execute(db)
  return rows.map(({ conversation, entity_id, facts }) => ({
    conversation,
    entityId: Number(entity_id),
    facts: Number(facts),
  }))
}

/** The space of a writer, who holds the account's lock from here on. */
export type SpaceOfTurns = { plan: string; conversationBytes: number }

/** Locks the account; undefined if the space or account does not exist or is being deleted. */
export async function lockSpaceOfTurns(
  db: Db,
  { accountId, spaceId }: Scope,
): Promise<SpaceOfTurns | undefined> {
  return db
    .selectFrom('accounts')
    .innerJoin('spaces', 'spaces.account_id', 'accounts.account_id')
    .select(['accounts.plan', 'accounts.conversation_bytes as conversationBytes'])
    .where('accounts.account_id', '=', accountId)
    .where('accounts.deleted_at', 'is', null)
    .where('spaces.account_id', '=', accountId)
    .where('spaces.space_id', '=', spaceId)
    .where('spaces.deleted_at', 'is', null)
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst()
}

/** Adds to the bytes of the account's conversations; negative for what is deleted. */
export async function addConversationBytes(db: Db, accountId: number, delta: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => ({ conversation_bytes: eb('conversation_bytes', '+', delta) }))
    .where('account_id', '=', accountId)
    .execute()
}
