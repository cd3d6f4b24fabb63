import type { EmbeddingsState, EmbeddingsStatus } from '@loci/contract/embeddings'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import {
  countWaiting,
  deleteRetired,
  findEmbedder,
  findProgress,
  type KnownEmbedder,
  listProgress,
  retireEmbedders,
} from '../../embeddings/embeddings.repo.ts'
import { embeddingsOf } from '../../embeddings/embeddings.ts'
import { toIso } from '../../lib/time.ts'
import type { Scope } from '../../scope.ts'
import { findIndexedSpace } from '../../search-index/search-index.repo.ts'

const spacesPerPage = 100
/** A lock that others wait for is held for a short time only. */
const idsPerDeletion = 5_000
/** Stands for an embedder that has made nothing yet. */
const noEmbedder = 0

/** How far the vectors of one memory are made. */
export async function getEmbeddingsStatus(ctx: Context, actor: Scope): Promise<EmbeddingsStatus> {
  return describe(ctx, async (known) => countTexts(ctx, actor, known))
}

/** The same of the whole database. */
export async function getTotalStatus(ctx: Context): Promise<EmbeddingsStatus> {
  return describe(ctx, async (known) => {
    const totals = { embedded: 0, waiting: 0 }
    for await (const space of allSpaces(ctx, known?.number ?? noEmbedder)) {
      const { embedded, waiting } = await countTexts(ctx, space, known)
      totals.embedded += embedded
      totals.waiting += waiting
    }
    return totals
  })
}

type Counts = { embedded: number; waiting: number }

async function describe(
  ctx: Context,
  count: (known: KnownEmbedder | undefined) => Promise<Counts>,
): Promise<EmbeddingsStatus> {
  const embeddings = embeddingsOf(ctx)
  if (embeddings === undefined) {
    return { state: 'off', model: null, dimensions: null, embedded: 0, waiting: 0, failure: null }
  }
  const { embedder, queries } = embeddings
  const known = await findEmbedder(ctx.db, embedder.identity)
  const counts = await count(known)
  const failure = known?.failure ?? queries.failure
  return {
    state: stateOf(counts, failure !== undefined),
    model: embedder.model,
    dimensions: known?.dimensions ?? null,
    ...counts,
    failure: failure === undefined ? null : { message: failure.message, at: toIso(failure.at) },
  }
}

function stateOf({ waiting }: Counts, hasFailed: boolean): EmbeddingsState {
  if (hasFailed) return 'unreachable'
  return waiting > 0 ? 'catching_up' : 'ready'
}

async function countTexts({ db }: Context, scope: Scope, known: KnownEmbedder | undefined): Promise<Counts> {
  const texts = (await findIndexedSpace(db, scope))?.passages ?? 0
  const progress = await findProgress(db, known?.number ?? noEmbedder, scope)
  const waiting = await countWaiting(db, scope, progress?.embeddedTo ?? 0)
  return { embedded: Math.max(0, texts - waiting), waiting }
}

/** Spaces that are behind are as many as this, or more: a look at the queue is to be cheap. */
const spacesCountedMax = 100

/** Texts that wait for their vectors, in the first spaces that are behind; 0 without an embedder. */
export async function countQueue(ctx: Context): Promise<number> {
  const embedder = embeddingsOf(ctx)?.embedder
  if (embedder === undefined) return 0
  const known = await findEmbedder(ctx.db, embedder.identity)
  let counted = 0
  let waiting = 0
  for await (const space of allSpaces(ctx, known?.number ?? noEmbedder)) {
    if (space.embeddedTo >= space.newest && space.gap === null) continue
    waiting += await countWaiting(ctx.db, space, space.embeddedTo)
    if (++counted === spacesCountedMax) break
  }
  return waiting
}

/** Forgets all vectors, of every embedder; a running server makes them anew. */
export async function forgetVectors(ctx: Context): Promise<void> {
  await transact(ctx, ({ db }) => retireEmbedders(db))
  for await (const space of allSpaces(ctx, noEmbedder)) {
    for (let above = 0; above < space.newest; above += idsPerDeletion) {
      await transact(ctx, ({ db }) => deleteRetired(db, space, { above, upTo: above + idsPerDeletion }))
    }
  }
}

async function* allSpaces({ db }: Context, embedder: number) {
  let after: Scope | undefined = { accountId: 0, spaceId: 0 }
  while (after !== undefined) {
    const page = await listProgress(db, embedder, after, spacesPerPage)
    yield* page
    after = page.length < spacesPerPage ? undefined : page.at(-1)
  }
}
