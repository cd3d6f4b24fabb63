import type { ChangeCountsResponse, CountChangesQuery } from '@loci/contract/changes'
import { breathe } from '../../ground/lib/pace.ts'
import { type ActorCount, countLogged, findActorsByNumber, findNewestSeq } from '../../memory/log/log.repo.ts'
import { toFirstSeq, toSeq } from '../../memory/log/seq-of-moment.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

const countedMax = 10_000
/** Changes counted by one statement. */
const changesPerWindow = 2_000

/** Counts the changes of a range by actor and operation; of more than 10,000 only the newest. */
export async function countChanges(
  { db }: Context,
  actor: Actor,
  { after, before }: CountChangesQuery,
): Promise<ChangeCountsResponse> {
  const end = Math.min(
    (await findNewestSeq(db, actor)) + 1,
    before === undefined ? Number.MAX_SAFE_INTEGER : await toFirstSeq(db, actor, before),
  )
  const start = after === undefined ? 0 : await toSeq(db, actor, after)
  const from = Math.max(start, end - countedMax - 1)
  const sums = new Map<string, ActorCount>()
  for (let at = from; at + 1 < end; at += changesPerWindow) {
    const window = { after: at, before: Math.min(end, at + changesPerWindow + 1) }
    for (const counted of await countLogged(db, actor, window)) {
      const key = `${counted.actorNumber} ${counted.operation}`
      sums.set(key, { ...counted, count: counted.count + (sums.get(key)?.count ?? 0) })
    }
    await breathe()
  }
  const numbers = new Set([...sums.values()].map(({ actorNumber }) => actorNumber))
  const actors = await findActorsByNumber(db, actor.accountId, [...numbers])
  const counts = [...sums.values()].map(({ actorNumber, operation, count }) => ({
    actor: actors.get(actorNumber)!,
    operation,
    count,
  }))
  return { counts, isComplete: from === start }
}
