import { createHash } from 'node:crypto'
import { write } from 'node:fs'
import { promisify } from 'node:util'
import type { ImportFormat } from '@loci/contract/imports'
import { importBytesMax } from '@loci/contract/imports'
import { AppError } from '../../ground/errors/app-error.ts'
import { joinPieces } from '../../ground/lib/join-pieces.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { lookOf } from './formats/look.rules.ts'
import { recognise } from './formats/recognise.ts'
import { sourceOfArchive } from './sources/archive.ts'
import { sourceOfFile, sourceOfFolder } from './sources/folder.ts'
import { readTextFile } from './sources/read-json.ts'
import type { Source, SourceFile } from './sources/source.ts'

/** What to convert, and the open file to write the lines to. */
export type ConversionOrder = { target: number } & (
  | { kind: 'folder'; path: string }
  | { kind: 'archive'; fd: number; bytesMax: number }
  | { kind: 'file'; fd: number; bytes: number; name: string; modifiedAt: string | undefined }
)

export type Conversion = {
  bytes: number
  /** SHA-256 of the lines, hex. */
  digest: string
  format: ImportFormat
  /** Files that hold nothing of this format, and things that are not files. */
  skipped: string[]
}

const pieceLength = 256 * 1024
const writeAt = promisify(write)

/** Writes another program's export as lines of our format. Throws if the format is unknown. */
export async function convert(order: ConversionOrder): Promise<Conversion> {
  const source = await sourceOf(order)
  const found = await recognise(source.files)
  if (found === undefined) throw new AppError('validation_failed', await describeUnknown(source.files))
  const written = await writeLines(order.target, found.format.read(found.parts))
  return { ...written, format: found.format.format, skipped: [...source.skipped, ...found.unused].sort() }
}

const known =
  'Loci imports its own exports and those of the reference memory server, ChatGPT, Claude, mem0 and Zep or Graphiti, and Markdown notes.'
const lookedAtMax = 20
const lookBytes = 64 * 1024

/** What the first file that reveals anything looks like. */
async function describeUnknown(files: readonly SourceFile[]): Promise<string> {
  for (const file of files.slice(0, lookedAtMax)) {
    const look = lookOf(await readTextFile(file, lookBytes))
    if (look === undefined) continue
    const what = files.length === 1 ? 'This' : file.path
    return `Its format was not recognised. ${what} looks like ${look}. ${known}`
  }
  return `Its format was not recognised. ${known}`
}

async function sourceOf(order: ConversionOrder): Promise<Source> {
  if (order.kind === 'folder') return sourceOfFolder(order.path)
  if (order.kind === 'archive') return sourceOfArchive(order.fd, order.bytesMax)
  const { fd, bytes, name, modifiedAt } = order
  return sourceOfFile(fd, { bytes, name, modifiedAt })
}

async function writeLines(target: number, lines: AsyncIterable<string>) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of joinPieces(breathing(lines), pieceLength)) {
    const data = Buffer.from(piece)
    if (bytes + data.length > importBytesMax) {
      throw new AppError('body_too_large', 'Its contents are larger than 1 GiB')
    }
    for (let done = 0; done < data.length; ) {
      done += (await writeAt(target, data, done, data.length - done, bytes + done)).bytesWritten
    }
    hash.update(data)
    bytes += data.length
  }
  return { bytes, digest: hash.digest('hex') }
}

async function* breathing(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of lines) {
    await breathe()
    yield line
  }
}
