import { setImmediate as nextTask } from 'node:timers/promises'
import type {
  EntitiesResponse,
  Entity,
  EntityWithObservations,
  ListEntitiesQuery,
} from '@loci/contract/entities'
import type { MomentOrSeq } from '@loci/contract/moments'
import type { Observation } from '@loci/contract/observations'
import { AppError, invalidField } from '../../ground/errors/app-error.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { cutAfter, decodeCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { numberOf, toNumber } from '../../ground/lib/ids.ts'
import { createAnswerRoom } from '../../ground/lib/json-size.ts'
import { createPace, mapPaced } from '../../ground/lib/pace.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { findEntitiesAsOf, refuseSearch } from '../../memory/history/as-of.ts'
import { countAsOf, listAsOf } from '../../memory/history/list-as-of.ts'
import { listHeldObservations } from '../../memory/history/valid-rows.repo.ts'
import { findFitting } from '../../memory/log/log.repo.ts'
import { toSeq } from '../../memory/log/seq-of-moment.ts'
import { showObservation } from '../../rows/codec.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { isAskedFor, takeRoom } from './with-included.ts'

function refuseSort({ sort, order }: ListEntitiesQuery): void {
  if ((sort === undefined || sort === 'newest') && order !== 'asc') return
  throw invalidField('sort', 'The past is listed newest first: leave out sort and order, or asOf')
}

/** A page of past entities, newest first. */
export async function listEntitiesAsOf(
  { db, dialect, now }: Context,
  actor: Actor,
  query: ListEntitiesQuery,
  asOf: MomentOrSeq,
): Promise<EntitiesResponse> {
  refuseSearch(query.query)
  refuseSort(query)
  const seq = await toSeq(db, actor, asOf)
  const { types, limit, include, ...asked } = query
  const at = typeof asOf === 'string' ? fromIso(asOf) : (await findFitting(db, actor, [seq], {}))[0]?.at
  const isAsked = isAskedFor(asked, () => at ?? now())
  const cursor = decodeCursor('past entities', query.cursor)
  const { keys, next } = await listAsOf(db, actor, 'entities', { seq, cursor, limit, types })
  const ids = keys.map(({ id }) => id)
  const states = await findEntitiesAsOf(db, actor, ids, seq)
  const entities = ids.flatMap((id) => states.get(id) ?? [])
  const shown = await withIncludedAsOf({ db, dialect }, actor, entities, { include, seq, isAsked })
  const keyOfEntity = ({ createdAt, id }: Entity) => ({ at: fromIso(createdAt), id: numberOf('ent', id) })
  const cut = cutAfter('past entities', entities, shown, keyOfEntity)
  return {
    entities: shown,
    total: await countAsOf(db, actor, 'entities', { seq, types }),
    nextCursor: cut ?? (next === undefined ? null : encodeCursor('past entities', next)),
  }
}

const latestShown = 2
const entitiesPerRead = 20

const withLatest = (entity: Entity): Entity =>
  entity.observations === undefined
    ? entity
    : { ...entity, observations: entity.observations.slice(-latestShown) }

type IsAsked = ReturnType<typeof isAskedFor>

/** The dates in a long text take a while to read. */
async function withAsked(entity: Entity, isAsked: IsAsked, pace: () => Promise<void> | undefined) {
  if (entity.observations === undefined) return entity
  const observations: Observation[] = []
  for (const one of entity.observations) {
    await pace()
    if (isAsked(one)) observations.push(one)
  }
  return { ...entity, observations }
}

/** The first entities that fit into one answer, with the observations that were told then or are asked for. */
async function withIncludedAsOf(
  ctx: Pick<Context, 'db' | 'dialect'>,
  actor: Actor,
  entities: readonly Entity[],
  { include = [], seq, isAsked }: Pick<ListEntitiesQuery, 'include'> & { seq: number; isAsked: IsAsked },
): Promise<Entity[]> {
  const wants = new Set(include)
  const wantsText = wants.has('observations') || wants.has('latest')
  const [room, pace] = [createAnswerRoom(), createPace()]
  const fitting: Entity[] = []
  for (const some of chunksOf(entities, entitiesPerRead)) {
    for (const whole of wantsText ? await withObservationsAsOf(ctx, actor, some, seq) : some) {
      if (room.isFull) return fitting
      const told = await withAsked(whole, isAsked, pace)
      const entity = wants.has('observations') ? told : withLatest(told)
      fitting.push(entity)
      await takeRoom(room, entity, pace)
    }
    await nextTask()
  }
  return fitting
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
  const byEntity = Map.groupBy(
    await mapPaced(rows, (row) => [row.entity_id, showObservation(row)] as const),
    ([id]) => id,
  )
  return entities.map((entity, i) => ({
    ...entity,
    observations: (byEntity.get(numbers[i]!) ?? []).map(([, observation]) => observation),
  }))
}
