import type { Entity } from '@loci/contract/entities'
import type { MomentOrSeq } from '@loci/contract/moments'
import type { Relation } from '@loci/contract/relations'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { findEntitiesAsOf, findRelationsAsOf } from '../../memory/history/as-of.ts'
import { listHeldRelations, scanHeld, scanHeldObservations } from '../../memory/history/valid-rows.repo.ts'
import { toSeq } from '../../memory/log/seq-of-moment.ts'
import { showObservation } from '../../rows/codec.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { getNextNumber } from './exports.repo.ts'
import type { GraphSource, Pages } from './graph-source.ts'

/** The graph as it was. Versions do not change, so it is all of one moment however long it takes. */
export async function pastGraph(ctx: Context, actor: Actor, asOf: MomentOrSeq): Promise<GraphSource> {
  const { db } = ctx
  const seq = await toSeq(db, actor, asOf)
  const entityPages = () => entitiesAsOf(ctx, actor, seq)
  return {
    at: ctx.now(),
    nextNumber: await getNextNumber(db, actor),
    entityPages,
    async *entities() {
      for await (const page of entityPages())
        for (const entity of page) yield [entity, observationsAsOf(ctx, actor, entity.id, seq)]
    },
    async *relations() {
      for await (const { keys } of scanHeld(db, actor, 'relations', { seq, order: 'number' }))
        yield* await relationsAsOf(
          ctx,
          actor,
          keys.map(({ id }) => id),
          seq,
        )
    },
    async *relationsFrom(entityId) {
      const held = await listHeldRelations(db, actor, 'from_id', [numberOf('ent', entityId)], {
        seq,
        limit: heldMax,
      })
      yield* await relationsAsOf(
        ctx,
        actor,
        held.map(({ id }) => id).sort((one, other) => one - other),
        seq,
      )
    },
  }
}

/** More than any entity has. */
const heldMax = 2 ** 31 - 1

/** Their metadata can be long. */
const entitiesPerPage = 50

async function* entitiesAsOf({ db }: Context, actor: Actor, seq: number): AsyncGenerator<Entity[], void> {
  for await (const { keys } of scanHeld(db, actor, 'entities', { seq, order: 'number' })) {
    for (const some of chunksOf(keys, entitiesPerPage)) {
      const ids = some.map(({ id }) => id)
      yield [...(await findEntitiesAsOf(db, actor, ids, seq)).values()]
    }
  }
}

async function relationsAsOf(
  { db }: Context,
  actor: Actor,
  ids: readonly number[],
  seq: number,
): Promise<Relation[]> {
  return [...(await findRelationsAsOf(db, actor, ids, seq)).values()]
}

async function* observationsAsOf({ db }: Context, actor: Actor, entityId: string, seq: number): Pages {
  for await (const rows of scanHeldObservations(db, actor, [numberOf('ent', entityId)], seq))
    yield rows.map(showObservation)
}
