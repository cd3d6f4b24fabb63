import type { RealtimeNews } from '@loci/contract/realtime'
import { toIso } from '../../ground/lib/time.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listLastRecalls, type Recall } from '../../tenancy/usage/recalls.repo.ts'

/** Of more between two looks, only the latest are told. */
const recallsToldMax = 20
/** Older ones are no news. */
const newsForMs = 60_000

type RecallNews = Extract<RealtimeNews, { type: 'recalled' }>['payload']

/**
 * The recalls that `seen` lacks, oldest first, and the ids that the next call should pass. Ids of other processes can
 * come later than newer ones, so the last one alone is not enough. The first call, without `seen`, tells nothing.
 */
export async function listRecallNews(
  ctx: Pick<Context, 'db' | 'now'>,
  scope: Scope,
  seen: ReadonlySet<string> | undefined,
): Promise<{ seen: Set<string>; told: RecallNews[] }> {
  const last = await listLastRecalls(ctx.db, scope, recallsToldMax)
  const isNews = ({ id, at, entities }: Recall) =>
    seen !== undefined && !seen.has(id) && at >= ctx.now() - newsForMs && entities.length > 0
  const told: RecallNews[] = []
  for (const recall of last.filter(isNews).reverse()) told.push(await toNews(ctx, scope, recall))
  return { seen: new Set(last.map(({ id }) => id)), told }
}

async function toNews({ db }: Pick<Context, 'db'>, scope: Scope, recall: Recall): Promise<RecallNews> {
  const found = new Map((await findEntitiesById(db, scope, recall.entities)).map((one) => [one.id, one]))
  const entities = recall.entities.flatMap((id) => found.get(id) ?? [])
  return {
    agent: recall.client,
    at: toIso(recall.at),
    entities: entities.map(({ id, name, type }) => ({ id, name, type })),
  }
}
