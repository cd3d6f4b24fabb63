import type { ObservationLine } from '@loci/contract/json-lines'
import { findEntitiesById, findEntitiesByName, type StoredEntity } from '../../graph/entities.repo.ts'
import { findObservationOwners, findObservationsByContent } from '../../graph/observations.repo.ts'
import { storeEntities, storeObservations } from '../../graph/store-entities.ts'
import type { GraphWrite } from '../../graph/write-graph.ts'
import { fromIso } from '../../lib/time.ts'
import { addCounts, type Progress } from './import-progress.ts'
import { type Addition, type Draft, planChunk } from './plan-chunk.ts'
import type { Unit } from './read-units.ts'

/**
 * Stores the entities and observations of some units. An entity whose name exists keeps its fields and gains the
 * observations whose texts it lacks. Stops before the first entity that the plan has no room for.
 */
export async function importEntities(
  write: GraphWrite,
  progress: Progress,
  units: readonly Unit[],
): Promise<Progress> {
  const plan = planChunk(progress, units, await findNamed(write, units), write.room)
  const ids = await findTakenIds(write, plan.drafts, plan.additions)
  const missing = await withoutStored(write, plan.additions, ids.owners)
  const created = await storeEntities(
    write,
    plan.drafts.map((draft) => ({
      ...draft,
      id: ids.claim(draft.id),
      observations: draft.observations.map((line) => ({ ...line, id: ids.claim(line.id) })),
    })),
  )
  const added = await storeObservations(
    write,
    missing.map(({ entity, lines, isNew }) => ({
      entityId: entity.id,
      observations: lines.map((line) => ({ ...line, id: ids.claim(line.id) })),
      updatedAt: isNew ? fromIso(entity.updatedAt) : write.at,
    })),
  )
  const stored = [...created.map((entity) => entity.observations), ...added].flat().length
  return {
    ...plan.progress,
    entities: addCounts(plan.progress.entities, { created: created.length, existing: plan.existing }),
    observations: addCounts(plan.progress.observations, {
      created: stored,
      existing: plan.observations - stored,
    }),
  }
}

async function findNamed(write: GraphWrite, units: readonly Unit[]): Promise<Map<string, StoredEntity>> {
  const names = new Set(units.flatMap((unit) => unit.observations?.name ?? []))
  const found = await findEntitiesByName(write.db, write.ctx.dialect, write.scope, [...names])
  return new Map(found.map((entity) => [entity.name, entity]))
}

type Ids = {
  /** The entity of each observation that has an id of this chunk already. */
  owners: ReadonlyMap<string, string>
  /** The id, the first time that it is asked for and only if it was free. */
  claim: (id: string | undefined) => string | undefined
}

async function findTakenIds(
  { ctx, db, scope }: GraphWrite,
  drafts: readonly Draft[],
  additions: readonly Addition[],
): Promise<Ids> {
  const lines = [...drafts.map((draft) => draft.observations), ...additions.map(({ lines }) => lines)].flat()
  const entityIds = drafts.flatMap(({ id }) => id ?? [])
  const observationIds = lines.flatMap(({ id }) => id ?? [])
  const entities = await findEntitiesById(db, ctx.dialect, scope, entityIds)
  const owners = await findObservationOwners(db, ctx.dialect, scope, observationIds)
  const taken = new Set([...entities.map((entity) => entity.id), ...owners.keys()])
  const claim = (id: string | undefined) => {
    if (id === undefined || taken.has(id)) return undefined
    taken.add(id)
    return id
  }
  return { owners, claim }
}

/** Leaves out the observations that their entity has already, by id or by text. */
async function withoutStored(
  { ctx, db, scope }: GraphWrite,
  additions: readonly Addition[],
  owners: Ids['owners'],
): Promise<Addition[]> {
  const unknown = additions.map((addition) => ({
    ...addition,
    lines: addition.lines.filter(({ id }) => id === undefined || owners.get(id) !== addition.entity.id),
  }))
  const byText = unknown.filter((addition) => !addition.isNew)
  const same = await findObservationsByContent(
    db,
    ctx.dialect,
    scope,
    byText.map(({ entity }) => entity.id),
    byText.flatMap(({ lines }) => lines.map((line) => line.content)),
  )
  const seen = new Set(same.map(({ entityId, content }) => textKey(entityId, content)))
  return unknown.map(({ lines, ...addition }) => ({
    ...addition,
    lines: addition.isNew ? lines : lines.filter((line) => isFirst(seen, addition.entity.id, line)),
  }))
}

const textKey = (entityId: string, content: string) => `${entityId} ${content}`

function isFirst(seen: Set<string>, entityId: string, { content }: ObservationLine): boolean {
  const key = textKey(entityId, content)
  if (seen.has(key)) return false
  seen.add(key)
  return true
}
