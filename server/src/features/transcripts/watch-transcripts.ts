import { setTimeout as delay } from 'node:timers/promises'
import { type Followed, type Following, followTranscript } from './follow-transcript.ts'
import { TurnsRefused, TurnsUnavailable } from './server-sink.ts'
import type { Transcript } from './transcript-sources.ts'

export type WatchOptions = Following & {
  list: () => Transcript[]
  onFollowed?: (transcript: Transcript, followed: Followed) => void
  /** A transcript that could not be read or stored; it is tried again. */
  onTrouble?: (transcript: Transcript, error: Error) => void
}

const tickMs = 1_000
const slowestTickMs = 10_000
/** A file that could not be read is tried again when it has changed, or after a minute. */
const passesBeforeRetry = 60
/** Looking takes at most a two-hundredth of the time, however many files there are. */
const restPerLook = 200
const longestWaitMs = 60_000

/** Stores what is there, the newest first. True if everything was stored. */
export async function followOnce(options: WatchOptions): Promise<boolean> {
  let isWhole = true
  for (const transcript of options.list()) {
    const end = await tryToFollow(transcript, options)
    if (end === 'unavailable') return false
    isWhole &&= end === 'followed'
  }
  return isWhole
}

/** Stores what comes, until the signal: what changed since the last look, and all of it after a failure. */
export async function watchTranscripts(options: WatchOptions & { signal: AbortSignal }): Promise<void> {
  const { signal } = options
  const looks = new Map<string, string>()
  const troubled = new Set<string>()
  let waitMs = tickMs
  for (let pass = 1; !signal.aborted; pass++) {
    if (pass % passesBeforeRetry === 0) for (const path of troubled) looks.delete(path)
    const before = performance.now()
    const found = options.list()
    const restMs = Math.min(restPerLook * (performance.now() - before), slowestTickMs)
    const isAvailable = await followChanged(found, options, { looks, troubled })
    waitMs = isAvailable ? Math.max(tickMs, restMs) : Math.min(2 * waitMs, longestWaitMs)
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** In order: while nothing can be stored, what comes later waits. False if so. */
async function followChanged(
  found: readonly Transcript[],
  options: WatchOptions,
  { looks, troubled }: { looks: Map<string, string>; troubled: Set<string> },
): Promise<boolean> {
  for (const transcript of found) {
    const look = `${transcript.bytes} ${transcript.modifiedMs}`
    if (looks.get(transcript.path) === look) continue
    const end = await tryToFollow(transcript, options)
    if (end === 'unavailable') return false
    if (end === 'unreadable') troubled.add(transcript.path)
    else troubled.delete(transcript.path)
    looks.set(transcript.path, look)
  }
  return true
}

type End = 'followed' | 'unreadable' | 'unavailable'

async function tryToFollow(transcript: Transcript, options: WatchOptions): Promise<End> {
  if (options.signal?.aborted) return 'unavailable'
  try {
    const followed = await followTranscript(transcript, options)
    options.onFollowed?.(transcript, followed)
    return 'followed'
  } catch (error) {
    if (error instanceof TurnsRefused) throw error
    options.onTrouble?.(transcript, error as Error)
    return error instanceof TurnsUnavailable ? 'unavailable' : 'unreadable'
  }
}
