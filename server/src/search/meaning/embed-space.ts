import { type Embedder, EmbedderError } from '../../ground/embedders/embedder.ts'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { toId } from '../../ground/lib/ids.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { type Lease, LeaseLost } from '../../tenancy/leases/lease.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { toPassageTexts } from '../analyse/passages.ts'
import { deleteVectorGaps, settleVectorGaps } from '../store/vector-gaps.repo.ts'
import { vectorsOf } from '../store/vectors-of.ts'
import {
  deleteOthers,
  type KnownEmbedder,
  listGaps,
  listPassagesAbove,
  type SpaceProgress,
  setDimensions,
  setProgress,
  type WaitingPassage,
} from './embeddings.repo.ts'

export type Job = { ctx: Context; embedder: Embedder; known: KnownEmbedder; signal: AbortSignal }

type Text = { passageId: number; text: string }
type Vector = { passageId: number; vector: Float32Array }

/** After this many, other spaces have their turn. */
const batchesPerTurn = 20

/** Computes vectors for the next passages of a space; returns whether there are more. */
export async function embedSpace(job: Job, space: SpaceProgress, lease: Lease): Promise<boolean> {
  const batch = job.embedder.textsPerCall * job.embedder.callsAtOnce
  let { embeddedTo, gap } = space
  for (let turn = 0; turn < batchesPerTurn; turn++) {
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
  const partsOf = new Map(observations.map(({ id, content }) => [id, toPassageTexts(content)]))
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
