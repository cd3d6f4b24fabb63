import { AppError } from '../../../ground/errors/app-error.ts'
import { JsonDocumentError, type JsonItem, readJsonItems } from '../../../ground/lib/json-items.ts'
import type { SourceFile } from './source.ts'

/** An entry of a list, such as a conversation, is parsed as a whole. */
const itemBytesMax = 64 * 1024 ** 2
const depthMax = 100
const bounds = { itemBytesMax, depthMax }

/** The items of a JSON file. Throws `validation_failed` if it is invalid or too deep. */
export async function* readJson(file: SourceFile): AsyncGenerator<JsonItem, void> {
  const stream = await file.open()
  try {
    yield* readJsonItems(stream, bounds)
  } catch (cause) {
    throw cause instanceof JsonDocumentError
      ? new AppError('validation_failed', `${file.path} ${cause.message}`, { cause })
      : unreadable(file, cause)
  } finally {
    stream.destroy()
  }
}

/** The text of a small file: UTF-8, or UTF-16 if it begins with the byte order mark of that. */
export async function readTextFile(file: SourceFile, bytesMax: number): Promise<string> {
  const stream = await file.open()
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes >= bytesMax) break
    }
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    stream.destroy()
  }
  const read = Buffer.concat(pieces).subarray(0, bytesMax)
  return new TextDecoder(encodingOf(read)).decode(read)
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** An archive that is damaged, or larger than it claims. */
function unreadable(file: SourceFile, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException
  if (cause instanceof AppError || (code !== undefined && !code.startsWith('Z_'))) return cause as Error
  return new AppError('validation_failed', `${file.path} cannot be read: ${message}`, { cause })
}
