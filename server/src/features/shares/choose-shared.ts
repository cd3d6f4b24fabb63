import { entityNumber } from '@loci/contract/place-codec'
import { type ShareView, sharedEntitiesMax } from '@loci/contract/shares'
import { AppError } from '../../ground/errors/app-error.ts'
import { fromIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { getGraphData, getNeighbourhood, getShortestPath } from '../graphs/graphs.service.ts'
import { findRegion } from '../maps/maps.service.ts'

/** The entities of a view, in the order of the page, and the name that a person gave to it. */
export type Chosen = { title: string; entityIds: string[]; asOf: number | null }

/** Throws `entity_not_found`, `region_not_found`, `path_not_found`. */
export async function chooseShared(ctx: Context, actor: Actor, view: ShareView): Promise<Chosen> {
  switch (view.kind) {
    case 'region':
      return chooseRegion(ctx, actor, view.regionId)
    case 'path': {
      const { entities } = await getShortestPath(ctx, actor, view.from, view.to)
      return { title: '', entityIds: entities.map(({ id }) => id), asOf: null }
    }
    case 'entity': {
      const around = { depth: 1, limit: sharedEntitiesMax }
      const { entities } = await getNeighbourhood(ctx, actor, view.entityId, around)
      const others = entities.filter(({ id }) => id !== view.entityId)
      return { title: '', entityIds: [view.entityId, ...others.map(({ id }) => id)], asOf: null }
    }
    case 'date': {
      const limit = sharedEntitiesMax
      const { entities } = await getGraphData(ctx, actor, { limit, depth: 1, asOf: view.asOf })
      if (entities.length === 0) throw new AppError('entity_not_found', 'There was nothing at this moment')
      return {
        title: '',
        entityIds: entities.map(({ id }) => id),
        asOf: Math.min(fromIso(view.asOf), ctx.now()),
      }
    }
  }
}

async function chooseRegion(ctx: Context, actor: Actor, regionId: string): Promise<Chosen> {
  const region = await findRegion(ctx, actor, regionId)
  if (region === undefined || region.entities.length === 0)
    throw new AppError('region_not_found', 'Region not found')
  const { entities, name } = region
  // The page is named after the first, as the region is.
  const inOrder = entities.toSorted((a, b) => Number(b.id === regionId) - Number(a.id === regionId))
  const ids = inOrder.slice(0, sharedEntitiesMax).map(({ id }) => id)
  return { title: name ?? '', entityIds: ids, asOf: null }
}

export const numbersIn = (ids: readonly string[]) => ids.flatMap((id) => entityNumber(id) ?? [])
