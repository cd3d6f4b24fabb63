import type { Entity } from '@loci/contract/entities'
import type { Relation } from '@loci/contract/relations'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Versions } from '../../rows/columns.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findFitting } from '../log/log.repo.ts'
import { toEntityState, toRelationState } from '../versions/states.ts'
import { findVersionsAt, keyOfMoment } from '../versions/versions.repo.ts'
import { countHeldObservations } from './valid-rows.repo.ts'

/** Throws `as_of_not_searchable` if a search asks for the past: only the present is indexed. */
export function refuseSearch(query: string): void {
  if (query.trim() === '') return
  throw new AppError('as_of_not_searchable', 'The past cannot be searched. Leave out query or asOf.')
}

/** Entities as of a change, without observations, by number; entities that did not exist are left out. */
export async function findEntitiesAsOf(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  seq: number,
): Promise<Map<number, Entity>> {
  if (ids.length === 0) return new Map()
  const rows = await findRows(db, scope, 'entities', ids, seq)
  const counts = await countHeldObservations(db, scope, [...rows.keys()], seq)
  const touchOf = ({ id, since }: Versions['entities']) => Math.max(since, counts.get(id)?.last ?? 0)
  const touches = [...new Set([...rows.values()].map(touchOf))]
  const times = new Map((await findFitting(db, scope, touches, {})).map(({ seq: touch, at }) => [touch, at]))
  const entities = new Map<number, Entity>()
  for (const [id, row] of rows) {
    const observationsCount = counts.get(id)?.count ?? 0
    // Only imports set this time explicitly, to an earlier one.
    const updatedAt = Math.min(row.updated_at, times.get(touchOf(row)) ?? row.updated_at)
    entities.set(id, toEntityState(row, { observationsCount, updatedAt }))
  }
  return entities
}

/** Relations as of a change, by number; relations that did not exist are left out. */
export async function findRelationsAsOf(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  seq: number,
): Promise<Map<number, Relation>> {
  if (ids.length === 0) return new Map()
  const rows = await findRows(db, scope, 'relations', ids, seq)
  const wanted = [...rows.values()].flatMap(({ from_id, to_id }) => [from_id, to_id])
  const ends = await findRows(db, scope, 'entities', wanted, seq)
  return new Map(
    [...rows].map(([id, row]) => [id, toRelationState(row, ends.get(row.from_id), ends.get(row.to_id))]),
  )
}

async function findRows<T extends 'entities' | 'relations'>(
  db: Db,
  scope: Scope,
  table: T,
  ids: readonly number[],
  seq: number,
): Promise<Map<number, Versions[T]>> {
  const distinct = [...new Set(ids)]
  const moments = distinct.map((id) => ({ id, seq }))
  const found = await findVersionsAt(db, scope, table, moments)
  return new Map(
    distinct.flatMap((id) => {
      const row = found.get(keyOfMoment({ id, seq }))
      return row === undefined ? [] : [[id, row]]
    }),
  )
}
