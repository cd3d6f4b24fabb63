import type { Relation } from '@loci/contract/relations'
import { toId } from '../lib/ids.ts'
import { toIso } from '../lib/time.ts'
import { addToDegrees } from './entities.writes.repo.ts'
import { numberOf } from './numbers-of.ts'
import { insertRelations } from './relations.writes.repo.ts'
import { bytesOf } from './stored-bytes.ts'
import type { GraphWrite } from './write-graph.ts'

type End = { id: string; name: string; type: string }

/**
 * A relation to store between existing entities. Only imports give times and numbers (which the write
 * assigned).
 */
export type RelationToStore = {
  from: End
  to: End
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
  const rows = inputs.map(({ from, to, type, id = next++, createdAt = at }) => {
    write.addBytes(bytesOf(type))
    return {
      account_id: scope.accountId,
      space_id: scope.spaceId,
      id,
      from_id: numberOf('ent', from.id),
      to_id: numberOf('ent', to.id),
      type,
      created_at: createdAt,
      since: write.record({ operation: 'relation_created', subjectId: id }, { after: type }),
    }
  })
  await insertRelations(db, rows)
  await addToDegrees(db, scope, degreesOf(rows.map(({ from_id, to_id }) => [from_id, to_id])))
  return inputs.map(({ from, to, type }, index) => ({
    id: toId('rel', rows[index]!.id),
    fromEntityId: from.id,
    toEntityId: to.id,
    type,
    relationType: type,
    createdAt: toIso(rows[index]!.created_at),
    fromEntity: { name: from.name, type: from.type },
    toEntity: { name: to.name, type: to.type },
  }))
}

/** How relations with these ends change the degrees of entities; `sign` -1 if they are removed. */
export function degreesOf(ends: readonly (readonly number[])[], sign: 1 | -1 = 1): Map<number, number> {
  const deltas = new Map<number, number>()
  for (const id of ends.flat()) deltas.set(id, (deltas.get(id) ?? 0) + sign)
  return deltas
}
