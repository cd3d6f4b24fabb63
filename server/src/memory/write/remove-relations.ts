import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../ground/lib/ids.ts'
import { bytesOf } from '../../rows/codec.ts'
import type { RelationNumbers } from '../../rows/relations.repo.ts'
import { copyToPast, deletePastRows } from '../versions/past-rows.writes.repo.ts'
import { addToDegrees } from './rows.writes.repo.ts'
import { degreesOf } from './store-relations.ts'
import type { GraphWrite } from './write-graph.ts'

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
  const { db, scope } = write
  const endings = relations.map(({ id, type }) => {
    write.addBytes(-bytesOf('relations', { type }))
    return { id, until: write.record({ operation: 'relation_deleted', subjectId: id }, { before: type }) }
  })
  await copyToPast(db, scope, 'relations', endings)
  await deletePastRows(
    db,
    scope,
    'relations',
    relations.map(({ id }) => id),
  )
  const ends = relations.map(({ fromId, toId }) => [fromId, toId])
  await addToDegrees(db, scope, degreesOf(ends, -1))
}
