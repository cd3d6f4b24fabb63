import { fromIso } from '../../ground/lib/time.ts'
import { addMissingObservations, findByName } from '../../memory/write/create-missing.ts'
import { storeEntities, storeObservations } from '../../memory/write/store-entities.ts'
import type { GraphWrite } from '../../memory/write/write-graph.ts'
import { numberOf } from '../../rows/numbers-of.ts'
import { type Claim, claimNumbers } from './claim-numbers.ts'
import { addCounts, type Progress } from './import-progress.ts'
import { type ChunkPlan, type Draft, type PlannedAddition, planChunk } from './plan-chunk.ts'
import type { ImportUnit } from './read-units.ts'

/**
 * Stores the entities and observations of some units. An existing entity keeps its fields and gains the observations
 * whose texts it lacks. Stops before the first entity that the plan has no room for.
 */
export async function importEntities(
  write: GraphWrite,
  progress: Progress,
  units: readonly ImportUnit[],
): Promise<Progress> {
  const names = units.flatMap((unit) => unit.observations?.name ?? [])
  const plan = planChunk(progress, units, await findByName(write, names), write.room)
  const claim = await claimOf(write, plan)
  const freeAliases = await findFreeAliases(write, plan.drafts)
  const created = await storeEntities(
    write,
    plan.drafts.map((draft) => ({
      ...draft,
      aliases: freeAliases(draft),
      id: claim('ent', draft.id),
      observations: numbered(claim, draft.observations),
    })),
  )
  const ofNew = created.flatMap(({ observations }) => observations)
  const stored = ofNew.length + (await storeAdditions(write, claim, plan))
  return {
    ...plan.progress,
    entities: addCounts(plan.progress.entities, { created: created.length, existing: plan.existing }),
    observations: addCounts(plan.progress.observations, {
      created: stored,
      existing: plan.observations - stored,
    }),
  }
}

/** The aliases of an entity that are not yet a name or alias; each is assigned once. */
async function findFreeAliases(
  write: GraphWrite,
  drafts: readonly Draft[],
): Promise<(draft: Draft) => string[]> {
  const wanted = drafts.flatMap(({ aliases = [] }) => aliases)
  const taken = new Set([...drafts.map(({ name }) => name), ...(await findByName(write, wanted)).keys()])
  return ({ aliases = [] }) => aliases.filter((alias) => !taken.has(alias) && taken.add(alias))
}

/** Adds to existing entities; returns how many observations were stored. */
async function storeAdditions(write: GraphWrite, claim: Claim, { additions }: ChunkPlan): Promise<number> {
  const [more, others] = [additions.filter(({ isNew }) => isNew), additions.filter(({ isNew }) => !isNew)]
  const ofNew = await storeObservations(
    write,
    more.map(({ entity, lines }) => ({
      entity: numberOf('ent', entity.id),
      observations: numbered(claim, lines),
      updatedAt: fromIso(entity.updatedAt),
    })),
  )
  const ofOthers = await addMissingObservations(
    write,
    others.map(({ entity, lines }) => ({ entity, observations: numbered(claim, lines) })),
  )
  return [...ofNew, ...ofOthers].flat().length
}

function claimOf(write: GraphWrite, { progress, drafts, additions }: ChunkPlan): Promise<Claim> {
  const lines = [...drafts.map((draft) => draft.observations), ...additions.map(({ lines }) => lines)].flat()
  return claimNumbers(write, progress.numbers, [
    ...drafts.map(({ id }) => ({ prefix: 'ent' as const, id })),
    ...lines.map(({ id }) => ({ prefix: 'obs' as const, id })),
  ])
}

/** Replaces ids with numbers. */
const numbered = (claim: Claim, lines: PlannedAddition['lines']) =>
  lines.map((line) => ({ ...line, id: claim('obs', line.id) }))
