import { read } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { AppError } from '../../../ground/errors/app-error.ts'
import { openRegularFile } from '../open-import-file.ts'
import {
  isImportable,
  isNote,
  type Source,
  type SourceFile,
  sourceBytesMax,
  sourceFilesMax,
} from './source.ts'

const readAt = promisify(read)
const pieceBytes = 64 * 1024

/**
 * The files of a folder, in a stable order. Links are not followed: they can lead out of the folder, to files not meant
 * for import. Links and anything else that is not a file are `skipped`.
 */
export async function sourceOfFolder(path: string): Promise<Source> {
  const files: SourceFile[] = []
  const skipped: string[] = []
  const folders = ['']
  let bytes = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = `${folder}${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) folders.push(`${name}/`)
      else if (entry.isFile() && isImportable(name)) {
        const file = await sourceFileAt(join(path, name), name)
        bytes += file.bytes
        files.push(file)
      } else if (entry.isSymbolicLink() || isNote(name)) skipped.push(name)
      if (files.length > sourceFilesMax || bytes > sourceBytesMax) {
        throw new AppError('body_too_large', 'The folder holds more than 200,000 files, or 1 GiB, to import')
      }
    }
  }
  const byPath = (one: SourceFile, other: SourceFile) => (one.path < other.path ? -1 : 1)
  return { files: files.sort(byPath), skipped: skipped.sort() }
}

async function sourceFileAt(path: string, name: string): Promise<SourceFile> {
  const { size, mtime } = await lstat(path)
  return {
    path: name,
    bytes: size,
    modifiedAt: mtime.toISOString(),
    async open() {
      // It can have been replaced meanwhile, even by a pipe.
      const file = await openRegularFile(path)
      return file.createReadStream()
    },
  }
}

/** A file that is already open, and stays open; its current read position does not matter. */
export function sourceOfFile(
  fd: number,
  { name, ...file }: Pick<SourceFile, 'bytes' | 'modifiedAt'> & { name: string },
): Source {
  const open = async () => Readable.from(piecesOf(fd), { objectMode: false })
  return { files: [{ path: basename(name), ...file, open }], skipped: [] }
}

async function* piecesOf(fd: number): AsyncGenerator<Buffer, void> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
