import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeActor } from '@loci/contract/change-actor'
import { sql } from 'kysely'
import { findFitting } from '../changes/log.repo.ts'
import type { Db } from '../db/db.ts'
import { dialectOf } from '../db/dialect-of.ts'
import { prepared } from '../db/prepared.ts'
import { chunksOf } from '../lib/chunks.ts'
import type { Scope } from '../scope.ts'
import { pastTables } from './versions.repo.ts'

type Authored = 'entities' | 'observations'
type Beginning = { id: number; since: number }

const rowsPerLookUp = 500

/** The author of the oldest kept version of each of these rows, by number. */
export async function findAuthors(
  db: Db,
  scope: Scope,
  table: Authored,
  ids: readonly number[],
): Promise<Map<number, ChangeActor>> {
  const authors = new Map<number, ChangeActor>()
  for (const chunk of chunksOf(ids, rowsPerLookUp)) {
    const beginnings = await findBeginnings(db, scope, table, chunk)
    const logged = await findFitting(db, scope, [...new Set(beginnings.values())], {})
    const actors = new Map(logged.map(({ seq, actor }) => [seq, actor]))
    for (const [id, seq] of beginnings) {
      const actor = actors.get(seq)
      if (actor !== undefined) authors.set(id, actor)
    }
    await nextTurn()
  }
  return authors
}

type Wanted = Scope & { ids: readonly number[] }
const selectCurrent = {
  entities: prepared((db, values: Wanted) => currentOf(db, 'entities', values)),
  observations: prepared((db, values: Wanted) => currentOf(db, 'observations', values)),
}

function currentOf(db: Db, table: Authored, { accountId, spaceId, ids }: Wanted) {
  return db
    .selectFrom(table)
    .select(['id', 'since'])
    .where('account_id', '=', accountId)
    .where('space_id', '=', spaceId)
    .where(dialectOf(db).isOneOfNumbers('id', ids))
}

/** The change that created each row: an earlier version, if any, takes precedence. */
async function findBeginnings(
  db: Db,
  { accountId, spaceId }: Scope,
  table: Authored,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const dialect = dialectOf(db)
  const current = await selectCurrent[table](db, { accountId, spaceId, ids })
  const past = pastTables[table]
  const wanted = dialect.rowsOf(
    'wanted',
    ids.map((id) => ({ wanted_id: id })),
  )
  const condition = sql`version.account_id = ${accountId} and version.space_id = ${spaceId}
    and version.id = wanted.wanted_id and version.since = (
      select min(older.since) from ${sql.table(past)} as older
      where older.account_id = ${accountId} and older.space_id = ${spaceId} and older.id = wanted.wanted_id)`
  const { rows: earlier } = await sql<Beginning>`select version.id, version.since
    from ${wanted} ${dialect.lookUp(past, 'version', condition)}`.execute(db)
  return new Map([...current, ...earlier].map(({ id, since }) => [id, since]))
}
