import { AsyncLocalStorage } from 'node:async_hooks'
import { createFairQueue } from './fair-queue.ts'
import { createPresence } from './presence.ts'

/** Calls `leave` when whoever waits has gone. */
export type OnGone = (leave: () => void) => void

/** Lets a few calls run at once, fairly between callers. */
export type CallTurns = {
  /** Calls that wait for their turn. */
  readonly waiting: number
  /**
   * Runs `call` when it is the caller's turn. Throws {@link TurnsFullError} when the caller has too many calls waiting
   * and {@link CallGoneError} when `onGone` told so before the turn came.
   */
  run: <T>(caller: number, call: () => Promise<T>, onGone?: OnGone) => Promise<T>
}

export class TurnsFullError extends Error {
  override name = 'TurnsFullError'
}

export class CallGoneError extends Error {
  override name = 'CallGoneError'
}

/** A call holds its slot while it runs; it may give the slot back for a while, or for good. */
type Turn = { state: 'running' | 'outside' | 'over'; giveBack: () => void; takeAgain: () => Promise<void> }

type Bounds = { atOnce: number; waitingPerCallerMax: number }

/** So many waiting calls of a caller are a crowd. */
const crowdMin = 10
/** A crowd gets on at least so often, however many calls of others run. */
const crowdEveryMs = 20

const current = new AsyncLocalStorage<Turn>()

/** Ends the turn of the call under way: from here on it waits elsewhere (for its client, or in a line of its own). */
export function endTurn(): void {
  const turn = current.getStore()
  if (turn !== undefined) end(turn)
}

/** Runs `work`, which waits for another system, without holding up other calls. */
export async function outsideTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = current.getStore()
  if (turn?.state !== 'running') return work()
  turn.state = 'outside'
  turn.giveBack()
  try {
    return await work()
  } finally {
    if (isOutside(turn)) await turn.takeAgain()
  }
}

/** The turn may have ended while `work` ran. */
const isOutside = (turn: Turn) => turn.state === 'outside'

function end(turn: Turn): void {
  const { state } = turn
  turn.state = 'over'
  if (state === 'running') turn.giveBack()
}

/**
 * Runs at most `atOnce` calls. A caller who is alone may have all slots but one, so that the first call of another
 * never waits; a caller who is not may have a quarter of them. Free slots go round among those who wait. A caller with
 * a crowd of calls waiting gets one while fewer than a quarter run, or every 20 ms.
 * @param now milliseconds
 */
export function createCallTurns({ atOnce, waitingPerCallerMax }: Bounds, now: () => number): CallTurns {
  const aloneMax = Math.max(1, atOnce - 1)
  const sharedMax = Math.max(1, Math.floor(atOnce / 4))
  // Few keys are looked at for the next: only those who run calls can be at their limit.
  const queue = createFairQueue<() => void, number>()
  const waitingOf = createTally()
  const runningOf = createTally()
  let running = 0
  /** When the last of those who waited began. */
  let followedAt = Number.NEGATIVE_INFINITY
  const presence = createPresence<number>(now)

  function mayRun(caller: number): boolean {
    if (running >= atOnce) return false
    return runningOf.get(caller) < (presence.hasCompany(caller) ? sharedMax : aloneMax)
  }

  /** A crowd beside others waits until few of them run, or for its time. */
  function mayFollow(caller: number): boolean {
    if (!mayRun(caller)) return false
    const isCrowd = waitingOf.get(caller) >= crowdMin && presence.hasCompany(caller)
    return !isCrowd || running < sharedMax || now() - followedAt >= crowdEveryMs
  }

  function begin(caller: number): void {
    running++
    runningOf.add(caller, 1)
  }

  function giveBack(caller: number): void {
    running--
    runningOf.add(caller, -1)
    for (let next = queue.shift(mayFollow); next !== undefined; next = queue.shift(mayFollow)) next()
  }

  function wait(caller: number, onGone?: OnGone): Promise<void> {
    waitingOf.add(caller, 1)
    return new Promise((resolve, reject) => {
      const start = () => {
        waitingOf.add(caller, -1)
        begin(caller)
        followedAt = now()
        // In a turn of the event loop of its own, or one account's calls would follow each other in a single turn.
        setImmediate(resolve)
      }
      queue.push(caller, start)
      onGone?.(() => {
        if (!queue.remove(caller, start)) return
        waitingOf.add(caller, -1)
        reject(new CallGoneError())
      })
    })
  }

  /** Resolves at once, or when it is the caller's turn. */
  function take(caller: number, onGone?: OnGone): Promise<void> | undefined {
    presence.see(caller)
    if (waitingOf.get(caller) > 0 || !mayRun(caller)) return wait(caller, onGone)
    begin(caller)
    return undefined
  }

  return {
    get waiting() {
      return queue.size
    },
    async run(caller, call, onGone) {
      if (waitingOf.get(caller) >= waitingPerCallerMax) throw new TurnsFullError()
      const wait = take(caller, onGone)
      if (wait !== undefined) await wait
      const turn: Turn = {
        state: 'running',
        giveBack: () => giveBack(caller),
        async takeAgain() {
          await take(caller)
          // The call may have failed elsewhere meanwhile.
          if (turn.state === 'over') giveBack(caller)
          else turn.state = 'running'
        },
      }
      try {
        return await current.run(turn, call)
      } finally {
        end(turn)
      }
    },
  }
}

/** Counts by key; what is at 0 takes no room. */
function createTally() {
  const counts = new Map<number, number>()
  const get = (key: number) => counts.get(key) ?? 0
  return {
    get,
    add(key: number, count: number) {
      const sum = get(key) + count
      if (sum === 0) counts.delete(key)
      else counts.set(key, sum)
    },
  }
}
