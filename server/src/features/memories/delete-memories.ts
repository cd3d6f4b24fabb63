import { shownName, shownText, withControls } from '../../ground/lib/for-models.ts'
import { numberOf, toNumber } from '../../ground/lib/ids.ts'
import { analyseStored } from '../../memory/write/analyse-stored.ts'
import { removeEntities, removeObservations } from '../../memory/write/remove-entities.ts'
import { removeRelations } from '../../memory/write/remove-relations.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import type { StoredEntity, StoredObservation } from '../../rows/codec.ts'
import { findObservations, findObservationsWith } from '../../rows/observations.repo.ts'
import { type Ends, findRelationsBetween } from '../../rows/relations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findCalled } from './find-called.ts'
import { findShownAs } from './find-shown.ts'
import type { NamedRelation } from './graph-part.ts'

/** Whether a text has the form of an observation id, as returned by our tools. */
export const isObservationId = (text: string) => toNumber('obs', text) !== undefined

/** Deletes entities with their contents; returns the names that were not found. */
export async function deleteNamedEntities(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
): Promise<{ missing: string[] }> {
  const known = await findDeletable(ctx, actor, names)
  const numbers = [...known.values()].map(({ id }) => numberOf('ent', id))
  const analysed = await analyseStored(ctx.db, actor, numbers)
  return writeGraph(ctx, actor, async (write) => {
    const found = await findDeletable(write.ctx, write.scope, names)
    const entities = new Map([...found.values()].map((entity) => [entity.id, entity]))
    await removeEntities(write, [...entities.values()], analysed)
    return { missing: names.filter((name) => !found.has(name)) }
  })
}

/** An alias may stand for only a part of the entity, so it deletes nothing. */
async function findDeletable(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, StoredEntity>> {
  const named = await findCalled(ctx, scope, names)
  return new Map(
    [...named].filter(([name, entity]) => entity.name === name || shownName(entity.name) === name),
  )
}

/** A text or id that matched no observation of the given entity; for a missing entity, only ids. */
export type MissedObservation = { entityName: string; entity: StoredEntity | undefined; asked: string }
export type DeletedObservations = {
  asked: number
  deleted: number
  missingEntities: string[]
  missed: MissedObservation[]
}

/** Deletes observations by their exact text or their id. */
export async function deleteNamedObservations(
  ctx: Context,
  actor: Actor,
  inputs: readonly { entityName: string; observations: string[] }[],
): Promise<DeletedObservations> {
  const wanted = new Map<string, Set<string>>()
  for (const { entityName, observations } of inputs) {
    wanted.set(entityName, new Set([...(wanted.get(entityName) ?? []), ...observations]))
  }
  return writeGraph(ctx, actor, async (write) => {
    const found = await findCalled(write.ctx, write.scope, [...wanted.keys()])
    const missed: MissedObservation[] = []
    const removed = new Map<string, StoredObservation>()
    let [asked, deleted] = [0, 0]
    for (const [entityName, texts] of wanted) {
      asked += texts.size
      const entity = found.get(entityName)
      if (entity === undefined) {
        const ids = [...texts].filter((text) => isObservationId(text))
        missed.push(...ids.map((id) => ({ entityName, entity, asked: id })))
        continue
      }
      const matching = await findMatching(write, entity.id, [...texts])
      for (const observation of matching) removed.set(observation.id, observation)
      const matched = new Set(matching.flatMap(({ id, content }) => [id, content, shownText(content)]))
      const rest = [...texts].filter((text) => !matched.has(text))
      missed.push(...rest.map((text) => ({ entityName, entity, asked: text })))
      deleted += texts.size - rest.length
    }
    await removeObservations(write, [...removed.values()])
    return { asked, deleted, missed, missingEntities: [...wanted.keys()].filter((name) => !found.has(name)) }
  })
}

/** The observations of an entity with one of these texts, or else one of these ids, or shown to models as one of them. */
async function findMatching(
  { db, scope }: GraphWrite,
  entityId: string,
  asked: readonly string[],
): Promise<StoredObservation[]> {
  const byText = await findObservationsWith(db, scope, entityId, asked)
  const texts = new Set(byText.map(({ content }) => content))
  const ids = asked.filter((text) => isObservationId(text) && !texts.has(text))
  const byId = await findObservations(db, scope, ids)
  const own = byId.filter((observation) => observation.entityId === entityId)
  const matched = new Set([...byText, ...own].flatMap(({ id, content }) => [id, content]))
  const missing = asked.filter((text) => !matched.has(text))
  const shown = [...(await findShownAs(db, scope, entityId, missing)).values()]
  return [
    ...new Map([...byText, ...own, ...shown].map((observation) => [observation.id, observation])).values(),
  ]
}

/** Deletes relations by their ends and type; returns those that were not found. */
export async function deleteNamedRelations(
  ctx: Context,
  actor: Actor,
  inputs: readonly NamedRelation[],
): Promise<{ missed: NamedRelation[] }> {
  return writeGraph(ctx, actor, async (write) => {
    const found = await findCalled(
      write.ctx,
      write.scope,
      inputs.flatMap(({ from, to }) => [from, to]),
    )
    const endsOf = ({ from, to, relationType }: NamedRelation): Ends[] => {
      const [source, target] = [found.get(from), found.get(to)]
      if (source === undefined || target === undefined) return []
      const types = [...new Set([relationType, withControls(relationType)])]
      return types.map((type) => ({ fromId: source.id, toId: target.id, type }))
    }
    const wanted = inputs.flatMap(endsOf)
    const relations = await findRelationsBetween(write.db, write.scope, wanted)
    const byId = new Map(relations.map((relation) => [relation.id, relation]))
    await removeRelations(write, [...byId.values()])
    const deleted = new Set(
      relations.map(({ fromEntityId, toEntityId, type }) =>
        keyOf({ fromId: fromEntityId, toId: toEntityId, type }),
      ),
    )
    const missed = inputs.filter((input) => !endsOf(input).some((ends) => deleted.delete(keyOf(ends))))
    return { missed }
  })
}

const keyOf = ({ fromId, toId, type }: Ends) => `${fromId} ${toId} ${type}`
