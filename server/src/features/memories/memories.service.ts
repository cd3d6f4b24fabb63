import { Metadata } from '@loci/contract/metadata'
import type { ObservationInput, Rival } from '@loci/contract/observations'
import { AppError } from '../../ground/errors/app-error.ts'
import { inLine, withControls } from '../../ground/lib/for-models.ts'
import { toId } from '../../ground/lib/ids.ts'
import {
  addMissingObservations,
  createMissingEntities,
  createMissingRelations,
} from '../../memory/write/create-missing.ts'
import { type RevisedFields, reviseEntity } from '../../memory/write/revise-entity.ts'
import { analyseAhead, type NewEntity } from '../../memory/write/store-entities.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { type StoredEntity, showObservation } from '../../rows/codec.ts'
import { findNamed } from '../../rows/entities.repo.ts'
import { findRelationsBetween } from '../../rows/relations.repo.ts'
import { findSimilarNames } from '../../search/find/find-similar-names.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { listRivals } from '../entities/rivals.service.ts'
import { updateRelation } from '../relations/relations.service.ts'
import { toIds } from './correct-memories.ts'
import { findCalled } from './find-called.ts'
import type { NamedRelation, NewNamedEntity } from './graph-part.ts'
import { toNamedRelation } from './graph-part.ts'
import { relationInLine } from './in-line.ts'
import { advice, entityNotFound, quote, shorten } from './not-found.ts'
import { describeRelationsBetween } from './relations-between.ts'

/** Writes the graph the way agents do: by entity name, several items per call, all or nothing. */

type EntityToName = Omit<NewNamedEntity, 'observations'> & { observations: readonly ObservationInput[] }
/** A new entity, and existing ones that may be the same thing spelt differently. */
export type SimilarNames = { name: string; existing: { name: string; entityType: string }[] }

/** Earlier facts that a write may contradict, and the ids of the new ones. */
type Compared = { rivals: Rival[]; ids: string[] }

/** Creates entities that do not exist yet, and reports similar ones; of two with one name in a call, the first wins. */
export async function createNamedEntities(
  ctx: Context,
  actor: Actor,
  inputs: readonly EntityToName[],
): Promise<Compared & { created: NewNamedEntity[]; skipped: string[]; similar: SimilarNames[] }> {
  const things = inputs.map(({ name, entityType }) => ({ name, type: entityType }))
  const entities = await analyseAhead(
    inputs.map(({ name, entityType, observations }) => ({ name, type: entityType, observations })),
  )
  const { created, skipped, since } = await writeGraph(ctx, actor, async (write) => ({
    since: write.lastSeq(),
    ...(await createMissingEntities(write, entities)),
  }))
  const similar = await findSimilarNames(ctx, actor, things, {
    since,
    created: created.map(({ entity }) => entity.id),
  })
  const compared = await compare(ctx, actor, created.map(toAdded), since)
  return {
    created: created.map(toNamedEntity),
    skipped,
    similar: toSimilarNames(created, similar),
    ...compared,
  }
}

async function compare(
  ctx: Context,
  actor: Actor,
  added: Parameters<typeof listRivals>[2],
  since: number,
): Promise<Compared> {
  const ids = added.flatMap(({ observations }) => observations.map(({ id }) => id))
  return { ids, rivals: await listRivals(ctx, actor, added, since) }
}

const toAdded = ({ entity, observations }: NewEntity) => ({
  id: toId('ent', entity.id),
  name: entity.name,
  observations: observations.map(showObservation),
  isNew: true,
})

const toNamedEntity = ({ entity, observations }: NewEntity): NewNamedEntity => ({
  name: entity.name,
  entityType: entity.type,
  observations: observations.map(({ content }) => content),
})

function toSimilarNames(
  created: readonly NewEntity[],
  similar: ReadonlyMap<string, { name: string; type: string }[]>,
): SimilarNames[] {
  return created.flatMap(({ entity: { name } }) => {
    const existing = similar.get(name)?.map((one) => ({ name: one.name, entityType: one.type }))
    return existing === undefined ? [] : [{ name, existing }]
  })
}

/** Throws `entity_not_found` with all names that have no entity. */
async function requireByName(
  write: GraphWrite,
  names: readonly string[],
  whatToDo: string,
): Promise<(name: string) => StoredEntity> {
  const found = await findCalled(write.ctx, write.scope, names)
  const missing = names.filter((name) => !found.has(name))
  if (missing.length > 0) throw await entityNotFound(write.ctx, write.scope, missing, whatToDo)
  return (name) => found.get(name)!
}

/** Creates the relations that do not exist yet, and returns them. Throws `entity_not_found`. */
export async function createNamedRelations(
  ctx: Context,
  actor: Actor,
  inputs: readonly NamedRelation[],
): Promise<NamedRelation[]> {
  return writeGraph(ctx, actor, async (write) => {
    const entityOf = await requireByName(
      write,
      inputs.flatMap(({ from, to }) => [from, to]),
      advice.write,
    )
    const { created } = await createMissingRelations(
      write,
      inputs.map(({ from, to, relationType }) => ({
        from: entityOf(from),
        to: entityOf(to),
        type: relationType,
      })),
    )
    return created.map(toNamedRelation)
  })
}

/**
 * Adds the texts that an entity does not have yet, and returns them with earlier facts that they may contradict. Throws
 * `entity_not_found`.
 */
export async function addNamedObservations(
  ctx: Context,
  actor: Actor,
  inputs: readonly { entityName: string; contents: readonly ObservationInput[] }[],
): Promise<Compared & { results: { entityName: string; addedObservations: string[] }[] }> {
  const analysed = await analyseAhead(inputs.map(({ contents }) => ({ observations: contents })))
  const { added, since } = await writeGraph(ctx, actor, async (write) => {
    const entityOf = await requireByName(
      write,
      inputs.map((input) => input.entityName),
      advice.write,
    )
    const additions: Parameters<typeof addMissingObservations>[1][number][] = []
    for (const [i, { entityName }] of inputs.entries()) {
      const entity = entityOf(entityName)
      additions.push({ entity, observations: await withIds(write, entity, analysed[i]!.observations) })
    }
    const rows = await addMissingObservations(write, additions)
    const added = inputs.map(({ entityName }, index) => {
      const { id, name } = entityOf(entityName)
      return { entityName, id, name, observations: rows[index]!.map(showObservation) }
    })
    return { added, since: write.lastSeq() }
  })
  const results = added.map(({ entityName, observations }) => ({
    entityName,
    addedObservations: observations.map(({ content }) => content),
  }))
  return { results, ...(await compare(ctx, actor, added, since)) }
}

/** The facts with the ids of what they replace. */
async function withIds(
  write: GraphWrite,
  entity: StoredEntity,
  observations: readonly ObservationInput[],
): Promise<readonly ObservationInput[]> {
  const known: ObservationInput[] = []
  for (const one of observations) {
    const replaces = typeof one === 'string' ? undefined : await toIds(write, entity, one.replaces)
    known.push(typeof one === 'string' || replaces === undefined ? one : { ...one, replaces })
  }
  return known
}

/** Changes the given fields; metadata is merged, null removes a key. Throws `entity_not_found`, `entity_name_taken`. */
export async function updateNamedEntity(
  ctx: Context,
  actor: Actor,
  name: string,
  change: { name: string | undefined; type: string | undefined; metadata: Metadata | undefined },
): Promise<RevisedFields> {
  return writeGraph(ctx, actor, async (write) => {
    const entity = (await requireByName(write, [name], advice.read))(name)
    if (change.name !== undefined) await requireNameFree(write, entity, change.name)
    const merged = Object.entries({ ...entity.metadata, ...change.metadata }).filter(
      ([, value]) => value !== null,
    )
    const metadata = Metadata.safeParse(Object.fromEntries(merged))
    if (!metadata.success) throw new AppError('validation_failed', metadata.error.issues[0]!.message)
    const fields = {
      name: change.name ?? entity.name,
      type: change.type ?? entity.type,
      metadata: metadata.data,
    }
    await reviseEntity(write, entity, fields)
    return fields
  })
}

async function requireNameFree(
  write: GraphWrite,
  { id, name }: StoredEntity,
  newName: string,
): Promise<void> {
  const taken = (await findNamed(write.db, write.scope, [newName])).get(newName)
  if (taken === undefined || taken.id === id) return
  const [from, to] = [quote(name), quote(newName)]
  const message =
    `An entity named ${to} (${inLine(taken.type)}) exists already, so ${from} keeps its name. If both are the same thing, ` +
    `merge them with merge_entities ${JSON.stringify({ names: [shorten(name)], into: shorten(newName) })}.`
  throw new AppError('entity_name_taken', message, { details: [{ entityId: taken.id }] })
}

/** Changes the type of a relation. Throws `entity_not_found`, `relation_not_found`, `relation_exists`. */
export async function updateNamedRelation(
  ctx: Context,
  actor: Actor,
  { from, to, relationType }: NamedRelation,
  newType: string,
): Promise<NamedRelation> {
  return writeGraph(ctx, actor, async (write) => {
    const entityOf = await requireByName(write, [from, to], advice.read)
    const [fromId, toId] = [entityOf(from).id, entityOf(to).id]
    const types = [...new Set([relationType, withControls(relationType)])]
    const ends = types.map((type) => ({ fromId, toId, type }))
    const [relation] = await findRelationsBetween(write.db, write.scope, ends)
    if (relation === undefined) {
      const what = relationInLine({
        from: shorten(from),
        relationType: shorten(relationType),
        to: shorten(to),
      })
      const near = await describeRelationsBetween(write.ctx, write.scope, entityOf(from), entityOf(to))
      throw new AppError('relation_not_found', `Relation ${what} not found. ${near}`)
    }
    await updateRelation(write.ctx, actor, relation.id, newType)
    return { from, to, relationType: newType }
  })
}
