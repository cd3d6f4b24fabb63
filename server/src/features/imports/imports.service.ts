import type { FileHandle } from 'node:fs/promises'
import { exportVersion, type ImportFormat, type ImportReport } from '@loci/contract/imports'
import { HeaderLine } from '@loci/contract/json-lines'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { parseJson } from '../../ground/lib/json.ts'
import { readLines } from '../../ground/lib/lines.ts'
import { minuteMs, toIso } from '../../ground/lib/time.ts'
import { findReviewing } from '../../memory/write/proposals/proposals.repo.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { importNotProposable, mustPropose } from '../../tenancy/auth/reviewing.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Progress, startOfFile, startOfImport } from './import-progress.ts'
import {
  claimImport,
  findImport,
  findImportByDigest,
  insertImport,
  reserveNumbers,
  type StoredImport,
} from './imports.repo.ts'
import type { ImportFile } from './open-import-file.ts'
import { type RunOptions, runImport } from './run-import.ts'

/** An import without progress for this long has lost its process. */
const silentMs = minuteMs
const headerBytesMax = 4_096
/** Most numbers that one file can use up. */
const numbersPerFileMax = 10_000_000

/** An import that this process is running: its state now, and its result. */
export type StartedImport = { report: ImportReport; end: Promise<ImportReport> }

/**
 * Starts to import a file, or resumes an earlier import of the same file; a finished one runs again and restores only
 * what has changed since. Closes the file at the end.
 */
export async function startImport(
  ctx: Context,
  actor: Actor,
  { file, ...seen }: ImportFile,
  options?: RunOptions,
): Promise<StartedImport> {
  const stored = await claim(ctx, actor, file, seen).catch(async (error) => {
    await file.close()
    throw error
  })
  const end = runImport(ctx, actor, stored, file, options)
    .then((progress) => toReport({ ...stored, progress, updatedAt: ctx.now() }))
    .finally(() => file.close())
  return { report: toReport(stored), end }
}

/** Throws `import_not_found`. */
export async function getImport(ctx: Context, actor: Actor, id: string): Promise<ImportReport> {
  const stored = await findImport(ctx.db, actor, id)
  if (stored === undefined) throw new AppError('import_not_found', 'Import not found')
  const isSilent = stored.progress.state === 'running' && ctx.now() - stored.updatedAt > silentMs
  return toReport(isSilent ? { ...stored, progress: { ...stored.progress, state: 'interrupted' } } : stored)
}

async function claim(
  ctx: Context,
  actor: Actor,
  file: FileHandle,
  { bytes, digest, format: given }: Omit<ImportFile, 'file'>,
): Promise<StoredImport> {
  const { format, nextNumber } = await formatOf({ file, ...(given === undefined ? {} : { format: given }) })
  return transact(ctx, async (inner) => {
    const { db, newId, now } = inner
    await lockAccount(db, actor.accountId)
    if (mustPropose(actor, await findReviewing(db, actor))) throw importNotProposable()
    const own = { runner: newId('run'), updatedAt: now() }
    const found = await findImportByDigest(db, actor, digest)
    if (found === undefined) {
      const createdAt = own.updatedAt
      const numbers = await reserveNumbers(db, actor, { end: nextNumber, max: numbersPerFileMax })
      const progress = { ...startOfImport, numbers }
      const stored = { ...own, id: newId('imp'), digest, format, bytes, progress, createdAt }
      await insertImport(db, actor, stored)
      await recordImport(inner, actor, stored)
      return stored
    }
    const progress: Progress =
      found.progress.state === 'finished' ? startOfImport : { ...found.progress, state: 'running' }
    const stored = { ...found, ...own, progress }
    await claimImport(db, actor, stored)
    await recordImport(inner, actor, stored)
    return stored
  })
}

function recordImport(ctx: Context, actor: Actor, { id, format, bytes }: StoredImport): Promise<void> {
  return recordAudit(ctx, actor, {
    action: 'data_imported',
    subject: { kind: 'import', id },
    details: { space: toId('spc', actor.spaceId), format, bytes },
  })
}

/** Files of our own format begin with a header. Throws `validation_failed` for a file from a newer version. */
export async function formatOf({
  file,
  format: given,
}: Pick<ImportFile, 'file' | 'format'>): Promise<{ format: ImportFormat; nextNumber: number }> {
  if (given !== undefined) return { format: given, nextNumber: 0 }
  for await (const { text } of readLines(file, startOfFile, headerBytesMax)) {
    const header = HeaderLine.safeParse(parseJson(text ?? ''))
    if (!header.success) break
    const { version, nextNumber = 0 } = header.data
    if (version <= exportVersion) return { format: 'loci', nextNumber }
    throw new AppError('validation_failed', 'The file was made by a newer version of Loci')
  }
  return { format: 'mcp-memory', nextNumber: 0 }
}

function toReport({ id, format, bytes, progress, createdAt, updatedAt }: StoredImport): ImportReport {
  const { state, pass, position, entities, observations, relations, problems } = progress
  return {
    id,
    format,
    state,
    entities,
    observations,
    relations,
    problems,
    pass,
    bytes,
    bytesDone: position.offset,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  }
}
