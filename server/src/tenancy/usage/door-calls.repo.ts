import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'

/** The newest call of a key, a connection or a personal key (by its person) in a space. */
export type DoorCall = {
  accountId: number
  spaceId: number
  credential: string
  at: number
  what: string
  isRefused: boolean
}

/** More than an account has keys, connections and people with a call in some space. */
const doorCallsListedMax = 10_000

/** Call it in the order of accounts, spaces and credentials. */
export async function storeDoorCall(db: Db, call: DoorCall): Promise<void> {
  await db
    .insertInto('door_calls')
    .values({
      account_id: call.accountId,
      space_id: call.spaceId,
      credential: call.credential,
      at: call.at,
      what: call.what,
      is_refused: call.isRefused ? 1 : 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'space_id', 'credential']).doUpdateSet({
        at: sql<number>`excluded.at`,
        what: sql<string>`excluded.what`,
        is_refused: sql<number>`excluded.is_refused`,
      }),
    )
    .execute()
}

export async function listDoorCallRows(db: Db, accountId: number): Promise<DoorCall[]> {
  const rows = await db
    .selectFrom('door_calls')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('space_id')
    .orderBy('credential')
    .limit(doorCallsListedMax)
    .execute()
  return rows.map((row) => ({
    accountId,
    spaceId: row.space_id,
    credential: row.credential,
    at: row.at,
    what: row.what,
    isRefused: row.is_refused === 1,
  }))
}

export async function deleteDoorCalls(
  db: Db,
  accountId: number,
  credentials: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('door_calls')
    .where('account_id', '=', accountId)
    .where(dialectOf(db).isOneOf('credential', credentials))
    .execute()
}
