import { numberOf, toId, toNumber } from '../../ground/lib/ids.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { addMissingObservations } from '../../memory/write/create-missing.ts'
import { linkImported } from '../../memory/write/replacements.ts'
import { storeEntities, storeObservations } from '../../memory/write/store-entities.ts'
import { findByName, type GraphWrite } from '../../memory/write/write-graph.ts'
import { type Claim, type Claims, claimNumbers } from './claim-numbers.ts'
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
  const linked = { ...progress.linked }
  const numbering = numberingOf(write, await claimOf(write, plan), linked)
  const freeAliases = await findFreeAliases(write, plan.drafts)
  const created = await storeEntities(
    write,
    plan.drafts.map((draft) => ({
      ...draft,
      aliases: freeAliases(draft),
      id: numbering.claim('ent', draft.id),
      observations: numbered(numbering, draft.observations),
    })),
    linkImported,
  )
  const ofNew = created.flatMap(({ observations }) => observations)
  const stored = ofNew.length + (await storeAdditions(write, numbering, plan))
  return {
    ...plan.progress,
    linked,
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
async function storeAdditions(
  write: GraphWrite,
  numbering: Numbering,
  { additions }: ChunkPlan,
): Promise<number> {
  const [more, others] = [additions.filter(({ isNew }) => isNew), additions.filter(({ isNew }) => !isNew)]
  const ofNew = await storeObservations(
    write,
    more.map(({ entity, lines }) => ({
      entity: numberOf('ent', entity.id),
      observations: numbered(numbering, lines),
      updatedAt: fromIso(entity.updatedAt),
    })),
    linkImported,
  )
  const ofOthers = await addMissingObservations(
    write,
    others.map(({ entity, lines }) => ({ entity, observations: numbered(numbering, lines) })),
    linkImported,
  )
  return [...ofNew, ...ofOthers].flat().length
}

function claimOf(write: GraphWrite, { progress, drafts, additions }: ChunkPlan): Promise<Claims> {
  const lines = [...drafts.map((draft) => draft.observations), ...additions.map(({ lines }) => lines)].flat()
  return claimNumbers(write, progress.numbers, [
    ...drafts.map(({ id }) => ({ prefix: 'ent' as const, id })),
    ...lines.map(({ id }) => ({ prefix: 'obs' as const, id })),
  ])
}

const linkedMax = 20_000

type Numbering = {
  claim: Claim
  /** The number of an observation, whose line may come later. */
  numberOf: (id: string) => number | undefined
  /** The same for its line, once. */
  claimLinked: (id: string) => number | undefined
  take: () => number
}

/** Gives the ids of a file numbers, also those of observations that have not been read yet. */
function numberingOf(
  write: GraphWrite,
  { claim, isKept }: Claims,
  linked: NonNullable<Progress['linked']>,
): Numbering {
  let room = linkedMax - Object.keys(linked).length
  const find = (id: string) => {
    if (linked[id] === undefined && room-- > 0) linked[id] = { number: write.takeIds(1), isTaken: false }
    return linked[id]
  }
  return {
    claim,
    take: () => write.takeIds(1),
    numberOf: (id) => (isKept('obs', id) ? toNumber('obs', id) : find(id)?.number),
    claimLinked(id) {
      if (isKept('obs', id)) return claim('obs', id)
      const found = find(id)
      if (found === undefined || found.isTaken) return undefined
      linked[id] = { ...found, isTaken: true }
      return found.number
    },
  }
}

const isLinked = ({ id, replaces = [], replacedBy }: PlannedAddition['lines'][number]) =>
  id !== undefined && (replaces.length > 0 || replacedBy !== undefined)

/** Replaces ids with numbers. Facts of one entity are told in their order, so where some have one, all get one. */
function numbered({ claim, claimLinked, numberOf, take }: Numbering, lines: PlannedAddition['lines']) {
  const isOrdered = lines.some(isLinked)
  const numbers = lines.map((line) => {
    const number = isLinked(line) ? claimLinked(line.id!) : claim('obs', line.id)
    return number ?? (isOrdered ? take() : undefined)
  })
  const toOwn = (ids: readonly string[]) =>
    ids.flatMap((one) => numberOf(one) ?? []).map((number) => toId('obs', number))
  return lines.map(({ replaces = [], replacedBy, ...line }, i) => ({
    ...line,
    id: numbers[i],
    replaces: toOwn(replaces),
    replacedBy: toOwn(replacedBy === undefined ? [] : [replacedBy])[0],
  }))
}
