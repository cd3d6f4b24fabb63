import type { ImportProblem } from '@loci/contract/imports'
import { createMissingRelations } from '../../memory/write/create-missing.ts'
import { replaceFactsOf } from '../../memory/write/replace-facts.ts'
import type { RelationToStore } from '../../memory/write/store-relations.ts'
import type { GraphWrite } from '../../memory/write/write-graph.ts'
import { findNamed } from '../../rows/entities.repo.ts'
import { claimNumbers } from './claim-numbers.ts'
import { addCounts, addProblems, type Progress } from './import-progress.ts'
import { type ImportUnit, originOf } from './read-units.ts'

/** Stores the relations of some units; existing ones are unchanged, those that lack an end are reported. */
export async function importRelations(
  write: GraphWrite,
  progress: Progress,
  units: readonly ImportUnit[],
): Promise<Progress> {
  const { relations, superseding, problems } = await findEnds(write, progress, units)
  const { created } = await createMissingRelations(write, relations)
  const isNew = new Set(created.map(({ fromEntityId, toEntityId }) => `${fromEntityId} ${toEntityId}`))
  const pairs = superseding.filter(({ from, to }) => isNew.has(`${from} ${to}`))
  for (const { from, to } of oldestFirst(pairs)) await replaceFactsOf(write, from, to)
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

type Superseding = { from: string; to: string }

/** What was superseded by something that was superseded itself comes before that. */
function oldestFirst(pairs: readonly Superseding[]): Superseding[] {
  const [rest, sorted] = [[...pairs], [] as Superseding[]]
  while (rest.length > 0) {
    const first = rest.findIndex(({ from }) => !rest.some(({ to }) => to === from))
    sorted.push(...rest.splice(Math.max(0, first), 1))
  }
  return sorted
}

async function findEnds(write: GraphWrite, progress: Progress, units: readonly ImportUnit[]) {
  const { db, scope } = write
  const lines = units.flatMap(({ at, relation }) => (relation === undefined ? [] : [{ at, ...relation }]))
  const names = new Set(lines.flatMap(({ from, to }) => [from, to]))
  const ends = await findNamed(db, scope, [...names])
  const ids = lines.map(({ id }) => ({ prefix: 'rel' as const, id }))
  const { claim } = await claimNumbers(write, progress.numbers, ids)
  const relations: RelationToStore[] = []
  const superseding: Superseding[] = []
  const problems: ImportProblem[] = []
  for (const { at, id, relationType, createdAt, endsFacts, ...line } of lines) {
    const from = ends.get(line.from)
    const to = ends.get(line.to)
    if (from !== undefined && from.id === to?.id && line.from !== line.to) {
      const message = `${line.from} and ${line.to} are names of the same entity`
      problems.push({ ...originOf(at, line), message })
      continue
    }
    if (from !== undefined && to !== undefined) {
      relations.push({ from, to, type: relationType, id: claim('rel', id), createdAt })
      if (endsFacts) superseding.push({ from: from.id, to: to.id })
      continue
    }
    const absent = from === undefined ? line.from : line.to
    problems.push({ ...originOf(at, line), message: `The relation names ${absent}, which is not there` })
  }
  return { relations, superseding, problems }
}
