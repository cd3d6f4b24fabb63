import type { EmbeddingsState, EmbeddingsStatus } from '@loci/contract/embeddings'
import { toIso } from '../../ground/lib/time.ts'
import {
  countPassagesToEmbed,
  findEmbedder,
  findProgress,
  type KnownEmbedder,
} from '../../search/meaning/embeddings.repo.ts'
import { allSpaces, noEmbedder } from '../../search/meaning/forget-vectors.ts'
import { findIndexedSpace } from '../../search/store/search-index.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Progress of the vectors of one memory. */
export async function getEmbeddingsStatus(ctx: Context, actor: Scope): Promise<EmbeddingsStatus> {
  return describe(ctx, async (known) => countTexts(ctx, actor, known))
}

/** Progress of the vectors in the whole database. */
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
  const embeddings = ctx.embeddings.current
  if (embeddings === undefined) {
    const state = ctx.config.hasWordVectors ? 'built_in' : 'off'
    return { state, model: null, dimensions: null, embedded: 0, waiting: 0, failure: null }
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
  const waiting = await countPassagesToEmbed(db, scope, progress?.embeddedTo ?? 0)
  return { embedded: Math.max(0, texts - waiting), waiting }
}

/** Counting stops after this many spaces that are behind, to stay cheap. */
const spacesCountedMax = 100

/** Texts waiting for their vectors, in the first spaces that are behind; 0 without an embedder. */
export async function countQueue(ctx: Context): Promise<number> {
  const embedder = ctx.embeddings.current?.embedder
  if (embedder === undefined) return 0
  const known = await findEmbedder(ctx.db, embedder.identity)
  let counted = 0
  let waiting = 0
  for await (const space of allSpaces(ctx, known?.number ?? noEmbedder)) {
    if (space.embeddedTo >= space.newest && space.gap === null) continue
    waiting += await countPassagesToEmbed(ctx.db, space, space.embeddedTo)
    if (++counted === spacesCountedMax) break
  }
  return waiting
}
