import type { Entity } from '@loci/contract/entities'
import { isTold } from '@loci/contract/observations'
import { jsonSize, takeFitting } from '../../ground/lib/json-size.ts'
import { dayOfIso } from '../../ground/lib/time.ts'
import type { StoredEntity, StoredObservation } from '../../rows/codec.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { getGraphAsOf } from '../graphs/graph-as-of.ts'
import { getNeighbourhood, getShortestPath } from '../graphs/graphs.service.ts'
import { contentCharactersMax } from './answer-size.ts'
import { remarkOf } from './fact-remarks.ts'
import { advice, entityNotFound, listNames, shorten } from './not-found.ts'
import { findPastNamed, type Past, readPast, sentenceOfPast } from './past-graph.ts'
import { getNamedEntity } from './read-memories.ts'
import type { RecalledFact } from './recalled.ts'
import { asksForSource, findReceipts, type Receipts } from './receipts.ts'
import { type NamedPart, takeSurroundings, toNamedPart } from './surroundings.ts'

export type Fact = Pick<
  RecalledFact,
  'id' | 'content' | 'createdAt' | 'by' | 'at' | 'until' | 'stale' | 'source'
>

type Exploring = { name: string; depth: number; limit: number; with?: string[] | undefined }

const observationsShown = 50
const aliasesShown = 20
/** Longer texts are cut; open_nodes has the rest. */
const textCharactersMax = 1_000
const metadataShare = 0.5
const observationsShare = 0.6

/**
 * An entity with its newest observations, or those before one of them, and its surroundings, nearest first, as much
 * as fits in one answer. Throws `entity_not_found`.
 */
export async function exploreEntity(
  ctx: Context,
  actor: Actor,
  { name, before, with: parts, ...reach }: Exploring & { before?: string | undefined },
) {
  const entity = await getNamedEntity(ctx, actor, name)
  const notices: string[] = []
  const head = headOf(entity)
  let room = contentCharactersMax - jsonSize(head)
  const metadata = takeMetadata(entity, room * metadataShare, notices)
  room -= jsonSize(metadata)
  const share = before === undefined ? observationsShare : 1
  const observations = await takeNewest(
    ctx,
    actor,
    entity,
    { before, room: room * share, isSourced: asksForSource(parts) },
    notices,
  )
  room -= jsonSize(observations)
  const around = before === undefined ? await getNeighbourhood(ctx, actor, entity.id, reach) : undefined
  const { entities = [], relations = [] } =
    around === undefined ? {} : takeSurroundings(around, room, notices)
  return {
    notice: notices.join(' ') || undefined,
    entity: {
      ...head,
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(observations.length === 0 ? {} : { observations }),
    },
    ...(entities.length === 0 ? {} : { entities }),
    ...(relations.length === 0 ? {} : { relations }),
  }
}

/** The same as it was then. Throws `entity_not_found`. */
export async function exploreEntityAsOf(
  ctx: Context,
  actor: Actor,
  { name, past, with: parts, ...reach }: Exploring & { past: Past },
) {
  const number = (await findPastNamed(ctx, actor, [name], past)).get(name)
  const [entity] = number === undefined ? [] : await readPast(ctx, actor, [number], past)
  if (entity === undefined) throw await entityNotFound(ctx, actor, [name], advice.read)
  const notices = [sentenceOfPast(past)]
  const head = headOf(entity)
  let room = contentCharactersMax - jsonSize(head)
  const metadata = takeMetadata(entity, room * metadataShare, notices)
  room -= jsonSize(metadata)
  const newest = entity.facts.toReversed().slice(0, observationsShown)
  const receipts = await findReceipts(
    ctx,
    actor,
    newest.map((row) => row.id),
    asksForSource(parts),
  )
  const facts = newest.map((row) => toFact(row, receipts))
  const { taken, size } = takeFitting(facts, room * observationsShare)
  if (taken.length < entity.facts.length)
    notices.push(`The newest ${taken.length} of ${entity.facts.length} observations are here.`)
  const around = await getGraphAsOf(ctx, actor, { ...reach, rootEntityId: entity.id }, past.seq)
  const { entities, relations } = takeSurroundings(around, room - size, notices)
  return {
    notice: notices.join(' '),
    entity: {
      ...head,
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(taken.length === 0 ? {} : { observations: taken.reverse() }),
    },
    ...(entities.length === 0 ? {} : { entities }),
    ...(relations.length === 0 ? {} : { relations }),
  }
}

const toFact = (row: StoredObservation, { writers, sources }: Receipts): Fact => ({
  id: row.id,
  content: shorten(row.content, textCharactersMax),
  createdAt: dayOfIso(row.createdAt),
  ...(row.at && { at: row.at }),
  ...(row.until && { until: row.until }),
  ...(row.stale && { stale: remarkOf(row.stale) }),
  ...(writers.has(row.id) && { by: writers.get(row.id)! }),
  ...(sources.has(row.id) && { source: sources.get(row.id)! }),
})

const headOf = (entity: Entity) => ({
  name: entity.name,
  entityType: entity.type,
  ...(entity.aliases === undefined ? {} : { aliases: entity.aliases.slice(0, aliasesShown) }),
  createdAt: dayOfIso(entity.createdAt),
  updatedAt: dayOfIso(entity.updatedAt),
  observationsCount: entity.observationsCount,
})

/** The metadata keys that fit. */
function takeMetadata(
  { name, metadata }: Pick<StoredEntity, 'name' | 'metadata'>,
  room: number,
  notices: string[],
) {
  const all = Object.entries(metadata)
  let left = room
  const taken = all.filter((entry) => {
    const size = jsonSize(entry)
    if (size > left) return false
    left -= size
    return true
  })
  if (taken.length < all.length) {
    const keys = new Set(taken.map(([key]) => key))
    const others = all.map(([key]) => key).filter((key) => !keys.has(key))
    notices.push(
      `Too long to show here is the metadata of ${JSON.stringify(name)} under ${listNames(others)}.`,
    )
  }
  return Object.fromEntries(taken)
}

/** The newest observations that fit, oldest first, with long texts cut. */
async function takeNewest(
  ctx: Context,
  actor: Actor,
  { id, name, observationsCount }: StoredEntity,
  { before, room, isSourced }: { before: string | undefined; room: number; isSourced: boolean },
  notices: string[],
): Promise<Fact[]> {
  const rows = await listNewestTold(ctx, actor, id, before)
  const told = rows.slice(0, observationsShown)
  const receipts = await findReceipts(
    ctx,
    actor,
    told.map((row) => row.id),
    isSourced,
  )
  const facts = told.map((row) => toFact(row, receipts))
  const { taken } = takeFitting(facts, room)
  if (taken.some(({ content }, index) => content !== told[index]?.content)) {
    notices.push(`Texts of more than ${textCharactersMax} characters are cut; open_nodes shows them whole.`)
  }
  const oldest = taken.at(-1)
  if (oldest !== undefined && taken.length < rows.length) {
    const shown =
      before === undefined
        ? `The newest ${taken.length} of ${observationsCount} observations are here`
        : 'There are older observations'
    notices.push(
      `${shown}; for older ones call explore_entity ${JSON.stringify({ name, before: oldest.id })}.`,
    )
  }
  const others = observationsCount - rows.length
  if (before === undefined && taken.length === rows.length && others > 0)
    notices.push(
      `Not told, since replaced or expired: ${others} of ${observationsCount} observations (list_changes has them).`,
    )
  return taken.reverse()
}

const pagesMax = 50

/** One more than are shown, if there are: between them can be any number that were replaced or have expired. */
async function listNewestTold(ctx: Context, actor: Actor, entityId: string, before: string | undefined) {
  const told: StoredObservation[] = []
  for (let page = 0, from = before; page < pagesMax && told.length <= observationsShown; page++) {
    const read = { before: from, limit: observationsShown + 1 }
    const rows = await listNewestObservations(ctx.db, actor, entityId, read)
    told.push(...rows.filter((row) => isTold(row, ctx.now())))
    if (rows.length <= observationsShown) break
    from = rows.at(-1)!.id
  }
  return told
}

/** A shortest path, in order; relations count in both directions. Throws `entity_not_found`, `path_not_found`. */
export async function findNamedPath(
  ctx: Context,
  actor: Actor,
  from: string,
  to: string,
): Promise<NamedPart & { notice?: string; isPart?: boolean }> {
  const path = await getShortestPath(
    ctx,
    actor,
    (await getNamedEntity(ctx, actor, from)).id,
    (await getNamedEntity(ctx, actor, to)).id,
  )
  const { entities, relations } = toNamedPart(path)
  const nodes = takeFitting(entities, contentCharactersMax)
  const edges = takeFitting(relations, contentCharactersMax - nodes.size)
  const isWhole = nodes.taken.length === entities.length && edges.taken.length === relations.length
  const notice =
    `Too long for one answer: ${nodes.taken.length} of ${entities.length} entities and ${edges.taken.length} of ` +
    `${relations.length} relations are here. See the others with open_nodes.`
  return { ...(isWhole ? {} : { notice, isPart: true }), entities: nodes.taken, relations: edges.taken }
}
