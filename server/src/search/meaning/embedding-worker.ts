import { type Embedder, EmbedderError } from '../../ground/embedders/embedder.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { toId } from '../../ground/lib/ids.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Follower, startFollower } from '../../tenancy/leases/follower.ts'
import { type Lease, LeaseLost } from '../../tenancy/leases/lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { passageTextsOf } from '../analyse/analyse-in-thread.ts'
import { deleteVectorGaps, settleVectorGaps } from '../store/vector-gaps.repo.ts'
import { vectorsOf } from '../store/vectors-of.ts'
import {
  deleteOthers,
  enterEmbedder,
  findEmbedder,
  findNewestNumber,
  type KnownEmbedder,
  listGaps,
  listPassagesAbove,
  listProgress,
  type SpaceProgress,
  setDimensions,
  setFailure,
  setProgress,
  type WaitingPassage,
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
      behind: (lease, accountIds) => this.#spacesToEmbed(lease, accountIds),
      catchUp: (space, lease, signal) => this.#embed(space, lease, signal),
      onIdle: (lease, signal) => this.#probe(lease, signal),
      onFailure: (error, failures) => this.#fail(error, failures),
    })
  }

  async *#spacesToEmbed(
    lease: Lease,
    accountIds: readonly number[] | undefined,
  ): AsyncGenerator<SpaceToEmbed, void> {
    const known = await this.#enter(lease)
    this.#known = known
    if (known === undefined) return
    for await (const progress of spacesToDo(this.#ctx, known.number, accountIds)) yield { known, progress }
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
async function* spacesToDo(
  { db }: Context,
  embedder: number,
  accountIds: readonly number[] | undefined,
): AsyncGenerator<SpaceProgress, void> {
  let after: Scope | undefined = { accountId: 0, spaceId: 0 }
  while (after !== undefined) {
    const page: SpaceProgress[] = await listProgress(db, embedder, after, spacesPerPage, accountIds)
    for (const space of page) if (space.embeddedTo < space.newest || space.gap !== null) yield space
    after = page.length < spacesPerPage ? undefined : page.at(-1)
  }
}

type Job = { ctx: Context; embedder: Embedder; known: KnownEmbedder; signal: AbortSignal }

type Text = { passageId: number; text: string }
type Vector = { passageId: number; vector: Float32Array }

/** After this many, other spaces have their turn. */
const batchesPerRound = 20

/** Computes vectors for the next passages of a space; returns whether there are more. */
async function embedSpace(job: Job, space: SpaceProgress, lease: Lease): Promise<boolean> {
  const batch = job.embedder.textsPerCall * job.embedder.callsAtOnce
  let { embeddedTo, gap } = space
  for (let round = 0; round < batchesPerRound; round++) {
    if (job.signal.aborted) return true
    if (gap !== null) {
      if (await fillGaps(job, space, embeddedTo, batch, lease)) gap = null
      continue
    }
    const passages = await listPassagesAbove(job.ctx.db, space, embeddedTo, batch)
    const isEnd = passages.length < batch
    const last = passages.at(-1)?.id ?? embeddedTo
    const range = { above: embeddedTo, upTo: isEnd ? Math.max(space.newest, last) : last }
    await store(job, space, await embedPassages(job, space, passages), range, lease)
    if (isEnd) return false
    embeddedTo = last
  }
  return true
}

/** Computes vectors for some gaps; returns whether these were all. */
async function fillGaps(
  job: Job,
  scope: Scope,
  embeddedTo: number,
  limit: number,
  lease: Lease,
): Promise<boolean> {
  const { db } = job.ctx
  const { passages, gone } = await listGaps(db, scope, limit)
  const range = { above: embeddedTo, upTo: embeddedTo }
  await store(job, scope, await embedPassages(job, scope, passages), range, lease)
  await deleteVectorGaps(db, scope, gone)
  return passages.length + gone.length < limit
}

type Embedded = { passages: readonly WaitingPassage[]; vectors: Vector[] }

/** Computes vectors of passages as written. Numbers of entity names have no observation and are skipped. */
async function embedPassages(job: Job, scope: Scope, passages: readonly WaitingPassage[]): Promise<Embedded> {
  const { db } = job.ctx
  const ids = [...new Set(passages.map(({ observationId }) => toId('obs', observationId)))]
  const observations = await findObservations(db, scope, ids)
  const partsOf = new Map<string, string[]>()
  for (const { id, content } of observations) {
    await breathe()
    partsOf.set(id, await passageTextsOf(content))
  }
  const texts = passages.flatMap(({ id, observationId, part }): Text[] => {
    const text = partsOf.get(toId('obs', observationId))?.[part] ?? ''
    return text === '' ? [] : [{ passageId: id, text }]
  })
  return { passages, vectors: await embedAll(job, texts) }
}

async function embedAll(job: Job, texts: readonly Text[]): Promise<Vector[]> {
  const calls = chunksOf(texts, job.embedder.textsPerCall)
  const vectors = (await Promise.all(calls.map((some) => embedOrSkip(job, some)))).flat()
  const size = job.known.dimensions ?? vectors[0]?.vector.length
  const other = vectors.find(({ vector }) => vector.length !== size)
  if (other === undefined) return vectors
  throw new EmbedderError(
    `The embedder answered ${other.vector.length} dimensions, earlier ones had ${size}. If it runs another model now: loci embeddings rebuild`,
  )
}

/** Skips a text that the embedder refuses, since it would block all later ones. */
async function embedOrSkip(job: Job, texts: readonly Text[]): Promise<Vector[]> {
  try {
    return await embed(job, texts)
  } catch (error) {
    if (!(error instanceof EmbedderError) || !error.isRefusal) throw error
    if (texts.length > 1) {
      const halves = chunksOf(texts, Math.ceil(texts.length / 2))
      return (await Promise.all(halves.map((half) => embedOrSkip(job, half)))).flat()
    }
    // If even a trivial text is refused, the embedder is misconfigured.
    await job.embedder.embed(['test'], 'passage', job.signal)
    job.ctx.log.warn({ err: error }, 'the embedder refused a text; it is left without a vector')
    return []
  }
}

async function embed({ embedder, signal }: Job, texts: readonly Text[]): Promise<Vector[]> {
  const contents = texts.map(({ text }) => text)
  const vectors = await embedder.embed(contents, 'passage', signal)
  return vectors.map((vector, index) => ({ passageId: texts[index]!.passageId, vector }))
}

/** One transaction: stores the vectors and the progress of the space, and deletes the vectors of older embedders. */
async function store(
  { ctx, known }: Job,
  scope: Scope,
  { passages, vectors }: Embedded,
  range: { above: number; upTo: number },
  lease: Lease,
): Promise<void> {
  const dimensions = known.dimensions ?? vectors[0]?.vector.length
  await transact(ctx, async ({ db, dialect }) => {
    if (!(await lease.hold(db))) throw new LeaseLost()
    if (!(await setProgress(db, known.number, scope, range.upTo))) throw new LeaseLost()
    if (known.dimensions === undefined && dimensions !== undefined) {
      await setDimensions(db, known.number, dimensions)
    }
    const { accountId, spaceId } = scope
    const { number: embedder, isNative } = known
    if (vectors.length > 0) {
      await vectorsOf(dialect).store(db, { accountId, spaceId, embedder, isNative }, vectors)
    }
    await deleteOthers(db, embedder, scope, range)
    await settleVectorGaps(db, scope, passages)
  })
  known.dimensions = dimensions
}
