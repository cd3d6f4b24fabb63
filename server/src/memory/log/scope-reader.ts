import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Change } from '@loci/contract/changes'
import type { Logger } from 'pino'
import { oneAtATime } from '../../ground/lib/one-at-a-time.ts'
import { retryUntilDone } from '../../ground/lib/retry-until-done.ts'
import { changesDelivered } from '../../ground/telemetry/events.ts'
import type { Db } from '../../store/db.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { ChangeListener } from '../../tenancy/change-bus.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listChangesAfter } from './read-changes.ts'

export const changesPerPage = 200

type Subscription = ChangeListener & { seq: number }

type Outside = { db: Db; dialect: Dialect; log: Logger }

/**
 * Reads the change log of one scope for all its listeners. Each listener first catches up on its own;
 * from the end of the log on, one read serves all.
 */
export class ScopeReader {
  readonly scope: Scope
  #ctx: Outside
  #stop = new AbortController()
  #subscriptions = new Set<Subscription>()
  #live = new Set<Subscription>()
  /** Position of the shared read; no live listener is behind it. */
  #seq = 0

  constructor(ctx: Outside, scope: Scope) {
    this.#ctx = ctx
    this.scope = scope
  }

  /** True if there are no listeners; it can then be discarded. */
  get isIdle(): boolean {
    return this.#subscriptions.size === 0
  }

  /** Passes `listener` the changes after `seq`, until the returned function is called. */
  add(seq: number, listener: ChangeListener): () => void {
    const subscription = { ...listener, seq }
    this.#subscriptions.add(subscription)
    void this.#catchUp(subscription)
    return () => {
      this.#subscriptions.delete(subscription)
      this.#live.delete(subscription)
    }
  }

  /** Reads new changes now. */
  wake = oneAtATime(async () => {
    if (this.#live.size === 0) return
    const from = this.#seq
    const page = await this.#read(from)
    // A listener that was behind joined in the meantime: read again from there.
    if (this.#seq !== from) return void this.wake()
    const last = page.at(-1)
    if (last === undefined) return
    this.#seq = last.seq
    if (changesDelivered.isHeard) changesDelivered.publish({ at: last.at })
    await Promise.all([...this.#live].map((subscription) => this.#deliver(subscription, page)))
    if (page.length === changesPerPage) {
      await yieldToOthers()
      void this.wake()
    }
  })

  /** Reads new changes unless `seq` was already read. */
  wakeFor(seq: number): void {
    if (seq > this.#seq) void this.wake()
  }

  close(): void {
    this.#stop.abort()
    this.#subscriptions.clear()
    this.#live.clear()
  }

  async #catchUp(subscription: Subscription): Promise<void> {
    while (this.#subscriptions.has(subscription)) {
      if (this.#live.size > 0 && subscription.seq >= this.#seq) {
        this.#live.add(subscription)
        return
      }
      await subscription.ready?.()
      const page = await this.#read(subscription.seq)
      if (page.length === 0) return this.#join(subscription)
      await this.#deliver(subscription, page)
      await yieldToOthers()
    }
  }

  /** Makes a listener that reached the end a live one; changes committed since then are still to be read. */
  #join(subscription: Subscription): void {
    if (!this.#subscriptions.has(subscription)) return
    this.#seq = this.#live.size === 0 ? subscription.seq : Math.min(this.#seq, subscription.seq)
    this.#live.add(subscription)
    void this.wake()
  }

  async #read(seq: number): Promise<Change[]> {
    const page = await retryUntilDone(
      () => listChangesAfter(this.#ctx.db, this.scope, seq, changesPerPage),
      this.#stop.signal,
      (error) => this.#ctx.log.warn({ err: error }, 'The change log cannot be read; trying again'),
    )
    return page ?? []
  }

  async #deliver(subscription: Subscription, page: readonly Change[]): Promise<void> {
    if (!this.#subscriptions.has(subscription)) return
    const { seq } = subscription
    const fresh = page[0]!.seq > seq ? page : page.filter((change) => change.seq > seq)
    if (fresh.length === 0) return
    subscription.seq = fresh.at(-1)!.seq
    try {
      await subscription.receive(fresh)
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'A listener to changes failed')
    }
  }
}
