import type { OperationType } from '@loci/contract/analytics'
import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import { toCamelRow, toSnakeRow } from '../../store/row-names.ts'
import { isIn } from '../scope.repo.ts'
import type { Scope } from '../scope.ts'

export type OperationCount = {
  accountId: number
  day: string
  operation: OperationType
  resource: string
  requests: number
  /** Sum of the response times, in microseconds. */
  responseUs: number
}
export type MonthCount = { accountId: number; month: string; operations: number }
export type KeyCount = {
  accountId: number
  keyId: string
  requests: number
  lastUsedAt: number
  lastOperation: OperationType
  lastResource: string
}
export type KeyDay = { accountId: number; keyId: string; day: string }

const rowsPerStatement = 500

/** Which of the accounts still exist. */
export async function listExistingAccounts(db: Db, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('accounts')
    .select('account_id')
    .where(dialectOf(db).isOneOfNumbers('account_id', ids))
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map((row) => row.account_id))
}

/** Which of the keys still exist. */
export async function listExistingKeys(
  db: Db,
  { accountIds, ids }: { accountIds: number[]; ids: string[] },
): Promise<Set<string>> {
  const dialect = dialectOf(db)
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where(dialect.isOneOfNumbers('account_id', accountIds))
    .where(dialect.isOneOf('id', ids))
    .execute()
  return new Set(rows.map((row) => row.id))
}

export async function addOperationCounts(db: Db, counts: OperationCount[]): Promise<void> {
  for (const chunk of chunksOf(counts, rowsPerStatement)) {
    await db
      .insertInto('operation_counts')
      .values(chunk.map(toSnakeRow))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day', 'operation', 'resource']).doUpdateSet({
          requests: sql<number>`operation_counts.requests + excluded.requests`,
          response_us: sql<number>`operation_counts.response_us + excluded.response_us`,
        }),
      )
      .execute()
  }
}

/** Adds the counts and returns the new totals, which include other processes' operations. */
export async function addMonthCounts(db: Db, counts: MonthCount[]): Promise<MonthCount[]> {
  const totals: MonthCount[] = []
  for (const chunk of chunksOf(counts, rowsPerStatement)) {
    const rows = await db
      .insertInto('month_counts')
      .values(chunk.map(({ accountId, month, operations }) => ({ account_id: accountId, month, operations })))
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'month'])
          .doUpdateSet({ operations: sql<number>`month_counts.operations + excluded.operations` }),
      )
      .returning(['account_id as accountId', 'month', 'operations'])
      .execute()
    totals.push(...rows)
  }
  return totals
}

const upsertOperation = prepared((db, values: { accountId: number; month: string }) =>
  db
    .insertInto('month_counts')
    .values({ account_id: values.accountId, month: values.month, operations: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'month'])
        .doUpdateSet({ operations: sql<number>`month_counts.operations + 1` }),
    )
    .returning('operations'),
)

/** Counts one operation and returns the new total. */
export async function addOperation(db: Db, accountId: number, month: string): Promise<number> {
  const [count] = await upsertOperation(db, { accountId, month })
  return count!.operations
}

/** Returns how many of the days are new, by key. */
export async function insertKeyDays(db: Db, days: KeyDay[]): Promise<Map<string, number>> {
  const newDays = new Map<string, number>()
  for (const chunk of chunksOf(days, rowsPerStatement)) {
    const rows = await db
      .insertInto('key_days')
      .values(chunk.map(({ accountId, keyId, day }) => ({ account_id: accountId, key_id: keyId, day })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('key_id')
      .execute()
    for (const { key_id } of rows) newDays.set(key_id, (newDays.get(key_id) ?? 0) + 1)
  }
  return newDays
}

/** The value of the newer of two rows. */
const newest = <T>(column: string) =>
  sql<T>`case when excluded.last_used_at >= key_counts.last_used_at
    then excluded.${sql.ref(column)} else key_counts.${sql.ref(column)} end`

export async function addKeyCounts(
  db: Db,
  counts: KeyCount[],
  newDays: ReadonlyMap<string, number>,
): Promise<void> {
  for (const chunk of chunksOf(counts, rowsPerStatement)) {
    await db
      .insertInto('key_counts')
      .values(chunk.map((count) => ({ ...toSnakeRow(count), active_days: newDays.get(count.keyId) ?? 0 })))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'key_id']).doUpdateSet({
          requests: sql<number>`key_counts.requests + excluded.requests`,
          active_days: sql<number>`key_counts.active_days + excluded.active_days`,
          last_used_at: newest<number>('last_used_at'),
          last_operation: newest<OperationType>('last_operation'),
          last_resource: newest<string>('last_resource'),
        }),
      )
      .execute()
  }
}

/** Stored operations of an account in a month. */
export async function getMonthCount(db: Db, accountId: number, month: string): Promise<number> {
  const row = await db
    .selectFrom('month_counts')
    .select('operations')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.operations ?? 0
}

/** Stored counts of an account between two days, inclusive: at most some hundred rows for a month. */
export async function listOperationCounts(
  db: Db,
  accountId: number,
  fromDay: string,
  toDay: string,
): Promise<OperationCount[]> {
  const rows = await db
    .selectFrom('operation_counts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .execute()
  return rows.map(toCamelRow)
}

/** Records when an agent first called in the space. */
export async function storeAgentSeen(db: Db, scope: Scope, at: number): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ agent_seen_at: at })
    .where(isIn(scope))
    .where('agent_seen_at', 'is', null)
    .execute()
}

/** When an agent first called in the space; null if none has. */
export async function findAgentSeen(db: Db, scope: Scope): Promise<number | null> {
  const row = await db
    .selectFrom('spaces')
    .select('agent_seen_at as at')
    .where(isIn(scope))
    .executeTakeFirst()
  return row?.at ?? null
}

/** The account's plan, from a subscription or assigned. */
export async function getPlan(db: Db, accountId: number): Promise<string> {
  const { plan } = await db
    .selectFrom('accounts')
    .select('plan')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return plan
}
