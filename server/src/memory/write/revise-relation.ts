import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../rows/numbers-of.ts'
import { copyToPast } from '../versions/past-rows.writes.repo.ts'
import { updateRelationRow } from './relations.writes.repo.ts'
import { bytesOf } from './stored-bytes.ts'
import type { GraphWrite } from './write-graph.ts'

/** Gives a relation another type. The caller has checked that no such relation exists. */
export async function retypeRelation(write: GraphWrite, before: Relation, type: string): Promise<Relation> {
  if (type === before.type) return before
  const { db, scope } = write
  const id = numberOf('rel', before.id)
  const seq = write.record(
    { operation: 'relation_updated', subjectId: id },
    { before: before.type, after: type },
  )
  await copyToPast(db, scope, 'relations', [{ id, until: seq }])
  await updateRelationRow(db, scope, id, { type, since: seq })
  write.addBytes(bytesOf('relations', { type }) - bytesOf('relations', before))
  return { ...before, type, relationType: type }
}
