import type { RealtimeNews } from '@loci/contract/realtime'
import { getMapVersion } from '../../features/maps/maps.service.ts'
import { listRecallNews } from '../../features/recalls/recall-news.ts'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import { toIso } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

type Send = (data: Buffer) => void

/** Passes the news of a scope, ready to be sent, to `send` until `leave`. What happens once it is `ready` is told. */
export type FollowNews = (scope: Scope, send: Send) => { ready: Promise<void>; leave: () => void }

type Followed = { followers: Set<Send>; look: () => Promise<void>; stop: () => void }

/** Reads the news of each scope once for all its connections; while there are none, nothing is read. */
export function createNewsRoom(ctx: Context): FollowNews {
  const followed = new Map<string, Followed>()
  const begin = (scope: Scope): Followed => {
    const followers = new Set<Send>()
    const look = reporter(ctx, scope, followers)
    return { followers, look, stop: ctx.changes.onNews(scope, () => void look()) }
  }
  return ({ accountId, spaceId }, send) => {
    const key = `${accountId} ${spaceId}`
    const room = followed.get(key) ?? begin({ accountId, spaceId })
    followed.set(key, room)
    room.followers.add(send)
    const leave = () => {
      room.followers.delete(send)
      if (room.followers.size > 0 || followed.get(key) !== room) return
      followed.delete(key)
      room.stop()
    }
    return { ready: room.look(), leave }
  }
}

/** Compares with what it read before: the first time it only remembers. */
function reporter(ctx: Context, scope: Scope, followers: ReadonlySet<Send>): () => Promise<void> {
  let version: number | undefined
  let seen: Set<string> | undefined
  const tell = (news: Pick<RealtimeNews, 'type' | 'payload'>) => {
    const data = Buffer.from(JSON.stringify({ id: ctx.newId('msg'), ...news, timestamp: toIso(ctx.now()) }))
    for (const send of followers) send(data)
  }
  return oneAtATime(async () => {
    try {
      const now = await getMapVersion(ctx, scope)
      if (version !== undefined && version !== now) tell({ type: 'map_changed', payload: { version: now } })
      version = now
      const recalls = await listRecallNews(ctx, scope, seen)
      seen = recalls.seen
      for (const payload of recalls.told) tell({ type: 'recalled', payload })
    } catch (error) {
      ctx.log.warn({ err: error }, 'News cannot be read from the database; the next one tries again')
    }
  })
}
