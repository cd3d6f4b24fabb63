import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { releaseLease, takeLease } from '../leases/leases.repo.ts'
import { minuteMs, secondMs } from '../lib/time.ts'
import { embedSpace, LeaseLost } from './embed-space.ts'
import { type Embedder, EmbedderError } from './embedder.ts'
import {
  enterEmbedder,
  findEmbedder,
  findNewestNumber,
  type KnownEmbedder,
  listProgress,
  type SpaceProgress,
  setFailure,
} from './embeddings.repo.ts'

const leaseName = 'embeddings'
/** Longer than the longest call of an embedder. */
const leaseMs = 90 * secondMs
const spacesPerPage = 1_000
const retryMinMs = secondMs
const retryMaxMs = minuteMs

export type WorkerOptions = {
  /** Rest between two looks for passages without vectors. */
  restMs?: number
}

/**
 * Makes vectors of what is stored, behind the writes, which know nothing of it: passages get growing ids, so what is
 * to do is all above the id that a space has come to. One process at a time does it; another takes over when its
 * lease has run out.
 */
export class EmbeddingWorker {
  readonly #ctx: Context
  readonly #embedder: Embedder
  readonly #holder = randomUUID()
  readonly #stop = new AbortController()
  readonly #restMs: number
  #running: Promise<void> = Promise.resolve()
  #failures = 0
  #hasEntered = false

  constructor(ctx: Context, embedder: Embedder, { restMs = secondMs }: WorkerOptions = {}) {
    this.#ctx = ctx
    this.#embedder = embedder
    this.#restMs = restMs
  }

  start(): void {
    this.#running = this.#run()
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const restMs = await this.#round().catch((error) => this.#fail(error))
      await sleep(restMs, undefined, { signal: this.#stop.signal }).catch(() => {})
    }
  }

  /** Looks at every space once; answers how long to rest. Writes nothing where there is nothing to do. */
  async #round(): Promise<number> {
    const startedAt = performance.now()
    const known = await this.#enter()
    if (known === undefined) return this.#restMs
    let hasMore = false
    let isIdle = true
    for await (const space of spacesToDo(this.#ctx, known.number)) {
      if (this.#stop.signal.aborted || !(await this.#holdLease())) return this.#restMs
      isIdle = false
      const job = { ctx: this.#ctx, embedder: this.#embedder, known, signal: this.#stop.signal }
      if (await embedSpace(job, space, (db) => this.#holdLease(db))) hasMore = true
      await this.#succeed(known)
    }
    if (isIdle && known.failure !== undefined) await this.#probe(known)
    if (!isIdle) return hasMore ? 0 : this.#restMs
    // Where there are very many spaces, looking at them all gets a tenth of the time.
    return Math.max(this.#restMs, (performance.now() - startedAt) * 9)
  }

  /** The text that could not be embedded may be gone: then nothing else would tell that the embedder is back. */
  async #probe(known: KnownEmbedder): Promise<void> {
    if (!(await this.#holdLease())) return
    await this.#embedder.embed(['test'], 'passage', this.#stop.signal)
    await this.#succeed(known)
  }

  async #holdLease(db = this.#ctx.db): Promise<boolean> {
    const now = this.#ctx.now()
    return takeLease(db, leaseName, this.#holder, { now, expiresAt: now + leaseMs })
  }

  /**
   * What the database knows of our embedder; undefined while it is not our turn. The one that was configured last is
   * the newest: a process with another stands back, or the two would replace each other's vectors for ever.
   */
  async #enter(): Promise<KnownEmbedder | undefined> {
    const { db, dialect } = this.#ctx
    const { identity } = this.#embedder
    const known = await findEmbedder(db, identity)
    const isNewest = known !== undefined && known.number === (await findNewestNumber(db))
    if (!isNewest) {
      if ((known !== undefined && this.#hasEntered) || !(await this.#holdLease())) return undefined
      await enterEmbedder(db, identity, await dialect.vectors.prepare(db))
    }
    this.#hasEntered = true
    return isNewest ? known : findEmbedder(db, identity)
  }

  async #succeed(known: KnownEmbedder): Promise<void> {
    this.#failures = 0
    if (known.failure === undefined) return
    await setFailure(this.#ctx.db, known.number, undefined)
    known.failure = undefined
    this.#ctx.log.info('the embedder answers again')
  }

  async #fail(error: unknown): Promise<number> {
    if (this.#stop.signal.aborted || error instanceof LeaseLost) return this.#restMs
    const { db, log, now } = this.#ctx
    this.#failures += 1
    if (this.#failures === 1)
      log.warn({ err: error }, 'no vectors can be made; search goes by words, trying again')
    if (!(error instanceof EmbedderError)) return backOffMs(this.#failures)
    const failure = { message: error.message, at: now() }
    const known = await findEmbedder(db, this.#embedder.identity).catch(() => undefined)
    if (known !== undefined) await setFailure(db, known.number, failure).catch(() => {})
    return Math.min(retryMaxMs, Math.max(backOffMs(this.#failures), error.retryAfterMs ?? 0))
  }

  /** Ends the call under way and gives the lease back. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await releaseLease(this.#ctx.db, leaseName, this.#holder).catch(() => {})
  }
}

/** Spaces with passages above what they have come to. */
async function* spacesToDo({ db }: Context, embedder: number): AsyncGenerator<SpaceProgress, void> {
  let after: Scope | undefined = { accountId: '', spaceId: '' }
  while (after !== undefined) {
    const page: SpaceProgress[] = await listProgress(db, embedder, after, spacesPerPage)
    for (const space of page) if (space.embeddedTo < space.newest) yield space
    after = page.length < spacesPerPage ? undefined : page.at(-1)
  }
}

const backOffMs = (failures: number) => Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(failures - 1, 10))
