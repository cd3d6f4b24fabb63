import type { Entity, ListEntitiesQuery } from '@loci/contract/entities'
import { type Observation, type ObservationState, stateOf, toldStates } from '@loci/contract/observations'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { type AnswerRoom, createAnswerRoom, jsonSize } from '../../ground/lib/json-size.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { boundsOf, fromIso } from '../../ground/lib/time.ts'
import { findAuthors } from '../../memory/history/authors.repo.ts'
import { type StoredEntity, toShownEntity, toToldObservation } from '../../rows/codec.ts'
import { listLatestObservations, listObservations } from '../../rows/observations.repo.ts'
import { wasTrue } from '../../search/analyse/times/fact-times.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

const latestShown = 2
/** Observations read by one statement, if an entity does not have more. */
const observationsPerRead = 200

/**
 * The entities of a list in API form, with the requested `observations`, `latest`, `by`, `relations`: the first that
 * fit into one answer.
 */
export async function withIncluded(
  ctx: Context,
  actor: Actor,
  rows: readonly StoredEntity[],
  { include = [], ...asked }: Asked & Pick<ListEntitiesQuery, 'include'>,
): Promise<Entity[]> {
  const wants = new Set(include)
  const readsAll = wants.has('observations') || (wants.has('latest') && asksForMore(asked))
  const wanted = { wants, readsAll, isAsked: isAskedFor(asked, ctx.now) }
  const [pace, room] = [createPace(), createAnswerRoom()]
  const fitting: Entity[] = []
  for (const some of groupsOf(rows, readsAll)) {
    for (const entity of await includeIn(ctx, actor, some, wanted)) {
      if (room.isFull) return fitting
      fitting.push(entity)
      const rest = takeRoom(room, entity, pace)
      if (rest !== undefined) await rest
    }
  }
  return fitting
}

/** Of an entity as JSON: the names of its fields, ids and times. */
const frameLength = 250

/** Takes about the length of the entity as JSON. Await the result only if there is one: lists are long. */
export function takeRoom(
  room: AnswerRoom,
  { name, type, metadata, aliases, observations }: Entity,
  pace: () => Promise<void> | undefined,
): Promise<void> | undefined {
  room.take(frameLength + jsonSize([name, type, metadata, aliases]))
  return observations === undefined ? pace() : takeEach(room, observations, pace)
}

async function takeEach(
  room: AnswerRoom,
  observations: readonly Observation[],
  pace: () => Promise<void> | undefined,
): Promise<void> {
  for (const one of observations) {
    await pace()
    room.take(jsonSize(one))
  }
}

type Bounds = Pick<ListEntitiesQuery, 'after' | 'before' | 'storedAfter' | 'storedBefore'>
type Asked = Bounds & Pick<ListEntitiesQuery, 'states'>
type Wanted = {
  wants: ReadonlySet<string>
  /** All observations are read, even if few of them are shown. */
  readsAll: boolean
  isAsked: (one: Observation) => boolean
}

/** Whether other observations are asked for than those that are told. */
const asksForMore = ({ states, after, before, storedAfter, storedBefore }: Asked) =>
  [states, after, before, storedAfter, storedBefore].some((one) => one !== undefined)

/** Whether an observation is in the states and times that a list asks for. */
export function isAskedFor(
  { states = [...toldStates], ...bounds }: Asked,
  now: () => number,
): Wanted['isAsked'] {
  const wanted: ReadonlySet<ObservationState> = new Set(states)
  return (one) => wanted.has(stateOf(one, now())) && isWithin(one, bounds)
}

/** Whether an observation was stored and, as far as it is known, true at some time between the bounds. */
function isWithin(
  { content, createdAt, at, until }: Observation,
  { storedAfter, storedBefore, ...bounds }: Bounds,
): boolean {
  const stored = fromIso(createdAt)
  if (storedAfter !== undefined && stored < fromIso(storedAfter)) return false
  if (storedBefore !== undefined && stored >= fromIso(storedBefore)) return false
  const row = { content, createdAt: stored, trueFrom: at ?? null, trueUntil: until ?? null }
  return wasTrue(row, boundsOf(bounds))
}

/** Entities whose observations are read together. */
function groupsOf(rows: readonly StoredEntity[], readsAll: boolean): StoredEntity[][] {
  if (!readsAll) return chunksOf(rows, observationsPerRead)
  const groups: StoredEntity[][] = []
  let room = 0
  for (const row of rows) {
    if (room < row.observationsCount || groups.length === 0) {
      groups.push([])
      room = observationsPerRead
    }
    groups.at(-1)!.push(row)
    room -= row.observationsCount
  }
  return groups
}

async function includeIn(
  ctx: Context,
  actor: Actor,
  rows: readonly StoredEntity[],
  wanted: Wanted,
): Promise<Entity[]> {
  const { wants } = wanted
  const entities: Entity[] = rows.map((row) =>
    wants.has('relations') ? { ...toShownEntity(row), relationsCount: row.degree } : toShownEntity(row),
  )
  if (wants.has('observations') || wants.has('latest')) {
    const byEntity = await observationsOf(ctx, actor, rows, wanted)
    for (const entity of entities) entity.observations = byEntity.get(entity.id) ?? []
  }
  if (wants.has('by')) {
    const authors = await findAuthors(
      ctx.db,
      actor,
      'entities',
      rows.map(({ id }) => numberOf('ent', id)),
    )
    for (const entity of entities) {
      const author = authors.get(numberOf('ent', entity.id))
      if (author !== undefined) entity.by = author
    }
  }
  return entities
}

async function observationsOf(
  { db, now }: Context,
  actor: Actor,
  entities: readonly Entity[],
  { wants, readsAll, isAsked }: Wanted,
): Promise<Map<string, Observation[]>> {
  const ids = entities.map(({ id }) => id)
  const stored = readsAll
    ? await listObservations(db, actor, ids)
    : await listLatestObservations(db, actor, ids, { perEntity: latestShown, toldAt: now() })
  const asked: typeof stored = []
  const pace = createPace()
  for (const one of stored) {
    // The dates in a long text take a while to read.
    await pace()
    if (isAsked(one)) asked.push(one)
  }
  const first = wants.has('observations') ? 0 : -latestShown
  const byEntity = Map.groupBy(asked, ({ entityId }) => entityId)
  const told = [...byEntity.values()].flatMap((own) => own.slice(first))
  const numbers = told.map(({ id }) => numberOf('obs', id))
  const authors = wants.has('by') ? await findAuthors(db, actor, 'observations', numbers) : undefined
  const toShown = (observation: (typeof stored)[number]): Observation => {
    const by = authors?.get(numberOf('obs', observation.id))
    return { ...toToldObservation(observation, now()), ...(by && { by }) }
  }
  return new Map([...byEntity].map(([id, own]) => [id, own.slice(first).map(toShown)]))
}
