import { setImmediate as nextTask } from 'node:timers/promises'
import { allPages } from '../ground/lib/all-pages.ts'
import { transact } from '../store/transact.ts'
import type { Context } from './context.ts'
import { endRotation } from './open-secret.ts'
import { listSealed, replaceSealed, type SealedRow, sealedColumns } from './sealed-columns.repo.ts'

const rowsPerStep = 200

type Kind = keyof typeof sealedColumns
const kinds = Object.keys(sealedColumns) as Kind[]

/**
 * Reseals secrets from LOCI_SECRET_OLD to the current one, in short transactions. Several processes can do so at once;
 * if one is killed, the next start finishes the rest. Returns in how many rows of each kind something was resealed.
 */
export async function resealSecrets(ctx: Context, signal: AbortSignal): Promise<Record<Kind, number>> {
  const counts = { personalKeys: 0, webhooks: 0, authenticators: 0, mails: 0 }
  for (const kind of kinds) counts[kind] = await resealKind(ctx, signal, sealedColumns[kind])
  if (!signal.aborted) await endRotation(ctx.config, ctx.db)
  return counts
}

async function resealKind(
  ctx: Context,
  signal: AbortSignal,
  place: (typeof sealedColumns)[Kind],
): Promise<number> {
  let count = 0
  for await (const page of allPages(rowsPerStep, (last?: SealedRow) =>
    listSealed(ctx.db, place, last, rowsPerStep),
  )) {
    if (signal.aborted) return count
    const outdated = page.flatMap((row) =>
      place.columns.flatMap((column) => {
        const sealed = row[column]
        const resealed = typeof sealed === 'string' ? ctx.secretBox.reseal(sealed) : undefined
        return resealed === undefined ? [] : [{ row, column, resealed }]
      }),
    )
    if (outdated.length > 0) {
      await transact(ctx, async ({ db }) => {
        for (const one of outdated) await replaceSealed(db, place, one)
      })
    }
    count += new Set(outdated.map(({ row }) => row)).size
    await nextTask()
  }
  return count
}
