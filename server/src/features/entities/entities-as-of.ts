import type {
  EntitiesResponse,
  Entity,
  EntityWithObservations,
  ListEntitiesQuery,
} from '@loci/contract/entities'
import type { MomentOrSeq } from '@loci/contract/moments'
import type { Actor } from '../../auth/actor.ts'
import { toSeq } from '../../changes/moments.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors/app-error.ts'
import { findEntitiesAsOf } from '../../graph/as-of.ts'
import { listHeldObservations } from '../../graph/held.repo.ts'
import { countAsOf, listAsOf } from '../../graph/list-as-of.ts'
import { toObservationState } from '../../graph/states.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursors.ts'
import { toNumber } from '../../lib/ids.ts'

/** Throws `as_of_not_searchable` if a search asks for the past: only the present is indexed. */
export function refuseSearch(query: string): void {
  if (query.trim() === '') return
  throw new AppError('as_of_not_searchable', 'The past cannot be searched. Leave out query or asOf.')
}

function refuseSort({ sort, order }: ListEntitiesQuery): void {
  if ((sort === undefined || sort === 'newest') && order !== 'asc') return
  const message = 'The past is listed newest first: leave out sort and order, or asOf'
  throw new AppError('validation_failed', message, { details: [{ path: 'sort', message }] })
}

/** A page of past entities, newest first. */
export async function listEntitiesAsOf(
  { db, dialect }: Context,
  actor: Actor,
  query: ListEntitiesQuery,
  asOf: MomentOrSeq,
): Promise<EntitiesResponse> {
  refuseSearch(query.query)
  refuseSort(query)
  const seq = await toSeq(db, actor, asOf)
  const { types, limit } = query
  const cursor = decodeCursor(query.cursor)
  const { keys, next } = await listAsOf(db, actor, 'entities', { seq, cursor, limit, types })
  const ids = keys.map(({ id }) => id)
  const states = await findEntitiesAsOf(db, actor, ids, seq)
  const entities = ids.flatMap((id) => states.get(id) ?? [])
  return {
    entities: await withIncludedAsOf({ db, dialect }, actor, entities, { include: query.include, seq }),
    total: await countAsOf(db, actor, 'entities', { seq, types }),
    nextCursor: next === undefined ? null : encodeCursor(next),
  }
}

const latestShown = 2

async function withIncludedAsOf(
  ctx: Pick<Context, 'db' | 'dialect'>,
  actor: Actor,
  entities: readonly Entity[],
  { include = [], seq }: { include: readonly string[] | undefined; seq: number },
): Promise<Entity[]> {
  const wants = new Set(include)
  if (!wants.has('observations') && !wants.has('latest')) return [...entities]
  const whole = await withObservationsAsOf(ctx, actor, entities, seq)
  if (wants.has('observations')) return whole
  return whole.map((entity) => ({ ...entity, observations: entity.observations.slice(-latestShown) }))
}

/** Throws `entity_not_found` if it did not exist then. */
export async function getEntityAsOf(
  { db, dialect }: Context,
  actor: Actor,
  id: string,
  asOf: MomentOrSeq,
): Promise<EntityWithObservations> {
  const seq = await toSeq(db, actor, asOf)
  const number = toNumber('ent', id)
  const states = number === undefined ? undefined : await findEntitiesAsOf(db, actor, [number], seq)
  const entities = await withObservationsAsOf({ db, dialect }, actor, [...(states?.values() ?? [])], seq)
  const [entity] = entities
  if (entity === undefined) throw new AppError('entity_not_found', 'Entity not found')
  return entity
}

async function withObservationsAsOf(
  { db }: Pick<Context, 'db' | 'dialect'>,
  actor: Actor,
  entities: readonly Entity[],
  seq: number,
): Promise<EntityWithObservations[]> {
  const numbers = entities.flatMap(({ id }) => toNumber('ent', id) ?? [])
  const rows = await listHeldObservations(db, actor, numbers, seq)
  const byEntity = Map.groupBy(rows, (row) => row.entity_id)
  return entities.map((entity, i) => ({
    ...entity,
    observations: (byEntity.get(numbers[i]!) ?? []).map(toObservationState),
  }))
}
