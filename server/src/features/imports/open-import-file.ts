import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportFormat } from '@loci/contract/imports'
import { importBytesMax } from '@loci/contract/imports'
import { ensureDataDir } from '../../ground/data-dir.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { minuteMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'

/** An open file to import; the digest tells whether it was seen before. */
export type ImportFile = {
  file: FileHandle
  bytes: number
  /** SHA-256, hex. */
  digest: string
  /** Undefined: detect the format from the lines. */
  format?: ImportFormat
}

/** Opens a file for reading. Throws for anything else: opening a named pipe would block until somebody writes to it. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if ((await file.stat()).isFile()) return file
  const isDirectory = (await file.stat()).isDirectory()
  await file.close()
  throw new Error(`it is ${isDirectory ? 'a directory' : 'no regular file'}`)
}

/** Opens a file of JSON lines on this machine. */
export async function openImportFile(path: string): Promise<ImportFile> {
  const file = await openRegularFile(path)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { file, bytes, digest: hash.digest('hex') }
}

/** Where files are spooled. */
export type SpoolPlace = Pick<Context, 'newId'> & { config: Pick<Context['config'], 'dataDir'> }

/** Creates an empty file without a name in the data directory: it disappears when it is closed or the process dies. */
export async function openSpool(ctx: SpoolPlace): Promise<FileHandle> {
  ensureDataDir(ctx.config.dataDir)
  const path = join(ctx.config.dataDir, `${ctx.newId('spool')}.jsonl`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** Writes a stream into such a file. Throws `body_too_large`. */
export async function spool(ctx: Context, source: AsyncIterable<Buffer | string>): Promise<ImportFile> {
  const file = await openSpool(ctx)
  try {
    return { file, ...(await writeAll(file, source)) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeAll(file: FileHandle, source: AsyncIterable<Buffer | string>) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of source) {
    const data = typeof piece === 'string' ? Buffer.from(piece) : piece
    bytes += data.length
    if (bytes > importBytesMax)
      throw new AppError('body_too_large', `The file is larger than ${importBytesMax} bytes`)
    hash.update(data)
    await file.write(data)
  }
  return { bytes, digest: hash.digest('hex') }
}

const spoolName = /^spool_\w+\.jsonl$/
/** A file has a name only between opening and unlinking it. */
const spoolNamedMs = minuteMs

/** Deletes files left behind by a process that was killed between the two. */
export async function removeAbandonedSpools(dataDir: string): Promise<void> {
  const now = Date.now()
  for (const name of (await readdir(dataDir)).filter((name) => spoolName.test(name))) {
    const path = join(dataDir, name)
    const madeAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? now
    if (now - madeAt > spoolNamedMs) await rm(path, { force: true })
  }
}
