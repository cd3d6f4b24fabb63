import type { Relation } from '@loci/contract/relations'
import { toIso } from '../lib/time.ts'
import { addToDegrees } from './entities.repo.ts'
import { deleteRelations, insertRelations } from './relations.repo.ts'
import type { GraphWrite } from './write-graph.ts'

type End = { id: string; name: string; type: string }

/** A relation to store between entities that exist. Times and ids are given by imports only. */
export type RelationToStore = {
  from: End
  to: End
  type: string
  id?: string | undefined
  createdAt?: number | undefined
}

/** Stores relations that are not there yet. The caller has checked that. */
export async function storeRelations(
  write: GraphWrite,
  inputs: readonly RelationToStore[],
): Promise<Relation[]> {
  const { ctx, db, scope, at } = write
  const rows = inputs.map((input) => ({
    id: input.id ?? ctx.newId('rel'),
    fromId: input.from.id,
    toId: input.to.id,
    type: input.type,
    createdAt: input.createdAt ?? at,
  }))
  await insertRelations(db, ctx.dialect, scope, rows)
  await addToDegrees(
    db,
    ctx.dialect,
    scope,
    degreesOf(
      inputs.map(({ from, to }) => [from.id, to.id]),
      1,
    ),
  )
  return inputs.map(({ from, to, type }, index) => {
    const row = rows[index]!
    const relation: Relation = {
      id: row.id,
      fromEntityId: from.id,
      toEntityId: to.id,
      type,
      relationType: type,
      createdAt: toIso(row.createdAt),
      fromEntity: { name: from.name, type: from.type },
      toEntity: { name: to.name, type: to.type },
    }
    write.record(
      { operation: 'relation_created', subjectId: row.id, before: null, after: relation },
      { after: type },
    )
    return relation
  })
}

/** Deletes relations. */
export async function removeRelations(
  { ctx, db, scope, record }: GraphWrite,
  relations: readonly Relation[],
): Promise<void> {
  if (relations.length === 0) return
  await deleteRelations(
    db,
    ctx.dialect,
    scope,
    relations.map((relation) => relation.id),
  )
  await addToDegrees(
    db,
    ctx.dialect,
    scope,
    degreesOf(
      relations.map((relation) => [relation.fromEntityId, relation.toEntityId]),
      -1,
    ),
  )
  for (const relation of relations) {
    record(
      { operation: 'relation_deleted', subjectId: relation.id, before: relation, after: null },
      { before: relation.type },
    )
  }
}

function degreesOf(ends: [string, string][], delta: number): Map<string, number> {
  const deltas = new Map<string, number>()
  for (const id of ends.flat()) deltas.set(id, (deltas.get(id) ?? 0) + delta)
  return deltas
}
