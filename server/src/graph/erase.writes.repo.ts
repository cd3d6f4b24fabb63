import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { breathe } from '../lib/turns.ts'
import type { Scope } from '../scope.ts'
import { findCurrent, findLastPast, pastTables } from './versions.repo.ts'

/** Numbers of what was erased. */
export type ErasedIds = { entities: number[]; observations: number[]; relations: number[] }

const rowsPerStep = 500

/** The lists of aliases that an entity had in earlier versions. */
export async function listPastAliases(db: Db, { accountId, spaceId }: Scope, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('past_entities')
    .select('aliases')
    .distinct()
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where('id', '=', id)
    .where('aliases', 'is not', null)
    .execute()
  return rows.flatMap(({ aliases }) => aliases ?? [])
}

/**
 * Deletes the past rows of an entity and of what belonged to it last, and adds their numbers to `erased`. What belonged
 * to another entity since then is that one's.
 */
export async function eraseVersionsOf(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  id: number,
  erased: ErasedIds,
): Promise<void> {
  for (const owned of ownedBy) await eraseOwned(db, dialect, scope, owned, id, erased)
  await db
    .deleteFrom('past_entities')
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('id', '=', id)
    .execute()
  erased.entities.push(id)
}

/** What belongs to an entity, by which column, and the order of the index by it. */
const ownedBy = [
  { table: 'observations', column: 'entity_id', order: ['id', 'since'] },
  { table: 'relations', column: 'from_id', order: ['created_at', 'id', 'since'] },
  { table: 'relations', column: 'to_id', order: ['created_at', 'id', 'since'] },
] as const
type Owned = (typeof ownedBy)[number]

async function eraseOwned(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  { table, column, order }: Owned,
  owner: number,
  erased: ErasedIds,
): Promise<void> {
  const past = sql.table(pastTables[table])
  const inScope = sql`account_id = ${scope.accountId} and space_id = ${scope.spaceId}`
  const columns = sql.join(order.map((name) => sql.ref(name)))
  for (let rest = sql``; ; ) {
    await breathe()
    const { rows } = await sql<Record<string, number>>`select ${columns} from ${past}
      where ${inScope} and ${sql.ref(column)} = ${owner} ${rest} order by ${columns} limit ${rowsPerStep}`.execute(
      db,
    )
    const ids = rows.flatMap(({ id }) => id ?? [])
    const there = await findCurrent(db, dialect, scope, table, ids)
    const last = await findLastPast(db, dialect, scope, table, ids)
    const own = [...last.values()].filter((row) => !there.has(row.id) && Reflect.get(row, column) === owner)
    const gone = own.map(({ id }) => id)
    erased[table].push(...gone)
    await sql`delete from ${past} where ${inScope} and ${dialect.isOneOfNumbers('id', gone)}`.execute(db)
    const reached = rows.at(-1)
    if (reached === undefined || rows.length < rowsPerStep) return
    rest = sql`and (${columns}) > (${sql.join(order.map((name) => sql.val(reached[name])))})`
  }
}
