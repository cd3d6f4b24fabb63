import { setImmediate as nextTask } from 'node:timers/promises'
import type { ChangeActor } from '@loci/contract/change-actor'
import { sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { pastTables } from '../../rows/columns.ts'
import { begins, operationNumbers } from '../../rows/operations.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findFitting, type LoggedChange } from '../log/log.repo.ts'
import { listFormerRows } from './former-spaces.repo.ts'

type Authored = 'entities' | 'observations'
type Beginning = { id: number; since: number; createdAt: number }

const rowsPerLookUp = 500

/**
 * The author of the oldest kept version of each of these rows, by number; of an accepted proposal, who proposed it. Rows that were moved here keep the author
 * that they had in the space they came from, if that space still exists.
 */
export async function findAuthors(
  db: Db,
  scope: Scope,
  table: Authored,
  ids: readonly number[],
): Promise<Map<number, ChangeActor>> {
  const authors = new Map<number, ChangeActor>()
  for (const chunk of chunksOf(ids, rowsPerLookUp)) {
    const firsts = await findFirstWrites(db, scope, table, chunk)
    const arrived = [...firsts].filter(([, first]) => mayHaveArrived(first)).map(([id]) => id)
    const elsewhere = await listFormerRows(db, scope, table, arrived)
    for (const [spaceId, numbers] of elsewhere) {
      const former = await findFirstWrites(db, { accountId: scope.accountId, spaceId }, table, numbers)
      for (const [id, first] of former) if (first.at < firsts.get(id)!.at) firsts.set(id, first)
    }
    for (const [id, { actor, behalf = actor }] of firsts) authors.set(id, behalf)
    await nextTask()
  }
  return authors
}

/** Who last corrected each of these observations, by number; none of those that nobody corrected. */
export async function findCorrectors(
  db: Db,
  { accountId, spaceId }: Scope,
  ids: readonly number[],
): Promise<Map<number, ChangeActor>> {
  const correctors = new Map<number, ChangeActor>()
  for (const chunk of chunksOf(ids, rowsPerLookUp)) {
    const rows = await selectCurrent.observations(db, { accountId, spaceId, ids: chunk })
    // Other changes, such as what replaced it, leave the text alone.
    const corrected = rows.filter(({ updatedAt }) => updatedAt !== null)
    const seqs = [...new Set(corrected.map(({ since }) => since))]
    const operations = [operationNumbers.observation_updated]
    const changes = await findFitting(db, { accountId, spaceId }, seqs, { operations })
    for (const { subjectId, actor, behalf = actor } of changes) correctors.set(subjectId, behalf)
    await nextTask()
  }
  return correctors
}

type FirstWrite = Pick<LoggedChange, 'at' | 'actor' | 'behalf' | 'operation'> & { createdAt: number }

/** True for rows that are older than their first change here: they were moved here, restored, or imported with a date. */
const mayHaveArrived = ({ at, createdAt, operation }: FirstWrite) => begins(operation) && createdAt < at

async function findFirstWrites(
  db: Db,
  scope: Scope,
  table: Authored,
  ids: readonly number[],
): Promise<Map<number, FirstWrite>> {
  const beginnings = await findBeginnings(db, scope, table, ids)
  const logged = await findFitting(db, scope, [...new Set(beginnings.map(({ since }) => since))], {})
  const changes = new Map(logged.map((change) => [change.seq, change]))
  const firsts = new Map<number, FirstWrite>()
  for (const { id, since, createdAt } of beginnings) {
    const change = changes.get(since)
    if (change !== undefined) firsts.set(id, { ...change, createdAt })
  }
  return firsts
}

type Wanted = Scope & { ids: readonly number[] }
const selectCurrent = {
  entities: prepared((db, values: Wanted) => currentOf(db, 'entities', values)),
  observations: prepared((db, values: Wanted) => currentOf(db, 'observations', values)),
}

function currentOf(db: Db, table: Authored, { accountId, spaceId, ids }: Wanted) {
  return db
    .selectFrom(table)
    .select(['id', 'since', 'created_at as createdAt', 'updated_at as updatedAt'])
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
): Promise<Beginning[]> {
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
  const { rows: earlier } =
    await sql<Beginning>`select version.id, version.since, version.created_at as "createdAt"
    from ${wanted} ${dialect.lookUp(past, 'version', condition)}`.execute(db)
  return [...new Map([...current, ...earlier].map((row) => [row.id, row])).values()]
}
