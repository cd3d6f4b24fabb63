import { createHash } from 'node:crypto'
import { TurnRole, type TurnTool } from '@loci/contract/conversations'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import type { TurnsTable } from '../../store/schema.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
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

const turnsOf = (db: Db, scope: Scope) => db.selectFrom('turns').where(isIn(scope))

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

/** The numbers of turns of a conversation, by {@link hashOfExternalId}. */
export async function findTurnNumbers(
  db: Db,
  scope: Scope,
  conversationId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await turnsOf(db, scope)
    .select(['external', 'id'])
    .where('conversation_id', '=', conversationId)
    .where(dialectOf(db).isOneOf('external', hashes))
    .execute()
  return new Map(rows.map(({ external, id }) => [external, id]))
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
    role: row.role.toLowerCase() as TurnRole,
    text: row.text,
    tool: parsed(row.tool),
    files: parsed(row.files),
    cut: row.cut ?? undefined,
  }
}

const parsed = (json: string | null) => (json === null ? undefined : JSON.parse(json))

/** The last number of the next turns of a space, and how many they are. */
export async function nextTurnNumbers(
  db: Db,
  { accountId, spaceId }: Scope,
  after: number,
  limit: number,
): Promise<{ last: number; count: number }> {
  const { rows } = await sql<{ last: number | null; count: number }>`
    select max(id) as last, count(*) as count from (select id from turns
      where account_id = ${accountId} and space_id = ${spaceId} and id > ${after} order by id limit ${limit}) as next`.execute(
    db,
  )
  return { last: Number(rows[0]!.last ?? 0), count: Number(rows[0]!.count) }
}

/** The numbers of turns that contain one of these texts in their text, tool or files, in any case of ASCII letters. */
export async function listTurnsContaining(
  db: Db,
  scope: Scope,
  { after, upTo, texts }: { after: number; upTo: number; texts: readonly string[] },
): Promise<number[]> {
  const folded = [...new Set(texts.map(foldAscii))]
  const escaped = folded.map((text) => foldAscii(JSON.stringify(text).slice(1, -1)))
  const has = (column: string, parts: readonly string[]) =>
    parts.map((part) => dialectOf(db).hasPart(column, part))
  const rows = await turnsOf(db, scope)
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where((eb) => eb.or([...has('text', folded), ...has('tool', escaped), ...has('files', escaped)]))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** As databases compare without regard to case. */
export const foldAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export async function updateTurnTexts(
  db: Db,
  scope: Scope,
  { id, text, tool, files }: StoredTurn,
): Promise<void> {
  await db
    .updateTable('turns')
    .set({ text, tool: jsonOf(tool), files: jsonOf(files) })
    .where(isIn(scope))
    .where('id', '=', id)
    .execute()
}

/** Deletes at most `limit` turns of a conversation, the last ones first; returns those that were not blank, and sizes. */
export async function deleteLastTurns(
  db: Db,
  { accountId, spaceId }: Scope,
  conversationId: number,
  limit: number,
): Promise<{ turns: StoredTurn[]; rows: number; bytes: number }> {
  const size = sql`octet_length(text) + coalesce(octet_length(tool), 0) + coalesce(octet_length(files), 0)`
  const inConversation = sql`account_id = ${accountId} and space_id = ${spaceId} and conversation_id = ${conversationId}`
  const { rows } = await sql<
    Selectable<TurnsTable> & { size: number }
  >`delete from turns where ${inConversation} and id >= coalesce((
      select min(id) from (select id from turns where ${inConversation}
        order by conversation_id desc, id desc limit ${limit}) as last
    ), 0) returning *, ${size} as size`.execute(db)
  const written = rows.filter(({ role }) => TurnRole.safeParse(role).success)
  return {
    turns: written.map(toTurn),
    rows: rows.length,
    bytes: rows.reduce((sum, row) => sum + Number(row.size), 0),
  }
}
