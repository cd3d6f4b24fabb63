import { isTold, type Observation, type Rival } from '@loci/contract/observations'
import { compareIds } from '../../ground/lib/ids.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import { findRivals } from '../../search/find/rivals.rules.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

const rivalsMax = 3
/** The newest facts that are compared, of this many entities of a call, with this many of the new ones. */
const comparedMax = 100
const entitiesMax = 10
const newMax = 20
const charactersCompared = 2_000
const charactersShown = 500

/** New observations of an entity. */
export type Added = {
  id: string
  name: string
  observations: readonly Pick<Observation, 'id' | 'content' | 'replaces'>[]
}

/** At most three earlier current facts that could say the same as a new one or the opposite, nearest first. */
export async function listRivals(ctx: Context, actor: Actor, added: readonly Added[]): Promise<Rival[]> {
  const rivals = new Map<string, Rival>()
  for (const { id, name, observations } of added.slice(0, entitiesMax)) {
    const [first] = observations
    if (first === undefined) continue
    const earlier = await listEarlier(ctx, actor, id, first.id)
    for (const { content } of observations.slice(0, newMax))
      for (const rival of findRivals(content.slice(0, charactersCompared), earlier, name).slice(0, rivalsMax))
        rivals.set(rival.id, rival)
  }
  return [...rivals.values()]
    .slice(0, rivalsMax)
    .map((rival) => ({ ...rival, content: rival.content.slice(0, charactersShown).toWellFormed() }))
}

async function listEarlier(ctx: Context, actor: Actor, entityId: string, before: string): Promise<Rival[]> {
  const rows = await listNewestObservations(ctx.db, actor, entityId, { before, limit: comparedMax })
  return rows
    .filter((row) => isTold(row, ctx.now()) && compareIds(row.id, before) < 0)
    .map(({ id, content, at }) => ({ id, content: content.slice(0, charactersCompared), ...(at && { at }) }))
}
