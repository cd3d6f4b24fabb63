import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../ground/lib/ids.ts'
import type { RelationNumbers } from '../../rows/relations.repo.ts'
import { addToDegrees } from './rows.writes.repo.ts'
import { degreesOf } from './store-relations.ts'
import type { GraphWrite } from './write-graph.ts'
import { endRelations } from './write-rows.ts'

export async function removeRelations(write: GraphWrite, relations: readonly Relation[]): Promise<void> {
  await removeRelationRows(
    write,
    relations.map(({ id, fromEntityId, toEntityId, type }) => ({
      id: numberOf('rel', id),
      fromId: numberOf('ent', fromEntityId),
      toId: numberOf('ent', toEntityId),
      type,
    })),
  )
}

/** Deletes relations by their numbers. */
export async function removeRelationRows(
  write: GraphWrite,
  relations: readonly RelationNumbers[],
): Promise<void> {
  if (relations.length === 0) return
  await endRelations(write, relations)
  const ends = relations.map(({ fromId, toId }) => [fromId, toId])
  await addToDegrees(write.db, write.scope, degreesOf(ends, -1))
}
