import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../ground/lib/ids.ts'
import { type End, toRelation } from '../../rows/codec.ts'
import { addToDegrees } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'
import { beginRows } from './write-rows.ts'

/**
 * A relation to store between existing entities. Only imports give times and numbers (which the write
 * assigned).
 */
export type RelationToStore = {
  from: End & { id: string }
  to: End & { id: string }
  type: string
  id?: number | undefined
  createdAt?: number | undefined
}

/** Stores new relations. The caller has checked that they do not exist yet. */
export async function storeRelations(
  write: GraphWrite,
  inputs: readonly RelationToStore[],
): Promise<Relation[]> {
  if (inputs.length === 0) return []
  const { db, scope, at } = write
  let next = write.takeIds(inputs.filter(({ id }) => id === undefined).length)
  const rows = await beginRows(
    write,
    'relations',
    inputs.map(({ from, to, type, id = next++, createdAt = at }) => ({
      id,
      from_id: numberOf('ent', from.id),
      to_id: numberOf('ent', to.id),
      type,
      created_at: createdAt,
    })),
  )
  await addToDegrees(db, scope, degreesOf(rows.map(({ from_id, to_id }) => [from_id, to_id])))
  return inputs.map(({ from, to }, index) => toRelation(rows[index]!, from, to))
}

/** How relations with these ends change the degrees of entities; `sign` -1 if they are removed. */
export function degreesOf(ends: readonly (readonly number[])[], sign: 1 | -1 = 1): Map<number, number> {
  const deltas = new Map<number, number>()
  for (const id of ends.flat()) deltas.set(id, (deltas.get(id) ?? 0) + sign)
  return deltas
}
