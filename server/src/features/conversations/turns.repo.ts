import { createHash } from 'node:crypto'
import type { TurnRole, TurnTool } from '@loci/contract/conversations'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { TurnsTable } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A turn with its number and its time in milliseconds. */
export type StoredTurn = {
  id: number
  conversationId: number
  seq: number
  at: number
  role: TurnRole
  text: string
  tool: TurnTool | undefined
  files: readonly string[] | undefined
  cut: number | undefined
}

/** 96 bits of a hash in place of an agent's id of any length. */
export const hashOfExternalId = (externalId: string): string =>
  createHash('sha256').update(externalId).digest('base64url').slice(0, 16)

const turnsOf = (db: Db, { accountId, spaceId }: Scope) =>
  db.selectFrom('turns').where('account_id', '=', accountId).where('space_id', '=', spaceId)

/** Which of these turns of a conversation are there, by {@link hashOfExternalId}. */
export async function listKnownTurns(
  db: Db,
  scope: Scope,
  conversationId: number,
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await turnsOf(db, scope)
    .select('external')
    .where('conversation_id', '=', conversationId)
    .where(dialectOf(db).isOneOf('external', hashes))
    .execute()
  return new Set(rows.map(({ external }) => external))
}

/** UTF-8 bytes of what a turn stores, which plans limit. */
export const bytesOfTurn = ({ text, tool, files }: Pick<StoredTurn, 'text' | 'tool' | 'files'>): number =>
  Buffer.byteLength(text) + Buffer.byteLength(jsonOf(tool) ?? '') + Buffer.byteLength(jsonOf(files) ?? '')

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))

export async function insertTurns(
  db: Db,
  { accountId, spaceId }: Scope,
  turns: readonly (StoredTurn & { hash: string })[],
): Promise<void> {
  const rows = turns.map((turn) => ({
    ...{ account_id: accountId, space_id: spaceId, id: turn.id, conversation_id: turn.conversationId },
    ...{ seq: turn.seq, external: turn.hash, at: turn.at, role: turn.role, text: turn.text },
    ...{ tool: jsonOf(turn.tool), files: jsonOf(turn.files), cut: turn.cut ?? null },
  }))
  await dialectOf(db).insertRows(db, 'turns', rows)
}

/** Turns after a number with the hashes of their ids, in order. */
export async function listHashedTurns(
  db: Db,
  scope: Scope,
  { conversationId, after, limit }: { conversationId: number; after: number; limit: number },
): Promise<(StoredTurn & { hash: string })[]> {
  const rows = await turnsOf(db, scope)
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('id', '>', after)
    .orderBy('conversation_id')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toTurn(row), hash: row.external }))
}

export async function findTurn(db: Db, scope: Scope, id: number): Promise<StoredTurn | undefined> {
  const row = await turnsOf(db, scope).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toTurn(row)
}

export async function findTurns(db: Db, scope: Scope, ids: readonly number[]): Promise<StoredTurn[]> {
  const rows = await turnsOf(db, scope).selectAll().where(dialectOf(db).isOneOfNumbers('id', ids)).execute()
  return rows.map(toTurn)
}

export type TurnsPage = { limit: number } & ({ from: number } | { before: number })

/** Turns of a conversation in order: the first ones from a number on, or the last ones before a number. */
export async function listTurns(
  db: Db,
  scope: Scope,
  conversationId: number,
  page: TurnsPage,
): Promise<StoredTurn[]> {
  const query = turnsOf(db, scope).selectAll().where('conversation_id', '=', conversationId).limit(page.limit)
  const rows =
    'from' in page
      ? await query.where('id', '>=', page.from).orderBy('conversation_id').orderBy('id').execute()
      : await query
          .where('id', '<', page.before)
          .orderBy('conversation_id', 'desc')
          .orderBy('id', 'desc')
          .execute()
  return ('from' in page ? rows : rows.toReversed()).map(toTurn)
}

function toTurn(row: Selectable<TurnsTable>): StoredTurn {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    seq: row.seq,
    at: row.at,
    role: row.role as TurnRole,
    text: row.text,
    tool: row.tool === null ? undefined : JSON.parse(row.tool),
    files: row.files === null ? undefined : JSON.parse(row.files),
    cut: row.cut ?? undefined,
  }
}

/** Deletes at most `limit` turns of a conversation, the last ones first; returns them. */
export async function deleteLastTurns(
  db: Db,
  { accountId, spaceId }: Scope,
  conversationId: number,
  limit: number,
): Promise<StoredTurn[]> {
  const inConversation = sql`account_id = ${accountId} and space_id = ${spaceId} and conversation_id = ${conversationId}`
  const { rows } = await sql<
    Selectable<TurnsTable>
  >`delete from turns where ${inConversation} and id >= coalesce((
      select min(id) from (select id from turns where ${inConversation}
        order by conversation_id desc, id desc limit ${limit}) as last
    ), 0) returning *`.execute(db)
  return rows.map(toTurn)
}
