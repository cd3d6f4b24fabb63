import type { Cursor } from '../../ground/lib/cursors.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { countBack } from './count-back.repo.ts'
import { type HeldKey, scanHeld } from './valid-rows.repo.ts'

/** Most parts of a scan per page; the page then returns where to continue. */
const partsMax = 50

export type PageAsOf = { keys: HeldKey[]; next: Cursor | undefined }

/**
 * A page of rows valid after a change, newest first. It ends early if only a few of many rows were
 * valid or match.
 */
export async function listAsOf(
  db: Db,
  scope: Scope,
  table: 'entities' | 'relations',
  page: {
    seq: number
    cursor: Cursor | undefined
    limit: number
    entityId?: number | undefined
    types?: readonly string[] | undefined
  },
): Promise<PageAsOf> {
  const found: HeldKey[] = []
  let parts = 0
  const scan = { seq: page.seq, order: 'newest' as const, after: page.cursor, entityId: page.entityId }
  for await (const { keys, reached } of scanHeld(db, scope, table, scan)) {
    // A self-relation is found from both its ends.
    found.push(
      ...keys.filter((key, i) => fits(key, page.types) && key.id !== (keys[i - 1] ?? found.at(-1))?.id),
    )
    if (found.length > page.limit)
      return { keys: found.slice(0, page.limit), next: cursorOf(found[page.limit - 1]!) }
    parts += 1
    if (reached !== undefined && parts === partsMax) return { keys: found, next: cursorOf(reached) }
  }
  return { keys: found, next: undefined }
}

type Filter = { seq: number; entityId?: number | undefined; types?: readonly string[] | undefined }

/** Number of rows valid after a change. */
export async function countAsOf(
  db: Db,
  scope: Scope,
  table: 'entities' | 'relations',
  filter: Filter,
): Promise<number> {
  const counted = filter.entityId === undefined ? await countBack(db, scope, table, filter) : undefined
  return counted ?? countByScan(db, scope, table, filter)
}

/** The same by reading all rows, or all rows of an entity. */
export async function countByScan(
  db: Db,
  scope: Scope,
  table: 'entities' | 'relations',
  { seq, entityId, types }: Filter,
): Promise<number> {
  const order = entityId === undefined ? 'number' : 'newest'
  let total = 0
  let last: number | undefined
  for await (const { keys } of scanHeld(db, scope, table, { seq, order, entityId })) {
    for (const key of keys) {
      if (key.id !== last && fits(key, types)) total += 1
      last = key.id
    }
  }
  return total
}

const fits = ({ type }: HeldKey, types: readonly string[] | undefined) =>
  types === undefined || types.length === 0 || types.includes(type)

const cursorOf = ({ created_at: at, id }: HeldKey): Cursor => ({ at, id })
