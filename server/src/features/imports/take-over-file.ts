import type { ImportReport } from '@loci/contract/imports'
import { getCounters } from '../../rows/counters.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { findImportByDigest } from './imports.repo.ts'
import { startImport } from './imports.service.ts'
import { openImportFile } from './open-import-file.ts'
import type { RunOptions } from './run-import.ts'

/** The outcome of turning a file into the memory. */
export type TakeOver = ImportReport | 'not_empty' | 'taken_before'

/** Imports a file into an empty memory, once. Resumes an interrupted import. Throws if the file cannot be read. */
export async function takeOverFile(
  ctx: Context,
  actor: Actor,
  path: string,
  options: RunOptions,
): Promise<TakeOver> {
  const file = await openImportFile(path)
  const before = (await findImportByDigest(ctx.db, actor, file.digest))?.progress.state
  const { entities } = await getCounters(ctx.db, actor)
  if (before === 'finished' || (before === undefined && entities > 0)) {
    await file.file.close()
    return before === 'finished' ? 'taken_before' : 'not_empty'
  }
  const { end } = await startImport(ctx, actor, file, options)
  return end
}
