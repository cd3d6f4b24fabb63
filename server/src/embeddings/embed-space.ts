import type { Scope } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { findObservations } from '../graph/observations.repo.ts'
import { type Lease, LeaseLost } from '../leases/lease.ts'
import { chunksOf } from '../lib/chunks.ts'
import { toPassageTexts } from '../search-index/passages.ts'
import { type Embedder, EmbedderError } from './embedder.ts'
import {
  deleteOthers,
  type KnownEmbedder,
  listPassagesAbove,
  type SpaceProgress,
  setDimensions,
  setProgress,
} from './embeddings.repo.ts'

export type Job = { ctx: Context; embedder: Embedder; known: KnownEmbedder; signal: AbortSignal }

type Text = { passageId: number; text: string }
type Vector = { passageId: number; vector: Float32Array }

/** Then other spaces have their turn. */
const batchesPerTurn = 20

/** Makes vectors for the next passages of a space; answers whether there are more. */
export async function embedSpace(job: Job, space: SpaceProgress, lease: Lease): Promise<boolean> {
  const batch = job.embedder.textsPerCall * job.embedder.callsAtOnce
  let above = space.embeddedTo
  for (let turn = 0; turn < batchesPerTurn; turn++) {
    if (job.signal.aborted) return true
    const { texts, last, isEnd } = await readTexts(job.ctx, space, above, batch)
    const vectors = await embedAll(job, texts)
    await store(job, space, vectors, { above, upTo: isEnd ? Math.max(space.newest, last) : last }, lease)
    if (isEnd) return false
    above = last
  }
  return true
}

/** The next passages after `above` as they were written, without the names among them. */
async function readTexts({ db, dialect }: Context, scope: Scope, above: number, limit: number) {
  const passages = await listPassagesAbove(db, scope, above, limit)
  const ids = [...new Set(passages.map(({ observationId }) => observationId))]
  const observations = await findObservations(db, dialect, scope, ids)
  const partsOf = new Map(observations.map(({ id, content }) => [id, toPassageTexts(content)]))
  const texts = passages.flatMap(({ id, observationId, part }): Text[] => {
    const text = partsOf.get(observationId)?.[part] ?? ''
    return text === '' ? [] : [{ passageId: id, text }]
  })
  return { texts, last: passages.at(-1)?.id ?? above, isEnd: passages.length < limit }
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

/** A text that the embedder refuses is left out, since it would be in the way of all that come after it. */
async function embedOrSkip(job: Job, texts: readonly Text[]): Promise<Vector[]> {
  try {
    return await embed(job, texts)
  } catch (error) {
    if (!(error instanceof EmbedderError) || !error.isRefusal) throw error
    if (texts.length > 1) {
      const halves = chunksOf(texts, Math.ceil(texts.length / 2))
      return (await Promise.all(halves.map((half) => embedOrSkip(job, half)))).flat()
    }
    // What refuses anything is set up wrongly.
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

/** One transaction: the vectors, how far the space has come, and the end of what older embedders made. */
async function store(
  { ctx, known }: Job,
  scope: Scope,
  vectors: readonly Vector[],
  range: { above: number; upTo: number },
  lease: Lease,
): Promise<void> {
  const dimensions = known.dimensions ?? vectors[0]?.vector.length
  await transact(ctx, async ({ db, dialect }) => {
    if (!(await lease.hold(db))) throw new LeaseLost()
    if (!(await setProgress(db, dialect, known.number, scope, range.upTo))) throw new LeaseLost()
    if (known.dimensions === undefined && dimensions !== undefined) {
      await setDimensions(db, known.number, dimensions)
    }
    const { accountId, spaceId } = scope
    const { number: embedder, isNative } = known
    if (vectors.length > 0) {
      await dialect.vectors.store(db, { accountId, spaceId, embedder, isNative }, vectors)
    }
    await deleteOthers(db, embedder, scope, range)
  })
  known.dimensions = dimensions
}
