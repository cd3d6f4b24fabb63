import type { Change } from '@loci/contract/changes'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { correctionsOf, toGraphEvents } from './realtime.rules.ts'

/** An event ready to be sent, and the entities that it concerns. */
export type OutgoingEvent = { data: Buffer; entityIds: string[] }

export type EventMaker = (scope: Scope, changes: readonly Change[]) => Promise<OutgoingEvent[]>

/** Converts changes to events once for all connections: those of one scope get the same array. */
export function createEventMaker(ctx: Context, signal: AbortSignal): EventMaker {
  const made = new WeakMap<readonly Change[], Promise<OutgoingEvent[]>>()
  return (scope, changes) => {
    const known = made.get(changes)
    if (known !== undefined) return known
    const events = makeEvents(ctx, signal, scope, changes)
    made.set(changes, events)
    return events
  }
}

async function makeEvents(
  ctx: Context,
  signal: AbortSignal,
  scope: Scope,
  changes: readonly Change[],
): Promise<OutgoingEvent[]> {
  const ids = [...correctionsOf(changes).keys()]
  const found = await retryUntilDone(
    () => findEntitiesById(ctx.db, scope, ids),
    signal,
    (error) => ctx.log.warn({ err: error }, 'Entities of events cannot be read; trying again'),
  )
  const entities = new Map(found?.map((entity) => [entity.id, entity]))
  return toGraphEvents(changes, entities).map(({ event, entityIds }) => ({
    data: Buffer.from(JSON.stringify(event)),
    entityIds,
  }))
}
