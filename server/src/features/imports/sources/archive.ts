import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../../errors/app-error.ts'
import { isImportable, type Source, type SourceFile, sourceBytesMax, sourceFilesMax } from './source.ts'

/**
 * The files of a ZIP archive. Only the files that are read are unpacked, and none is written under its name in the
 * archive. Throws if the archive is damaged or encrypted, unpacks to too much or names files outside itself.
 */
export async function sourceOfArchive(fd: number): Promise<Source> {
  try {
    const archive = await fromFdPromise(fd, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
    return await listFiles(archive)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('validation_failed', `The archive cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
}

async function listFiles(archive: ZipFile): Promise<Source> {
  const files: SourceFile[] = []
  let bytes = 0
  if (archive.entryCount > sourceFilesMax) {
    throw new AppError('body_too_large', 'The archive contains more than 200,000 files')
  }
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/') || !isImportable(entry.fileName)) continue
    if (entry.isEncrypted())
      throw new AppError('validation_failed', 'The archive is encrypted. Unpack it first.')
    bytes += entry.uncompressedSize
    if (bytes > sourceBytesMax) {
      throw new AppError('body_too_large', 'The archive is larger than 1 GiB when unpacked')
    }
    files.push(fileOf(archive, entry))
  }
  files.sort((one, other) => (one.path < other.path ? -1 : 1))
  return { files, skipped: [] }
}

const fileOf = (archive: ZipFile, entry: Entry): SourceFile => ({
  path: entry.fileName,
  bytes: entry.uncompressedSize,
  open: () => archive.openReadStreamPromise(entry),
})
