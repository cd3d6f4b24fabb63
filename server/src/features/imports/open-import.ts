import { once } from 'node:events'
import { type FileHandle, stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { JsonLine } from '@loci/contract/json-lines'
import { unlimited } from '@loci/contract/plans'
import { AppError } from '../../ground/errors/app-error.ts'
import { requireMemoryToImport } from '../../ground/memory-limit.ts'
import type { Context } from '../../tenancy/context.ts'
import { limitsInForce } from '../../tenancy/usage/plan-in-force.ts'
import { getPlan } from '../../tenancy/usage/usage.repo.ts'
import { type Conversion, type ConversionOrder, convert } from './convert.ts'
import type { ConversionOutcome } from './convert-thread.ts'
import { type ImportFile, openImportFile, openSpool, type SpoolPlace } from './open-import-file.ts'
import { sourceBytesMax } from './sources/source.ts'

/** A file ready for import, and the files that a folder or archive contributes nothing from. */
export type OpenImport = ImportFile & { skipped: readonly string[] }

/** Smaller files are converted by this thread, since starting another takes a while. An archive can hold far more. */
const threadFromBytes = 16 * 1024
/** Room for a few entries of the maximum length; a file that needs more is refused, and the server survives. */
const heapMb = 512
const headBytes = 64 * 1024

/** Opens a file or folder on this machine, whatever its format. */
export async function openPath(ctx: SpoolPlace, path: string): Promise<OpenImport> {
  const found = await stat(path)
  if (found.isDirectory()) return convertInto(ctx, { kind: 'folder', path })
  const areLines = /\.(?:jsonl|ndjson)$/i.test(path)
  const modifiedAt = found.mtime.toISOString()
  return openReceived(ctx, await openImportFile(path), { name: path, areLines, modifiedAt })
}

/** What the sender says of a file, and the bound of what an archive unpacks to. */
type Received = {
  name: string
  areLines: boolean
  unpackedBytesMax?: () => Promise<number>
  modifiedAt?: string
}

/**
 * Opens a received file: lines of our format, which are imported directly, or another export. `areLines` says that the
 * sender declared lines; the file is then read as lines if it matches nothing else and any of its first lines is ours.
 */
export async function openReceived(
  ctx: SpoolPlace,
  file: ImportFile,
  { name, areLines, unpackedBytesMax, modifiedAt }: Received,
): Promise<OpenImport> {
  const fd = file.file.fd
  try {
    requireMemoryToImport(file.bytes)
    const head = await readHead(file.file)
    if (file.bytes === 0 || hasKnownLine(head)) return { ...file, skipped: [] }
    const order = isArchive(head)
      ? ({ kind: 'archive', fd, bytesMax: (await unpackedBytesMax?.()) ?? sourceBytesMax } as const)
      : ({ kind: 'file', fd, bytes: file.bytes, name, modifiedAt } as const)
    const converted = await convertInto(ctx, order)
    await file.file.close()
    return converted
  } catch (error) {
    const isRefusal = error instanceof AppError && error.code === 'validation_failed'
    if (isRefusal && areLines && hasAnyKnownLine(await readHead(file.file))) return { ...file, skipped: [] }
    await file.file.close()
    throw error
  }
}

/** What the plan of an account stores at all. */
export async function unpackedBytesMaxOf(ctx: Context, accountId: number): Promise<number> {
  const { maxBytes } = limitsInForce(ctx.config, await getPlan(ctx.db, accountId))
  return maxBytes === unlimited ? sourceBytesMax : maxBytes
}

async function readHead(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** The signatures of a ZIP file and of an empty archive (APPNOTE 4.3.7, 4.3.16). */
const isArchive = (head: Buffer) => ['504b0304', '504b0506'].includes(head.toString('hex', 0, 4))

const ourTypes = new Set(['loci', 'entity', 'observations', 'relation'])

/** Whether a line is ours, even if it is damaged. */
function hasAnyKnownLine(head: Buffer): boolean {
  return head
    .toString()
    .split('\n')
    .some((line) => ourTypes.has(typeOf(line)))
}

function typeOf(line: string): string {
  // Of 65,000 empty lines each would take an exception.
  if (!line.includes('"type"')) return ''
  try {
    return String(JSON.parse(line).type)
  } catch {
    return ''
  }
}

function isKnownLine(line: string): boolean {
  try {
    return JsonLine.safeParse(JSON.parse(line)).success
  } catch {
    return false
  }
}

/** Whether the first line, as far as the head contains it, is one of ours. */
function hasKnownLine(head: Buffer): boolean {
  const text = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart()
  const [line = ''] = text.split('\n', 1)
  // A long entity line extends past the head.
  const isCut = head.length === headBytes && line === text
  return isKnownLine(line) || (isCut && /^\{\s*"type":\s*"(?:entity|observations)",/.test(text))
}

type Order = ConversionOrder extends infer O ? (O extends unknown ? Omit<O, 'target'> : never) : never

async function convertInto(ctx: SpoolPlace, order: Order): Promise<OpenImport> {
  const file = await openSpool(ctx)
  try {
    const whole = { ...order, target: file.fd } as ConversionOrder
    const isSmall = order.kind === 'file' && order.bytes < threadFromBytes
    const { bytes, digest, format, skipped } = await (isSmall ? convert(whole) : convertInThread(whole))
    requireMemoryToImport(bytes)
    return { file, bytes, digest, format, skipped }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function convertInThread(order: ConversionOrder): Promise<Conversion> {
  const worker = new Worker(new URL('./convert-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
  try {
    const [outcome] = (await once(worker, 'message')) as [ConversionOutcome]
    if ('conversion' in outcome) return outcome.conversion
    throw new AppError(outcome.refusal.code, outcome.refusal.message)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    throw new AppError('body_too_large', 'An entry of the file is too large', { cause: error })
  } finally {
    await worker.terminate()
  }
}
