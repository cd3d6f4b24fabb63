import type { Tables, VersionedTable } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

export async function insertRows<T extends VersionedTable>(
  db: Db,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  await dialectOf(db).insertRows(db, table, rows)
}

type Touch = Scope & { ids: readonly number[]; at: number; observations: number }
const updateTouched = prepared((db, values: Touch) =>
  db
    .updateTable('entities')
    .set((eb) => ({
      observations_count: eb('observations_count', '+', values.observations),
      version: eb('version', '+', 1),
      updated_at: values.at,
    }))
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
)

/** Marks entities as changed at `at`; `observations` is the difference in their number. */
export async function touchEntities(
  db: Db,
  { accountId, spaceId }: Scope,
  touches: readonly { id: number; at: number; observations: number }[],
): Promise<void> {
  for (const alike of Map.groupBy(touches, ({ at, observations }) => `${at} ${observations}`).values()) {
    const { at, observations } = alike[0]!
    const ids = alike.map(({ id }) => id)
    await updateTouched(db, { accountId, spaceId, at, observations, ids })
  }
}

type Degrees = Scope & { ids: readonly number[]; delta: number }
const updateDegrees = prepared((db, values: Degrees) =>
  db
    .updateTable('entities')
    .set((eb) => ({ degree: eb('degree', '+', values.delta) }))
    .where(isIn(values))
    .where(dialectOf(db).isOneOfNumbers('id', values.ids)),
)

/**
 * Adds to the relation count of each entity. Entities that change by the same number share a statement:
 * on an SQLite without statistics, a join with a list of numbers scans the whole space.
 */
export async function addToDegrees(
  db: Db,
  { accountId, spaceId }: Scope,
  deltas: ReadonlyMap<number, number>,
): Promise<void> {
  for (const [delta, alike] of Map.groupBy(deltas, ([, delta]) => delta)) {
    if (delta === 0) continue
    const ids = alike.map(([id]) => id)
    await updateDegrees(db, { accountId, spaceId, delta, ids })
  }
}

/** Sets the source of observations that have none; returns how many. */
export async function setSource(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  source: string,
): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable('observations')
    .set({ source })
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('id', ids))
    .where('source', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
