import type { MomentOrSeq } from '@loci/contract/moments'
import type { Relation } from '@loci/contract/relations'
import type { Actor } from '../../auth/actor.ts'
import { toSeq } from '../../changes/moments.ts'
import type { Context } from '../../context.ts'
import { findEntitiesAsOf, findRelationsAsOf } from '../../graph/as-of.ts'
import { listHeldObservations, listHeldRelations, scanHeld } from '../../graph/held.repo.ts'
import { numberOf } from '../../graph/numbers-of.ts'
import { fromIso } from '../../lib/time.ts'
import { type ExportedEntity, type ExportedRelation, getNextNumber } from './exports.repo.ts'
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
      const held = await listHeldRelations(db, actor, 'from_id', [entityId], { seq, limit: heldMax })
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

async function* entitiesAsOf(
  { db }: Context,
  actor: Actor,
  seq: number,
): AsyncGenerator<ExportedEntity[], void> {
  for await (const { keys } of scanHeld(db, actor, 'entities', { seq, order: 'number' })) {
    const states = await findEntitiesAsOf(
      db,
      actor,
      keys.map(({ id }) => id),
      seq,
    )
    yield [...states].map(([id, { createdAt, updatedAt, metadata, aliases, ...state }]) => ({
      ...{ ...state, id, createdAt: fromIso(createdAt), updatedAt: fromIso(updatedAt) },
      metadata: JSON.stringify(metadata),
      aliases: aliases === undefined ? null : JSON.stringify(aliases),
    }))
  }
}

async function relationsAsOf(
  { db }: Context,
  actor: Actor,
  ids: readonly number[],
  seq: number,
): Promise<ExportedRelation[]> {
  const states = await findRelationsAsOf(db, actor, ids, seq)
  return [...states].map(([id, relation]) => toExported(id, relation))
}

const toExported = (id: number, { fromEntityId, toEntityId, ...relation }: Relation): ExportedRelation => ({
  ...{ id, type: relation.type, createdAt: fromIso(relation.createdAt) },
  ...{ fromId: numberOf('ent', fromEntityId), from: relation.fromEntity.name },
  ...{ toId: numberOf('ent', toEntityId), to: relation.toEntity.name },
})

async function* observationsAsOf({ db }: Context, actor: Actor, entityId: number, seq: number): Pages {
  const rows = await listHeldObservations(db, actor, [entityId], seq)
  yield rows.map(({ id, content, metadata, created_at: createdAt, updated_at: updatedAt }) => ({
    ...{ id, entityId, content, metadata, createdAt, updatedAt },
  }))
}
