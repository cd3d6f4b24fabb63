import { type Embedder, EmbedderError } from '../../ground/embedders/embedder.ts'
import { secondMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Follower, startFollower } from '../../tenancy/leases/follower.ts'
import type { Lease } from '../../tenancy/leases/lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { vectorsOf } from '../store/vectors-of.ts'
import { embedSpace } from './embed-space.ts'
import {
  enterEmbedder,
  findEmbedder,
  findNewestNumber,
  type KnownEmbedder,
  listProgress,
  type SpaceProgress,
  setFailure,
} from './embeddings.repo.ts'

/** Longer than the longest call of an embedder. */
const leaseMs = 90 * secondMs
const spacesPerPage = 1_000

export type WorkerOptions = {
  /** Pause between two checks for passages without vectors. */
  restMs?: number
}

/** A space with passages to embed, and the current embedder. */
type SpaceToEmbed = { known: KnownEmbedder; progress: SpaceProgress }

/**
 * Computes vectors in the background. Passages get increasing numbers, so pending passages are those above the number
 * that a space has reached, plus the gaps that writes record when an older passage changes.
 */
export class EmbeddingWorker {
  readonly #ctx: Context
  readonly #embedder: Embedder
  readonly #restMs: number | undefined
  #follower: Follower | undefined
  #hasEntered = false
  /** Our embedder as the database knows it; undefined while another one is in use. */
  #known: KnownEmbedder | undefined

  constructor(ctx: Context, embedder: Embedder, { restMs }: WorkerOptions = {}) {
    this.#ctx = ctx
    this.#embedder = embedder
    this.#restMs = restMs
  }

  start(): void {
    this.#follower = startFollower<SpaceToEmbed>(this.#ctx, {
      name: 'embeddings',
      leaseMs,
      restMs: this.#restMs,
      behind: (lease) => this.#spacesToEmbed(lease),
      catchUp: (space, lease, signal) => this.#embed(space, lease, signal),
      onIdle: (lease, signal) => this.#probe(lease, signal),
      onFailure: (error, failures) => this.#fail(error, failures),
    })
  }

  async *#spacesToEmbed(lease: Lease): AsyncGenerator<SpaceToEmbed, void> {
    const known = await this.#enter(lease)
    this.#known = known
    if (known === undefined) return
    for await (const progress of spacesToDo(this.#ctx, known.number)) yield { known, progress }
  }

  async #embed({ known, progress }: SpaceToEmbed, lease: Lease, signal: AbortSignal): Promise<boolean> {
    const job = { ctx: this.#ctx, embedder: this.#embedder, known, signal }
    const hasMore = await embedSpace(job, progress, lease)
    await this.#clearFailure(known)
    return hasMore
  }

  /**
   * The text that could not be embedded may have been deleted; then only this probe notices that the embedder works
   * again.
   */
  async #probe(lease: Lease, signal: AbortSignal): Promise<void> {
    const known = this.#known
    if (known?.failure === undefined || !(await lease.hold())) return
    await this.#embedder.embed(['test'], 'passage', signal)
    await this.#clearFailure(known)
  }

  /**
   * The database's record of our embedder; undefined while it is not our turn. The embedder configured last is the
   * newest: a process with another one waits, or the two would replace each other's vectors forever.
   */
  async #enter(lease: Lease): Promise<KnownEmbedder | undefined> {
    const { db, dialect } = this.#ctx
    const { identity } = this.#embedder
    const known = await findEmbedder(db, identity)
    const isNewest = known !== undefined && known.number === (await findNewestNumber(db))
    if (!isNewest) {
      if ((known !== undefined && this.#hasEntered) || !(await lease.hold())) return undefined
      await enterEmbedder(db, identity, await vectorsOf(dialect).prepare(db))
    }
    this.#hasEntered = true
    return isNewest ? known : findEmbedder(db, identity)
  }

  async #clearFailure(known: KnownEmbedder): Promise<void> {
    if (known.failure === undefined) return
    await setFailure(this.#ctx.db, known.number, undefined)
    known.failure = undefined
    this.#ctx.log.info('the embedder answers again')
  }

  async #fail(error: unknown, failures: number): Promise<number | undefined> {
    const { db, log, now } = this.#ctx
    if (failures === 1)
      log.warn({ err: error }, 'vectors cannot be computed; search uses words only, trying again')
    if (!(error instanceof EmbedderError)) return undefined
    const failure = { message: error.message, at: now() }
    const known = await findEmbedder(db, this.#embedder.identity).catch(() => undefined)
    if (known !== undefined) await setFailure(db, known.number, failure).catch(() => {})
    return error.retryAfterMs
  }

  /** Aborts the current call and releases the lease. */
  async close(): Promise<void> {
    await this.#follower?.close()
  }
}

/** Spaces with passages above their progress, or gaps below it. */
async function* spacesToDo({ db }: Context, embedder: number): AsyncGenerator<SpaceProgress, void> {
  let after: Scope | undefined = { accountId: 0, spaceId: 0 }
  while (after !== undefined) {
    const page: SpaceProgress[] = await listProgress(db, embedder, after, spacesPerPage)
    for (const space of page) if (space.embeddedTo < space.newest || space.gap !== null) yield space
    after = page.length < spacesPerPage ? undefined : page.at(-1)
  }
}
