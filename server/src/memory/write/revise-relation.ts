import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../ground/lib/ids.ts'
import { bytesOf } from '../../rows/codec.ts'
import { copyToPast } from '../versions/past-rows.writes.repo.ts'
import { updateRow } from './rows.writes.repo.ts'
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
  await updateRow(db, scope, { table: 'relations', id }, { type, since: seq })
  write.addBytes(bytesOf('relations', { type }) - bytesOf('relations', before))
  return { ...before, type, relationType: type }
}
