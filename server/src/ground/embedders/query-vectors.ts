import { setTimeout as sleep } from 'node:timers/promises'
import { secondMs } from '../lib/time.ts'
import type { Embedder } from './embedder.ts'

const keptMax = 1_000
const underWayMax = 8
const callTimeoutMs = 10 * secondMs
/** After a failure the embedder is not called for this long. */
const pauseMs = 5 * secondMs
/** After this many slow responses in a row, searches no longer wait, and a response only serves repeated questions. */
const slowMax = 3

/** Vectors of questions, cached because people and agents repeat them. Never makes a search wait long. */
export class QueryVectors {
  readonly #embedder: Embedder
  readonly #waitMs: number
  readonly #now: () => number
  readonly #kept = new Map<string, Float32Array>()
  readonly #underWay = new Map<string, Promise<Float32Array | undefined>>()
  #pausedUntil = 0
  #slow = 0
  /** Why the newest question has no vector; undefined if it has one. `at` in milliseconds. */
  failure: { message: string; at: number } | undefined

  constructor(embedder: Embedder, waitMs: number, now: () => number) {
    this.#embedder = embedder
    this.#now = now
    this.#waitMs = waitMs
  }

  /** Undefined if there is no valid response in time. Never throws. */
  async find(question: string): Promise<Float32Array | undefined> {
    const kept = this.#kept.get(question)
    if (kept !== undefined) {
      this.#keep(question, kept)
      return kept
    }
    const asked = this.#underWay.get(question) ?? this.#ask(question)
    if (asked === undefined || this.#slow >= slowMax) return undefined
    const stop = new AbortController()
    const late = sleep(this.#waitMs, 'late' as const, { signal: stop.signal }).catch(() => undefined)
    const first = await Promise.race([asked, late])
    stop.abort()
    if (first !== 'late') return first
    this.#slow += 1
    return undefined
  }

  #ask(question: string): Promise<Float32Array | undefined> | undefined {
    // The monotonic clock, since this measures waiting, not the time of stored data.
    if (performance.now() < this.#pausedUntil || this.#underWay.size >= underWayMax) return undefined
    const askedAt = performance.now()
    const asked = this.#embedder
      .embed([question], 'query', AbortSignal.timeout(callTimeoutMs))
      .then(
        ([vector]) => {
          this.failure = undefined
          if (performance.now() - askedAt < this.#waitMs) this.#slow = 0
          if (vector !== undefined) this.#keep(question, vector)
          return vector
        },
        (error: unknown) => {
          const message = error instanceof Error ? error.message : String(error)
          this.failure = { message, at: this.#now() }
          this.#pausedUntil = performance.now() + pauseMs
          return undefined
        },
      )
      .finally(() => this.#underWay.delete(question))
    this.#underWay.set(question, asked)
    return asked
  }

  #keep(question: string, vector: Float32Array): void {
    this.#kept.delete(question)
    this.#kept.set(question, vector)
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value!)
  }
}
