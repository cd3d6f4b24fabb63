import type { Duplicate, DuplicateEntity, DuplicatePair, DuplicatesResponse } from '@loci/contract/duplicates'
import { AppError } from '../../ground/errors/app-error.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { toRankedPage } from '../../ground/lib/ranked-pages.ts'
import { toShownEntity, toShownObservation } from '../../rows/codec.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Pair } from './duplicates.repo.ts'
import * as repo from './duplicates.repo.ts'
import { findPairs, pairsPerStep } from './known-duplicates.ts'
import { readSides, type Sides } from './read-sides.ts'
import { weighPair } from './weigh-pair.rules.ts'

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
  await transact(
    ctx,
    async (inner) => {
      await lockAccount(inner.db, actor.accountId)
      const found = await findEntitiesById(inner.db, actor, ids)
      if (found.length < 2) throw new AppError('entity_not_found', 'Entity not found')
      const [first, second] = found.map(({ id }) => numberOf('ent', id)).sort((a, b) => a - b)
      await change(inner, [first!, second!])
    },
    actor.accountId,
  )
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
