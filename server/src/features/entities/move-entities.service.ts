import type { MovedResponse, MoveEntities } from '@loci/contract/entity-bulk'
import { AppError, invalidField } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { putIn, takeOut } from '../../memory/write/move-entities.ts'
import { writeGraph } from '../../memory/write/write-graph.ts'
import { transact } from '../../store/transact.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import { requireAllowed } from '../../tenancy/auth/permissions.ts'
import { findSpace, listReachableSpaces } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'

/**
 * Moves entities to another space of the account in one transaction, as a set of changes on each side. They keep their
 * ids, times and history; relations to entities that stay are deleted and reported. Throws `space_not_found`,
 * `entity_not_found`, `entity_name_taken`, and `validation_failed` for the space that they are in.
 */
export async function moveEntities(
  ctx: Context,
  actor: Actor,
  { ids, space }: MoveEntities,
): Promise<MovedResponse> {
  const target = await requireTarget(ctx, actor, space)
  const numbers = [...new Set(ids)].map((id) => toNumber('ent', id))
  if (numbers.includes(undefined)) throw new AppError('entity_not_found', 'Entity not found')
  return transact(ctx, actor.accountId, async (inner) => {
    const { leaving, setSeq } = await writeGraph(inner, actor, async (write) => ({
      leaving: await takeOut(write, numbers as number[]),
      setSeq: write.setSeq,
    }))
    const arrival = await writeGraph(inner, target, async (write) => {
      await putIn(write, leaving)
      return write.setSeq
    })
    return {
      space: { id: toId('spc', target.spaceId), setId: toId('set', arrival) },
      entities: leaving.entities.length,
      observations: leaving.observations.length,
      relations: leaving.relations.length,
      relationsDeleted: leaving.left.length,
      setId: toId('set', setSeq),
    }
  })
}

async function requireTarget(ctx: Context, actor: Actor, space: string): Promise<Actor> {
  const found = findSpace(await listReachableSpaces(ctx, actor), space)
  if (found === undefined) throw new AppError('space_not_found', `There is no space ${space}`)
  if (found.spaceId === actor.spaceId) throw invalidField('space', 'The entities are in this space already')
  const target = actorOn(actor, { accountId: actor.accountId, spaceId: found.spaceId })
  requireAllowed(target, 'memory:write')
  return target
}
