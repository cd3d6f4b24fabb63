import type { ChangeSubject } from '@loci/contract/changes'
import { AppError } from '../../ground/errors/app-error.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf, toId } from '../../ground/lib/ids.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { aliasesOf, findAliases } from '../../rows/aliases.repo.ts'
import type { Versions } from '../../rows/columns.ts'
import { findEntitiesByName } from '../../rows/entities.repo.ts'
import { findRelationsBetween } from '../../rows/relations.repo.ts'
import { findElsewhere } from '../history/former-spaces.repo.ts'
import { changeSubjectOf } from '../versions/subjects.ts'
import { findCurrent } from '../versions/versions.repo.ts'
import { countsOfSteps, type Steps, sortSteps } from './row-changes.ts'
import type { GraphReader } from './write-graph.ts'

/** Why something cannot be undone. */
export type Conflict = { subject: ChangeSubject; message: string }

const conflictsTold = 50

/** The error of these conflicts, the first of which its message tells after `outcome`. */
export function conflictError(
  code: 'undo_conflict' | 'proposal_conflict',
  outcome: string,
  conflicts: readonly Conflict[],
): AppError {
  const { subject, message: reason } = conflicts[0]!
  const others = conflicts.length > 1 ? `, and ${conflicts.length - 1} more conflicts` : ''
  const name = subject.name === undefined ? '' : ` (${subject.name})`
  return new AppError(code, `${outcome}: ${reason}${name}${others}`, {
    details: conflicts.slice(0, conflictsTold),
  })
}

/** The conflicts between these steps and the current graph. */
export async function findConflicts(reader: GraphReader, steps: Steps): Promise<Conflict[]> {
  return [
    ...(await findMoved(reader, steps)),
    ...(await findTakenNames(reader, steps)),
    ...findLeftBehind(steps),
    ...(await findMissingEntities(reader, steps)),
    ...(await findTwins(reader, steps)),
  ]
}

const entityOf = (row: Versions['entities']) => changeSubjectOf('entities', row.id, row)
const observationOf = (row: Versions['observations']) => changeSubjectOf('observations', row.id, row)
const relationOf = (row: Versions['relations']) => changeSubjectOf('relations', row.id, row)

export const movedMessage = 'this entity was moved to another space'

/** Entities that would be restored although they are now in another space. */
async function findMoved({ db, scope }: GraphReader, steps: Steps): Promise<Conflict[]> {
  const { coming } = sortSteps(steps.entities)
  const elsewhere = await findElsewhere(
    db,
    scope,
    coming.map(({ id }) => id),
  )
  const ids = new Set(elsewhere.map(({ id }) => id))
  return coming
    .filter(({ id }) => ids.has(id))
    .map((row) => ({ subject: entityOf(row), message: movedMessage }))
}

/** A millisecond or two on SQLite, which blocks our thread. */
const namesPerLookUp = 500

/** Names that would be added or restored although another entity has them. */
async function findTakenNames({ db, scope }: GraphReader, steps: Steps): Promise<Conflict[]> {
  const { coming, resets } = sortSteps(steps.entities)
  const renamed = resets.filter(({ before, after }) => before.name !== after.name)
  const named = [...coming, ...renamed.map(({ after }) => after)]
  const wanted = [...named.map(({ name }) => name), ...newAliases(steps)]
  const stepOf = new Map(steps.entities.map((step) => [(step.before ?? step.after)?.id, step]))
  const owners = new Map<string, number>()
  const aliases = new Map<string, number>()
  for (const names of chunksOf(wanted, namesPerLookUp)) {
    await breathe()
    for (const { id, name } of await findEntitiesByName(db, scope, names))
      owners.set(name, numberOf('ent', id))
    for (const [name, id] of await findAliases(db, scope, names)) aliases.set(name, id)
  }
  const stays = (name: string, id: number) => {
    const step = stepOf.get(id)
    return step === undefined || step.after?.name === name
  }
  const keepsAlias = (name: string, id: number) => {
    const step = stepOf.get(id)
    return step === undefined || aliasesOf(step.after?.aliases ?? null).includes(name)
  }
  const isTaken = (name: string, id: number) => {
    const [owner, aliased] = [owners.get(name), aliases.get(name)]
    return (
      (owner !== undefined && owner !== id && stays(name, owner)) ||
      (aliased !== undefined && aliased !== id && keepsAlias(name, aliased))
    )
  }
  const versions = steps.entities.flatMap(({ after }) => after ?? [])
  return versions.flatMap((version) =>
    [version.name, ...aliasesOf(version.aliases)]
      .filter((name) => isTaken(name, version.id))
      .map((name) => ({
        subject: entityOf(version),
        message: `another entity has the name ${JSON.stringify(name)} now`,
      })),
  )
}

const newAliases = ({ entities }: Steps): string[] =>
  entities.flatMap(({ before, after }) =>
    after === undefined || after.aliases === before?.aliases ? [] : aliasesOf(after.aliases),
  )

/** Entities that would be deleted although something outside the steps belongs to them. */
function findLeftBehind(steps: Steps): Conflict[] {
  const { observations, degrees } = countsOfSteps(steps)
  return sortSteps(steps.entities).going.flatMap((row) => {
    const left = row.observations_count + (observations.get(row.id) ?? 0)
    const ends = row.degree + (degrees.get(row.id) ?? 0)
    if (left === 0 && ends === 0) return []
    const what = left > 0 ? 'observations' : 'relations'
    return [{ subject: entityOf(row), message: `this entity has other ${what} now` }]
  })
}

/** Observations and relations whose entity neither exists nor is added by the steps. */
async function findMissingEntities({ db, scope }: GraphReader, steps: Steps): Promise<Conflict[]> {
  const observations = steps.observations.flatMap(({ after }) => after ?? [])
  const relations = steps.relations.flatMap(({ after }) => after ?? [])
  const { coming, going } = sortSteps(steps.entities)
  const wanted = [
    ...observations.map(({ entity_id }) => entity_id),
    ...relations.flatMap(({ from_id, to_id }) => [from_id, to_id]),
  ]
  const there = new Set((await findCurrent(db, scope, 'entities', wanted)).keys())
  for (const { id } of coming) there.add(id)
  for (const { id } of going) there.delete(id)
  return [
    ...observations
      .filter(({ entity_id }) => !there.has(entity_id))
      .map((row) => ({
        subject: observationOf(row),
        message: 'the entity of this observation was deleted since',
      })),
    ...relations
      .filter(({ from_id, to_id }) => !there.has(from_id) || !there.has(to_id))
      .map((row) => ({ subject: relationOf(row), message: 'an entity of this relation was deleted since' })),
  ]
}

/** Relations that would be added although one with the same ends and type exists. */
async function findTwins({ db, scope }: GraphReader, steps: Steps): Promise<Conflict[]> {
  const wanted = steps.relations.flatMap(({ after }) => after ?? [])
  const found = await findRelationsBetween(
    db,
    scope,
    wanted.map(({ from_id, to_id, type }) => ({
      fromId: toId('ent', from_id),
      toId: toId('ent', to_id),
      type,
    })),
  )
  const own = new Set(steps.relations.map(({ before, after }) => toId('rel', (before ?? after)!.id)))
  const taken = new Set(
    found
      .filter(({ id }) => !own.has(id))
      .map(({ fromEntityId, toEntityId, type }) => `${fromEntityId} ${toEntityId} ${type}`),
  )
  return wanted
    .filter(({ from_id, to_id, type }) => taken.has(`${toId('ent', from_id)} ${toId('ent', to_id)} ${type}`))
    .map((row) => ({ subject: relationOf(row), message: 'there is such a relation already' }))
}
