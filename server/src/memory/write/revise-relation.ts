import type { Relation } from '@loci/contract/relations'
import { numberOf } from '../../ground/lib/ids.ts'
import type { GraphWrite } from './write-graph.ts'
import { resetRelations } from './write-rows.ts'

/** Gives a relation another type. The caller has checked that no such relation exists. */
export async function retypeRelation(write: GraphWrite, before: Relation, type: string): Promise<Relation> {
  if (type === before.type) return before
  const id = numberOf('rel', before.id)
  await resetRelations(write, [{ before: { id, type: before.type }, after: { id, type } }])
  return { ...before, type, relationType: type }
}
