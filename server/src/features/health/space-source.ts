import { pagesById } from '../../ground/lib/all-pages.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { listDuplicates } from '../duplicates/duplicates.service.ts'
import {
  findCountingOfTold,
  findEntitiesToCheck,
  findFactsToCheck,
  listEntitiesToCheck,
  listFactsToCheck,
} from './health.repo.ts'
import type { HealthSource } from './health-source.ts'

const rowsPerPage = 200
const pairsPerPage = 50

/** The space of an actor, to check. */
export async function openSpaceSource(ctx: Context, actor: Actor): Promise<HealthSource> {
  const { db } = ctx
  const scope = { accountId: actor.accountId, spaceId: actor.spaceId }
  const { entities, observations } = await getCounters(db, scope)
  const counting = await findCountingOfTold(db, scope)
  const number = (row: { number: number }) => row.number
  return {
    counts: { entities, observations },
    ...(counting?.isAny && { toldSince: counting.since }),
    entities: () => pagesById(rowsPerPage, (at) => listEntitiesToCheck(db, scope, at), number),
    facts: () => pagesById(rowsPerPage, (at) => listFactsToCheck(db, scope, at), number),
    factsByNumber: (numbers) => inChunks(numbers, (some) => findFactsToCheck(db, scope, some)),
    entitiesByNumber: (numbers) => inChunks(numbers, (some) => findEntitiesToCheck(db, scope, some)),
    alike: () => listAlike(ctx, actor),
  }
}

async function inChunks<T extends { number: number }>(
  numbers: readonly number[],
  find: (some: readonly number[]) => Promise<T[]>,
): Promise<Map<number, T>> {
  const found = new Map<number, T>()
  for (const some of chunksOf(numbers, rowsPerPage))
    for (const row of await find(some)) found.set(row.number, row)
  return found
}

/** The pairs that Duplicates lists, without those that somebody has judged. */
async function listAlike(ctx: Context, actor: Actor) {
  const alike: { pair: readonly [number, number]; reasons: readonly string[] }[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listDuplicates(ctx, actor, { limit: pairsPerPage, ...(cursor && { cursor }) })
    for (const { entities, reasons } of page.duplicates) {
      const [keep, go] = entities
      alike.push({
        pair: [numberOf('ent', keep.id), numberOf('ent', go.id)],
        reasons: reasons.map(({ text }) => text),
      })
    }
    cursor = page.nextCursor
  }
  return alike
}
