import { chunksOf } from '../../ground/lib/chunks.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { rankedMax } from '../../ground/lib/ranked-pages.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Pair } from './duplicates.repo.ts'
import { findAlikePairs, findSaidPairs } from './find-candidates.ts'
import { readSides } from './read-sides.ts'
import { scoreMin, weighPair } from './weigh-pair.rules.ts'

/** A space's pairs as found when its newest change was `seq`. */
type Known = { seq: number; madeAt: number; entities: number; pairs: Promise<Pair[]> }

const spacesMax = 100
/** Up to this many entities, pairs are recomputed after every change. */
const quickMax = 5_000
/**
 * In larger spaces, the minimum time between two computations, per entity. Finding pairs takes some 30 microseconds per
 * entity, so it runs at most 3 % of the time.
 */
const restMsPerEntity = 1
const candidatesMax = 1_500
export const pairsPerStep = 50

/** Keyed by the process's configuration, so each database has its own. */
const knownBy = new WeakMap<Context['config'], Map<string, Known>>()

/**
 * Pairs that are probably the same thing, the most likely first. The result is cached: in a large, busy space it can be
 * some minutes old, so read the entities again before showing them.
 */
export async function findPairs(ctx: Context, actor: Actor): Promise<Pair[]> {
  const known = knownBy.get(ctx.config) ?? new Map<string, Known>()
  knownBy.set(ctx.config, known)
  const key = `${actor.accountId} ${actor.spaceId}`
  const { seq, entities } = await getCounters(ctx.db, actor)
  const last = known.get(key)
  if (last !== undefined && !isStale(last, seq, ctx.now())) return last.pairs
  const made = { seq, madeAt: ctx.now(), entities, pairs: weighAll(ctx, actor, entities) }
  made.pairs.catch(() => known.delete(key))
  known.delete(key)
  known.set(key, made)
  if (known.size > spacesMax) known.delete(known.keys().next().value!)
  return made.pairs
}

function isStale({ seq, madeAt, entities }: Known, newest: number, now: number): boolean {
  if (seq === newest) return false
  return entities <= quickMax || now - madeAt >= entities * restMsPerEntity
}

async function weighAll({ db }: Context, actor: Actor, entities: number): Promise<Pair[]> {
  const scope = { accountId: actor.accountId, spaceId: actor.spaceId }
  const alike = await findAlikePairs(db, scope, { entities, limit: candidatesMax })
  const all = [...alike, ...(await findSaidPairs(db, scope))]
  const candidates = [...new Map(all.map((candidate) => [String(candidate.pair), candidate])).values()]
  const weighed: { pair: Pair; score: number }[] = []
  for (const chunk of chunksOf(candidates, pairsPerStep)) {
    const { sides, neighbours } = await readSides(
      db,
      scope,
      chunk.map(({ pair }) => pair),
    )
    for (const { pair } of chunk) {
      await breathe()
      const [one, other] = [sides.get(pair[0]), sides.get(pair[1])]
      const score = one && other && weighPair(one, other, neighbours)?.score
      if (score !== undefined && score >= scoreMin) weighed.push({ pair, score })
    }
  }
  return weighed
    .sort((a, b) => b.score - a.score || b.pair[1] - a.pair[1])
    .slice(0, rankedMax)
    .map(({ pair }) => pair)
}
