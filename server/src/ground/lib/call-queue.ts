import { AsyncLocalStorage } from 'node:async_hooks'
import { createActiveCallers, createFairQueue, createTally } from './fair-queue.ts'
import { createIdleWait, createSharedTime, processorMs } from './pace.ts'

/** Calls `leave` when the waiting client has disconnected. */
export type OnGone = (leave: () => void) => void

/** Limits concurrent calls, fairly between callers. */
export type CallQueue = {
  /** Number of calls that wait for their slot. */
  readonly waiting: number
  /**
   * Runs `call` in the caller's slot. Throws {@link QueueFullError} if the caller has too many calls waiting, and
   * {@link CallGoneError} if `onGone` fired before the turn came.
   */
  run: <T>(caller: number, call: () => Promise<T>, onGone?: OnGone) => Promise<T>
  /** Resolves when no call runs or waits, for a slot or anything else; at most after `msMax`. */
  untilQuiet: (msMax: number) => Promise<void>
  /** Runs work that is no call, but to which others give way as to one. */
  asCall: <T>(work: () => Promise<T>) => Promise<T>
  /** The number of calls and such works that run or wait, at index 0, shared with other threads. */
  readonly running: Int32Array
}

export class QueueFullError extends Error {
  override name = 'QueueFullError'
}

export class CallGoneError extends Error {
  override name = 'CallGoneError'
}

/** A call holds its slot while it runs; it can release the slot for a while, or for good. */
type Slot = {
  state: 'running' | 'outside' | 'over'
  giveBack: () => void
  takeAgain: () => Promise<void>
  charge: (ms: number) => void
}

type Bounds = { atOnce: number; waitingPerCallerMax: number }

/** A caller with this many waiting calls is a crowd. */
const crowdMin = 10
/** A crowd gets a slot at least this often, however many calls of others run. */
const crowdEveryMs = 20

const current = new AsyncLocalStorage<Slot>()

/** Ends the turn of the current call, which from here on waits elsewhere (for its client, or in another queue). */
export function endSlot(): void {
  const slot = current.getStore()
  if (slot !== undefined) end(slot)
}

/** Charges the current call, if any, for processor time that it took in another thread. */
export function chargeCall(ms: number): void {
  current.getStore()?.charge(ms)
}

/** Runs `work`, which waits for another system, without occupying the slot. */
export async function outsideSlot<T>(work: () => Promise<T>): Promise<T> {
  const slot = current.getStore()
  if (slot?.state !== 'running') return work()
  slot.state = 'outside'
  slot.giveBack()
  try {
    return await work()
  } finally {
    if (isOutside(slot)) await slot.takeAgain()
  }
}

/** The turn may have ended while `work` ran. */
const isOutside = (slot: Slot) => slot.state === 'outside'

function end(slot: Slot): void {
  const { state } = slot
  slot.state = 'over'
  if (state === 'running') slot.giveBack()
}

/**
 * Runs at most `atOnce` calls. A caller who is alone can use all slots but one, so that the first call of another
 * caller never waits; otherwise a quarter of them. Free slots go round-robin to waiting callers. A crowd gets one
 * while fewer than a quarter run, or every 20 ms.
 * @param now milliseconds
 * @param charge gets the processor time of each call, whenever it releases its slot
 */
export function createCallQueue(
  { atOnce, waitingPerCallerMax }: Bounds,
  now: () => number,
  charge: (caller: number, ms: number) => void = () => {},
): CallQueue {
  const aloneMax = Math.max(1, atOnce - 1)
  const sharedMax = Math.max(1, Math.floor(atOnce / 4))
  // Finding the next takes few steps: only callers with running calls can be at their limit.
  const queue = createFairQueue<() => void, number>()
  const waitingOf = createTally<number>()
  const runningOf = createTally<number>()
  let running = 0
  /** When the last waiting call began. */
  let followedAt = Number.NEGATIVE_INFINITY
  const presence = createActiveCallers<number>(now)
  const quiet = createIdleWait()
  const time = createSharedTime(processorMs)

  function mayRun(caller: number): boolean {
    if (running >= atOnce) return false
    return runningOf.get(caller) < (presence.hasCompany(caller) ? sharedMax : aloneMax)
  }

  /** A crowd beside other callers waits until few of them run, or until its interval is over. */
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
        // In a separate turn of the event loop, or one account's calls would all run in a single slot.
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

  /** Resolves at once, or in the caller's slot. */
  function take(caller: number, onGone?: OnGone): Promise<void> | undefined {
    presence.see(caller)
    if (waitingOf.get(caller) > 0 || !mayRun(caller)) return wait(caller, onGone)
    begin(caller)
    return undefined
  }

  async function runInSlot<T>(caller: number, call: () => Promise<T>, onGone?: OnGone): Promise<T> {
    const wait = take(caller, onGone)
    if (wait !== undefined) await wait
    let stop = time.begin()
    const slot: Slot = {
      state: 'running',
      charge: (ms) => charge(caller, ms),
      giveBack() {
        charge(caller, stop())
        giveBack(caller)
      },
      async takeAgain() {
        await take(caller)
        stop = time.begin()
        // The call may have failed meanwhile.
        if (slot.state === 'over') slot.giveBack()
        else slot.state = 'running'
      },
    }
    try {
      return await current.run(slot, call)
    } finally {
      end(slot)
    }
  }

  return {
    get waiting() {
      return queue.size
    },
    async run(caller, call, onGone) {
      if (waitingOf.get(caller) >= waitingPerCallerMax) throw new QueueFullError()
      return quiet.during(() => runInSlot(caller, call, onGone))
    },
    untilQuiet: quiet.until,
    asCall: quiet.during,
    running: quiet.running,
  }
}
