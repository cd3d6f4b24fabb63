import type { EntityToStore } from '../../memory/write/store-entities.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { addProblems, type Progress } from './import-progress.ts'
import type { ImportUnit, ObservationToImport } from './read-units.ts'

/** An entity to create; ids are those of the file. */
export type Draft = Omit<EntityToStore, 'id' | 'observations'> & {
  id: string | undefined
  observations: ObservationToImport[]
}

/** Observations for an entity that is already stored; `isNew` if this import has just created it. */
export type PlannedAddition = { entity: StoredEntity; lines: ObservationToImport[]; isNew: boolean }

export type ChunkPlan = {
  progress: Progress
  drafts: Draft[]
  additions: PlannedAddition[]
  /** Lines whose entity already existed. */
  existing: number
  /** Observations read. */
  observations: number
}

/**
 * Sorts units into entities to create and additions to existing ones; stops before the first entity that has no room.
 */
export function planChunk(
  progress: Progress,
  units: readonly ImportUnit[],
  stored: ReadonlyMap<string, StoredEntity>,
  room: number,
): ChunkPlan {
  const plan: ChunkPlan = { progress, drafts: [], additions: [], existing: 0, observations: 0 }
  const drafts = new Map<string, Draft>()
  for (const unit of units) {
    const name = unit.observations?.name ?? ''
    const isNew = unit.entity !== undefined && !stored.has(name) && !drafts.has(name)
    if (isNew && drafts.size >= room) {
      plan.progress = { ...plan.progress, state: 'plan_limit_reached' }
      break
    }
    const isKnown = planUnit(plan, unit, stored.get(name), drafts)
    const problems = isKnown ? [] : [{ line: unit.at.line, message: `Entity ${name} not found` }]
    plan.progress = {
      ...plan.progress,
      position: unit.after,
      createdLast: isNew || name === plan.progress.createdLast ? name : undefined,
      relationsFrom: plan.progress.relationsFrom ?? (unit.relation === undefined ? undefined : unit.at),
      problems: addProblems(plan.progress.problems, [...unit.problems, ...problems]),
    }
  }
  plan.drafts = [...drafts.values()]
  return plan
}

/** Returns false for observations of an unknown entity. */
function planUnit(
  plan: ChunkPlan,
  { entity, observations }: ImportUnit,
  before: StoredEntity | undefined,
  drafts: Map<string, Draft>,
): boolean {
  if (observations === undefined) return true
  const { name, isMore, items } = observations
  const draft = drafts.get(name)
  if (draft !== undefined) draft.observations.push(...(isMore ? items : missingIn(draft.observations, items)))
  else if (before !== undefined) {
    const isNew = isMore && name === plan.progress.createdLast
    plan.additions.push({ entity: before, lines: items, isNew })
  } else if (entity !== undefined) drafts.set(name, toDraft(entity, items))
  else return false
  if (entity !== undefined && (draft !== undefined || before !== undefined)) plan.existing++
  plan.observations += items.length
  return true
}

function toDraft(
  {
    entityType,
    name,
    aliases,
    metadata,
    id,
    createdAt,
    updatedAt,
    indexed,
  }: NonNullable<ImportUnit['entity']>,
  observations: ObservationToImport[],
): Draft {
  return {
    name,
    aliases,
    type: entityType,
    metadata,
    id,
    createdAt,
    updatedAt,
    indexed,
    observations: [...observations],
  }
}

function missingIn(
  present: readonly ObservationToImport[],
  items: readonly ObservationToImport[],
): ObservationToImport[] {
  const texts = new Set(present.map((line) => line.content))
  return items.filter(({ content }) => !texts.has(content) && texts.add(content))
}
