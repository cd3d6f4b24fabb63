import type { StoredObservation } from '../../rows/codec.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { countRecalls, listRecallRows } from './recalls.repo.ts'
import { readerOf } from './recalls.service.ts'

/** The newest recalls whose rows are counted. */
const countedMax = 200

export type Told = {
  times: number
  notFound: number
  /** How often each observation was told lately. */
  counts: ReadonlyMap<string, number>
  /** The one told most often since. */
  most: { observation: StoredObservation; times: number } | undefined
}

/** What agents asked and were told since a time, as far as the caller may see it. */
export async function countTold(ctx: Context, actor: Actor, since: number): Promise<Told> {
  await ctx.usage.flush()
  const reader = readerOf(ctx, actor)
  const { userId } = reader
  const lately = await listRecallRows(ctx.db, actor, { ...reader, limit: countedMax })
  const [counts, countsSince] = [new Map<string, number>(), new Map<string, number>()]
  for (const { at, told } of lately) {
    for (const { observationId } of told) {
      counts.set(observationId, (counts.get(observationId) ?? 0) + 1)
      if (at >= since) countsSince.set(observationId, (countsSince.get(observationId) ?? 0) + 1)
    }
  }
  const [best] = [...countsSince].sort((a, b) => b[1] - a[1])
  const [observation] = best === undefined ? [] : await findObservations(ctx.db, actor, [best[0]])
  const { times, notFound } = await countRecalls(ctx.db, actor, {
    userId,
    since: Math.max(since, reader.since),
  })
  return { times, notFound, counts, most: observation && { observation, times: best![1] } }
}
