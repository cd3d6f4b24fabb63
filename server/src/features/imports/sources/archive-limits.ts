import type { Entry } from 'yauzl'
import { AppError } from '../../../ground/errors/app-error.ts'

/** Text is packed to about a tenth, seldom to a fiftieth. */
const ratioMax = 100
/** Up to here a text may repeat one word, and unpacking costs nothing. */
const repeatedBytesMax = 1024 ** 2

/** A local header without the name and what may follow it (APPNOTE 4.3.7). */
const headerBytes = 30

/** Throws if something unpacks to far more than it takes up, as only text made for that does. */
export function requireModestRatio(what: string, unpacked: number, packed: number): void {
  if (unpacked <= repeatedBytesMax || unpacked <= packed * ratioMax) return
  const message = `${what} unpacks to more than ${ratioMax} times its size. Unpack the archive yourself and import the files.`
  throw new AppError('body_too_large', message)
}

/** Throws if two entries share bytes: a small archive could then unpack to any number of files. */
export function requireApart(entries: readonly Entry[]): void {
  const inOrder = entries.toSorted((one, other) => startOf(one) - startOf(other))
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1]
    if (next === undefined || startOf(entry) + headerBytes + entry.compressedSize <= startOf(next)) continue
    const message = `The archive is damaged or was made to do harm: ${entry.fileName} and ${next.fileName} overlap`
    throw new AppError('validation_failed', message)
  }
}

const startOf = (entry: Entry) => entry.relativeOffsetOfLocalHeader
