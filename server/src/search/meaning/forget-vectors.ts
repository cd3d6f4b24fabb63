import { allPages } from '../../ground/lib/all-pages.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { deleteRetired, listProgress, retireEmbedders } from './embeddings.repo.ts'

const spacesPerPage = 100
/** Small batches, since others wait for the lock. */
const idsPerDeletion = 5_000
/** Number of no embedder. */
export const noEmbedder = 0

/** Deletes the vectors of all embedders; a server with an embedder computes them again. */
export async function forgetVectors(ctx: Context): Promise<void> {
  await transact(ctx, ({ db }) => retireEmbedders(db))
  for await (const space of allSpaces(ctx, noEmbedder)) {
    for (let above = 0; above < space.newest; above += idsPerDeletion) {
      await transact(ctx, ({ db }) => deleteRetired(db, space, { above, upTo: above + idsPerDeletion }))
    }
  }
}

/** The progress of an embedder, space by space. */
export async function* allSpaces({ db }: Pick<Context, 'db'>, embedder: number) {
  const list = (last: Scope = { accountId: 0, spaceId: 0 }) => listProgress(db, embedder, last, spacesPerPage)
  for await (const page of allPages(spacesPerPage, list)) yield* page
}
