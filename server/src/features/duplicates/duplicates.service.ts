import type { Duplicate, DuplicateEntity, DuplicatePair, DuplicatesResponse } from '@loci/contract/duplicates'
import { AppError } from '../../ground/errors/app-error.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { rankedMax, toRankedPage } from '../../ground/lib/ranked-pages.ts'
import { toShownEntity, toShownObservation } from '../../rows/codec.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Pair } from './duplicates.repo.ts'
import * as repo from './duplicates.repo.ts'
import { findAlikePairs, findSaidPairs } from './find-candidates.ts'
import { readSides, type Sides } from './read-sides.ts'
import { scoreMin, weighPair } from './weigh-pair.rules.ts'

type Page = { cursor?: string | undefined; limit: number }

/** Pairs of entities that are probably the same thing, the most likely first, without dismissed pairs. */
export async function listDuplicates(ctx: Context, actor: Actor, page: Page): Promise<DuplicatesResponse> {
  const pairs = await withoutDismissed(ctx, actor, await findPairs(ctx, actor))
  const present = await withBothEnds(ctx, actor, pairs)
  const { rows, nextCursor } = toRankedPage('duplicates', present, page)
  const duplicates: Duplicate[] = []
  for (const chunk of chunksOf(rows, pairsPerStep)) {
    const sides = await readSides(ctx.db, actor, chunk)
    duplicates.push(...chunk.flatMap((pair) => toDuplicate(sides, pair) ?? []))
  }
  return { duplicates, total: present.length, nextCursor }
}

/** Records that two entities are different things. Throws `same_entity`, `entity_not_found`. */
export async function dismissDuplicate(ctx: Context, actor: Actor, ids: DuplicatePair['ids']): Promise<void> {
  await changeDismissed(ctx, actor, ids, (inner, pair) =>
    repo.putDismissed(inner.db, actor, pair, inner.now()),
  )
}

/** Undoes a dismissal. Throws `same_entity`, `entity_not_found`. */
export async function undismissDuplicate(
  ctx: Context,
  actor: Actor,
  ids: DuplicatePair['ids'],
): Promise<void> {
  await changeDismissed(ctx, actor, ids, (inner, pair) => repo.deleteDismissed(inner.db, actor, pair))
}

async function changeDismissed(
  ctx: Context,
  actor: Actor,
  ids: DuplicatePair['ids'],
  change: (inner: Context, pair: Pair) => Promise<void>,
): Promise<void> {
  if (ids[0] === ids[1]) throw new AppError('same_entity', 'These are the same entity')
  await transact(ctx, actor.accountId, async (inner) => {
    await lockAccount(inner.db, actor.accountId)
    const found = await findEntitiesById(inner.db, actor, ids)
    if (found.length < 2) throw new AppError('entity_not_found', 'Entity not found')
    const [first, second] = found.map(({ id }) => numberOf('ent', id)).sort((a, b) => a - b)
    await change(inner, [first!, second!])
  })
}

async function withoutDismissed({ db }: Context, actor: Actor, pairs: readonly Pair[]): Promise<Pair[]> {
  const dismissed = await repo.listDismissed(db, actor, [...new Set(pairs.map(([first]) => first))])
  const keys = new Set(dismissed.map(String))
  return pairs.filter((pair) => !keys.has(String(pair)))
}

/** Either entity can have been merged or deleted since the pair was found. */
async function withBothEnds({ db }: Context, actor: Actor, pairs: readonly Pair[]): Promise<Pair[]> {
  const present = await repo.findNamedByNumber(db, actor, [...new Set(pairs.flat())])
  return pairs.filter(([first, second]) => present.has(first) && present.has(second))
}

function toDuplicate(
  { sides, stored, facts, neighbours }: Sides,
  [first, second]: Pair,
): Duplicate | undefined {
  const [one, other] = [sides.get(first), sides.get(second)]
  const weighed = one && other && weighPair(one, other, neighbours)
  if (weighed === undefined) return undefined
  const entities = [first, second].map((id) => toShown(stored.get(id)!))
  // Keep the entity with more information, or the older one if equal.
  const [keep, go] = entities.sort((a, b) => knownOf(b) - knownOf(a) || (a.createdAt < b.createdAt ? -1 : 1))
  return { ...weighed, entities: [keep!, go!] }

  function toShown(entity: NonNullable<ReturnType<typeof stored.get>>): DuplicateEntity {
    const observations = (facts.get(entity.id) ?? []).map(toShownObservation)
    return { ...toShownEntity(entity), relationsCount: entity.degree, observations }
  }
}

const knownOf = ({ observationsCount, relationsCount }: DuplicateEntity) => observationsCount + relationsCount

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
const pairsPerStep = 50

/** Keyed by the process's configuration, so each database has its own. */
const knownBy = new WeakMap<Context['config'], Map<string, Known>>()

/**
 * Pairs that are probably the same thing, the most likely first. The result is cached: in a large, busy space it can be
 * some minutes old, so read the entities again before showing them.
 */
async function findPairs(ctx: Context, actor: Actor): Promise<Pair[]> {
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
