import type { ImportProblem } from '@loci/contract/imports'
import { findEndsByName } from '../../graph/entities.repo.ts'
import { findRelationIds, findRelationsBetween } from '../../graph/relations.repo.ts'
import { type RelationToStore, storeRelations } from '../../graph/store-relations.ts'
import type { GraphWrite } from '../../graph/write-graph.ts'
import { addCounts, addProblems, type Progress } from './import-progress.ts'
import { originOf, type Unit } from './read-units.ts'

/** Stores the relations of some units; those that exist stay as they are, those without an end are reported. */
export async function importRelations(
  write: GraphWrite,
  progress: Progress,
  units: readonly Unit[],
): Promise<Progress> {
  const { relations, problems } = await findEnds(write, units)
  const missing = await withoutStored(write, relations)
  const created = await storeRelations(write, await withFreeIds(write, missing))
  return {
    ...progress,
    position: units.at(-1)?.after ?? progress.position,
    relations: addCounts(progress.relations, {
      created: created.length,
      existing: relations.length - created.length,
    }),
    problems: addProblems(progress.problems, problems),
  }
}

async function findEnds({ ctx, db, scope }: GraphWrite, units: readonly Unit[]) {
  const names = new Set(units.flatMap(({ relation }) => (relation ? [relation.from, relation.to] : [])))
  const ends = await findEndsByName(db, ctx.dialect, scope, [...names])
  const relations: RelationToStore[] = []
  const problems: ImportProblem[] = []
  for (const { at, relation } of units) {
    if (relation === undefined) continue
    const from = ends.get(relation.from)
    const to = ends.get(relation.to)
    if (from !== undefined && to !== undefined) {
      relations.push({
        from,
        to,
        type: relation.relationType,
        id: relation.id,
        createdAt: relation.createdAt,
      })
      continue
    }
    const absent = from === undefined ? relation.from : relation.to
    problems.push({ ...originOf(at, relation), message: `The relation names ${absent}, which is not there` })
  }
  return { relations, problems }
}

const keyOf = (fromId: string, toId: string, type: string) => `${fromId} ${toId} ${type}`

async function withoutStored(
  { ctx, db, scope }: GraphWrite,
  relations: readonly RelationToStore[],
): Promise<RelationToStore[]> {
  const wanted = relations.map(({ from, to, type }) => ({ fromId: from.id, toId: to.id, type }))
  const stored = await findRelationsBetween(db, ctx.dialect, scope, wanted)
  const seen = new Set(stored.map(({ fromId, toId, type }) => keyOf(fromId, toId, type)))
  return relations.filter(({ from, to, type }) => {
    const key = keyOf(from.id, to.id, type)
    return !seen.has(key) && seen.add(key)
  })
}

async function withFreeIds(
  { ctx, db, scope }: GraphWrite,
  relations: readonly RelationToStore[],
): Promise<RelationToStore[]> {
  const ids = relations.flatMap(({ id }) => id ?? [])
  const taken = await findRelationIds(db, ctx.dialect, scope, ids)
  return relations.map((relation) => {
    if (relation.id === undefined || !taken.has(relation.id)) {
      if (relation.id !== undefined) taken.add(relation.id)
      return relation
    }
    return { ...relation, id: undefined }
  })
}
