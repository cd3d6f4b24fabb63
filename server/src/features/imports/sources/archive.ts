import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../../ground/errors/app-error.ts'
import { isImportable, type Source, type SourceFile, sourceBytesMax, sourceFilesMax } from './source.ts'

/**
 * The files of a ZIP archive. Only the files that are read are unpacked, and none is written under its name in the
 * archive. Throws if the archive is damaged or encrypted, unpacks to more than `bytesMax` or far more than its own size,
 * has files that share their bytes, or names files outside itself.
 */
export async function sourceOfArchive(fd: number, bytesMax = sourceBytesMax): Promise<Source> {
  try {
    const archive = await fromFdPromise(fd, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
    return await listFiles(archive, Math.min(bytesMax, sourceBytesMax))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('validation_failed', `The archive cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
}

async function listFiles(archive: ZipFile, bytesMax: number): Promise<Source> {
  const entries: Entry[] = []
  let bytes = 0
  if (archive.entryCount > sourceFilesMax) {
    throw new AppError('body_too_large', 'The archive contains more than 200,000 files')
  }
  for await (const entry of archive.eachEntry()) {
    entries.push(entry)
    if (!isRead(entry)) continue
    if (entry.isEncrypted())
      throw new AppError('validation_failed', 'The archive is encrypted. Unpack it first.')
    requireModestRatio(entry.fileName, entry.uncompressedSize, entry.compressedSize)
    bytes += entry.uncompressedSize
    if (bytes > bytesMax) throw tooLarge(bytesMax)
  }
  requireApart(entries)
  requireModestRatio('The archive', bytes, archive.fileSize)
  const files = entries.filter(isRead).map((entry) => fileOf(archive, entry))
  files.sort((one, other) => (one.path < other.path ? -1 : 1))
  return { files, skipped: [] }
}

const isRead = ({ fileName }: Entry) => !fileName.endsWith('/') && isImportable(fileName)

function tooLarge(bytesMax: number): AppError {
  const limit =
    bytesMax === sourceBytesMax ? '1 GiB' : `${bytesMax / 1_000_000} MB, all that the plan stores,`
  return new AppError('body_too_large', `The archive is larger than ${limit} when unpacked`)
}

const fileOf = (archive: ZipFile, entry: Entry): SourceFile => ({
  path: entry.fileName,
  bytes: entry.uncompressedSize,
  modifiedAt: momentOf(entry),
  open: () => archive.openReadStreamPromise(entry),
})

/** Programs that do not know the time write the format's earliest, of 1980, or a date that is none. */
function momentOf(entry: Entry): string | undefined {
  const moment = entry.getLastModDate()
  return Number.isNaN(moment.getTime()) || moment.getFullYear() <= 1980 ? undefined : moment.toISOString()
}

/** Text is packed to about a tenth, seldom to a fiftieth. */
const ratioMax = 100
/** Up to here a text may repeat one word, and unpacking costs nothing. */
const repeatedBytesMax = 1024 ** 2

/** A local header without the name and what may follow it (APPNOTE 4.3.7). */
const headerBytes = 30

/** Throws if something unpacks to far more than it takes up, as only text made for that does. */
function requireModestRatio(what: string, unpacked: number, packed: number): void {
  if (unpacked <= repeatedBytesMax || unpacked <= packed * ratioMax) return
  const message = `${what} unpacks to more than ${ratioMax} times its size. Unpack the archive yourself and import the files.`
  throw new AppError('body_too_large', message)
}

/** Throws if two entries share bytes: a small archive could then unpack to any number of files. */
function requireApart(entries: readonly Entry[]): void {
  const inOrder = entries.toSorted((one, other) => startOf(one) - startOf(other))
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1]
    if (next === undefined || startOf(entry) + headerBytes + entry.compressedSize <= startOf(next)) continue
    const message = `The archive is damaged or was made to do harm: ${entry.fileName} and ${next.fileName} overlap`
    throw new AppError('validation_failed', message)
  }
}

const startOf = (entry: Entry) => entry.relativeOffsetOfLocalHeader
