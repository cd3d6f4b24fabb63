import { regionNamesMax } from '@loci/contract/views'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { announceNews } from '../../tenancy/news/announce-news.ts'
import { renewMap } from './maps.repo.ts'
import * as regions from './region-names.repo.ts'

/** Region names by the id of an entity in each region. */
export async function listRegionNames(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
): Promise<Record<string, string>> {
  const names = await regions.listRegionNameRows(db, actor, regionNamesMax)
  return Object.fromEntries(names.map(({ entityId, name }) => [toId('ent', entityId), name]))
}

/** Throws `entity_not_found`, `view_limit_reached`. */
export async function nameRegion(
  ctx: Context,
  actor: Actor,
  entityId: string,
  name: string,
): Promise<{ entityId: string; name: string }> {
  return transact(ctx, actor.accountId, async (inner) => {
    const { db, now } = inner
    await lockAccount(db, actor.accountId)
    const number = toNumber('ent', entityId)
    if (number === undefined || (await findEntity(db, actor, entityId)) === undefined)
      throw new AppError('entity_not_found', 'Entity not found')
    const isNamed = await regions.hasRegionName(db, actor, number)
    if (!isNamed && (await regions.countRegionNames(db, actor)) >= regionNamesMax) {
      const message = `A space has ${regionNamesMax} named regions at most. Take the name of another one away.`
      throw new AppError('view_limit_reached', message)
    }
    await regions.putRegionName(db, actor, { entityId: number, name }, now())
    await renewMap(db, actor)
    await announceNews(inner, actor)
    return { entityId, name }
  })
}

/** Throws `region_not_found`. */
export async function unnameRegion(ctx: Context, actor: Actor, entityId: string): Promise<void> {
  const number = toNumber('ent', entityId)
  const wasNamed =
    number !== undefined &&
    (await transact(ctx, actor.accountId, (inner) => deleteName(inner, actor, number)))
  if (!wasNamed) throw new AppError('region_not_found', 'This region has no name')
}

async function deleteName(ctx: Context, actor: Actor, entityId: number): Promise<boolean> {
  const { db } = ctx
  await lockAccount(db, actor.accountId)
  await renewMap(db, actor)
  await announceNews(ctx, actor)
  return regions.deleteRegionName(db, actor, entityId)
}
