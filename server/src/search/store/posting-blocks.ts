import { type RawBuilder, sql } from 'kysely'
import { breathe } from '../../ground/lib/pace.ts'
import type { Db } from '../../store/db.ts'
import { firstRows } from '../../store/first-rows.ts'
import type { Scope } from '../../tenancy/scope.ts'
import {
  blockOf,
  bytesPerId,
  mergePacked,
  type PackedIds,
  packIds,
  unpackIds,
  withoutIds,
} from './packed-ids.ts'

const isIn = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

const rowsPerStatement = 4_000

/** Adds ids to their blocks. The caller holds the account's lock. */
export async function addToBlocks(db: Db, scope: Scope, added: Iterable<PackedIds>): Promise<void> {
  for await (const rows of slicesOf(added)) await addSlice(db, scope, rows)
}

/** Removes ids from their blocks. The caller holds the account's lock. */
export async function removeFromBlocks(db: Db, scope: Scope, removed: Iterable<PackedIds>): Promise<void> {
  for await (const rows of slicesOf(removed)) await removeSlice(db, scope, rows)
}

async function* slicesOf(rows: Iterable<PackedIds>): AsyncGenerator<PackedIds[], void> {
  let slice: PackedIds[] = []
  for (const row of rows) {
    await breathe()
    slice.push(row)
    if (slice.length < rowsPerStatement) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

async function addSlice(db: Db, scope: Scope, added: readonly PackedIds[]): Promise<void> {
  const appended = await appendToBlocks(db, scope, added)
  if (appended === added.length) return
  const addedTo = new Map(added.map((row) => [keyOf(row), row.ids]))
  const merged: PackedIds[] = []
  for (const row of await readUnlike(db, scope, added)) {
    await breathe()
    merged.push({ ...row, ids: mergePacked(row.block, row.ids, addedTo.get(keyOf(row))!) })
  }
  await updateBlocks(db, scope, merged)
}

const keyOf = ({ term, block }: Pick<PackedIds, 'term' | 'block'>) => `${block} ${term}`

/**
 * Appends ids that are above all ids of their block, the usual case; returns how many rows it changed. Selects from
 * `accounts` because Citus runs an insert on the account's node only if a table of that node is selected from.
 */
async function appendToBlocks(
  db: Db,
  { accountId, spaceId }: Scope,
  added: readonly PackedIds[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into posting_blocks as stored (account_id, space_id, term, block, ids)
    select account_id, ${spaceId}::int, term, block, packed.ids from accounts cross join ${toRows(added)}
    where account_id = ${accountId}
    on conflict (account_id, space_id, term, block) do update set ids = stored.ids || excluded.ids
      where substr(stored.ids, octet_length(stored.ids) - 1) < substr(excluded.ids, 1, ${bytesPerId})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** The blocks that do not end with these ids, so were not appended to. */
async function readUnlike(db: Db, scope: Scope, added: readonly PackedIds[]): Promise<PackedIds[]> {
  const { rows } = await sql<PackedIds>`select stored.term, stored.block, stored.ids
    from ${toRows(added)} cross join lateral (
      select term, block, ids from posting_blocks
      where ${isIn(scope)} and term = packed.term and block = packed.block offset 0
    ) as stored
    where substr(stored.ids, greatest(1, octet_length(stored.ids) + 1 - octet_length(packed.ids))) <> packed.ids
  `.execute(db)
  return rows
}

async function removeSlice(db: Db, scope: Scope, removed: readonly PackedIds[]): Promise<void> {
  const goneOf = new Map(removed.map((row) => [keyOf(row), row.ids]))
  const left: PackedIds[] = []
  for (const row of await readBlocks(db, scope, removed)) {
    await breathe()
    const ids = withoutIds(row.block, row.ids, goneOf.get(keyOf(row))!)
    if (ids.length < row.ids.length) left.push({ ...row, ids })
  }
  await replaceBlocks(db, scope, left)
}

/** Removes the ids up to `upTo` from at most `limit` blocks; returns whether there may be more. */
export async function clearBlocks(db: Db, scope: Scope, upTo: number, limit: number): Promise<boolean> {
  const last = blockOf(upTo)
  const { rows } = await sql<PackedIds>`select term, block, ids from posting_blocks
    where ${isIn(scope)} and (block < ${last} or block = ${last} and substr(ids, 1, ${bytesPerId}) <= ${packIds([upTo])})
    limit ${limit}`.execute(db)
  const left: PackedIds[] = []
  for (const row of rows) {
    await breathe()
    const ids = row.block < last ? [] : unpackIds(row.block, row.ids).filter((id) => id > upTo)
    left.push({ ...row, ids: packIds(ids) })
  }
  await replaceBlocks(db, scope, left)
  return rows.length === limit
}

/** Removes some blocks of a space; returns whether there may be more. */
export async function removeSomeBlocks(db: Db, scope: Scope, limit: number): Promise<boolean> {
  const some = firstRows('posting_blocks', ['term', 'block'], isIn(scope), limit)
  const { numAffectedRows = 0n } =
    await sql`delete from posting_blocks where ${isIn(scope)} and ${some}`.execute(db)
  return Number(numAffectedRows) === limit
}

async function readBlocks(db: Db, scope: Scope, wanted: readonly PackedIds[]): Promise<PackedIds[]> {
  const terms = wanted.map(({ term }) => term)
  const blocks = wanted.map(({ block }) => block)
  // `offset 0` keeps the planner from reading the whole space for the join.
  const { rows } = await sql<PackedIds>`select found.term, found.block, found.ids
    from unnest(${terms}::text[], ${blocks}::int[]) as wanted (term, block) cross join lateral (
      select term, block, ids from posting_blocks
      where ${isIn(scope)} and term = wanted.term and block = wanted.block offset 0
    ) as found`.execute(db)
  return rows
}

/** Replaces the ids of these blocks; blocks without ids are deleted. */
async function replaceBlocks(db: Db, scope: Scope, rows: readonly PackedIds[]): Promise<void> {
  const empty = rows.filter(({ ids }) => ids.length === 0)
  if (empty.length > 0)
    await sql`delete from posting_blocks as stored using ${toRows(empty)}
      where ${isIn(scope)} and stored.term = packed.term and stored.block = packed.block`.execute(db)
  await updateBlocks(
    db,
    scope,
    rows.filter(({ ids }) => ids.length > 0),
  )
}

async function updateBlocks(db: Db, scope: Scope, rows: readonly PackedIds[]): Promise<void> {
  if (rows.length === 0) return
  await sql`update posting_blocks as stored set ids = packed.ids from ${toRows(rows)}
    where ${isIn(scope)} and stored.term = packed.term and stored.block = packed.block`.execute(db)
}

/**
 * Given blocks as rows of `packed`, in the order of their key: neighbours lie on the same pages, which saves a quarter
 * of the time. All ids are one binary parameter: in a list of values each would be written in hex.
 */
function toRows(rows: readonly PackedIds[]): RawBuilder<unknown> {
  const starts: number[] = []
  let end = 1
  for (const { ids } of rows) {
    starts.push(end)
    end += ids.length
  }
  const bytes = Buffer.concat(rows.map(({ ids }) => ids))
  return sql`(
    select term, block, substr(${bytes}::bytea, start, size) as ids
    from unnest(
      ${rows.map(({ term }) => term)}::text[], ${rows.map(({ block }) => block)}::int[],
      ${starts}::int[], ${rows.map(({ ids }) => ids.length)}::int[]
    ) as t (term, block, start, size)
    order by term collate "C", block
  ) as packed`
}
