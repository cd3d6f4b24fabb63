import type { FairSlots } from '../../../ground/lib/fair-slots.ts'
import { secondMs } from '../../../ground/lib/time.ts'
import type { Context } from '../../../tenancy/context.ts'
import { type EventPage, readEvents, type SourceSpace } from './events.ts'

const keptMs = secondMs
const pagesKept = 128

/** Reads pages of events; endpoints at the same position share one read. */
export type EventReader = {
  read: (
    space: SourceSpace,
    after: number,
    subscribed: readonly string[],
    signal: AbortSignal,
  ) => Promise<EventPage>
}

export function createEventReader({ db }: Pick<Context, 'db'>, reads: FairSlots<number>): EventReader {
  const pages = new Map<string, { at: number; page: Promise<EventPage> }>()
  return {
    read(space, after, subscribed, signal) {
      const key = JSON.stringify([space.accountId, space.spaceId, after, subscribed])
      const known = pages.get(key)
      if (known !== undefined && performance.now() - known.at < keptMs) return known.page
      if (pages.size >= pagesKept) pages.clear()
      const page = reads.run(space.accountId, () => readEvents(db, space, after, subscribed), signal)
      pages.set(key, { at: performance.now(), page })
      page.catch(() => pages.delete(key))
      return page
    },
  }
}
