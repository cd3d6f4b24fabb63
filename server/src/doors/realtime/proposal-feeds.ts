import type { News } from '../../features/proposals/proposal-news.service.ts'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

type Listener = (news: readonly News[]) => Promise<void>

/** Passes a listener the news of proposals of a space. What happens once it is `ready` is told. */
export type FollowProposals = (
  scope: Scope,
  listener: Listener,
) => { ready: Promise<void>; leave: () => void }

/** Reads the news of proposals of each space once for all connections. */
export function createProposalFeeds(ctx: Context, signal: AbortSignal): FollowProposals {
  const feeds = new Map<string, ReturnType<typeof createFeed>>()
  return ({ accountId, spaceId }, listener) => {
    const key = `${accountId} ${spaceId}`
    const feed = feeds.get(key) ?? createFeed(ctx, { accountId, spaceId }, signal)
    feeds.set(key, feed)
    feed.listeners.add(listener)
    return {
      ready: feed.begun,
      leave: () => {
        feed.listeners.delete(listener)
        if (feed.listeners.size > 0 || feeds.get(key) !== feed) return
        feeds.delete(key)
        feed.close()
      },
    }
  }
}

function createFeed(ctx: Context, scope: Scope, signal: AbortSignal) {
  const listeners = new Set<Listener>()
  let after: number | undefined
  const insist = <T>(work: () => Promise<T>) =>
    retryUntilDone(work, signal, (error) =>
      ctx.log.warn({ err: error }, 'News of proposals cannot be read; trying again'),
    )
  const service = import('../../features/proposals/proposal-news.service.ts')
  const begin = async () => {
    const { newestNews } = await service
    after = await insist(() => newestNews(ctx, scope))
  }
  const begun = begin()
  const look = oneAtATime(async () => {
    await begun
    const { readNews } = await service
    while (after !== undefined && listeners.size > 0) {
      const from = after
      const news = await insist(() => readNews(ctx, scope, from))
      const last = news?.at(-1)
      if (news === undefined || last === undefined) return
      after = last.number
      await Promise.all([...listeners].map((listener) => listener(news)))
    }
  })
  return { listeners, begun, close: ctx.changes.onNews(scope, () => void look()) }
}
