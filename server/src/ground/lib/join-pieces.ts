import { createPace } from './pace.ts'

/**
 * Joins short texts into texts of at least `length` characters (except the last), so that fewer are sent. Yields to other
 * work in between.
 */
export async function* joinPieces(
  pieces: AsyncIterable<string>,
  length: number,
): AsyncGenerator<string, void> {
  const pace = createPace()
  let joined = ''
  for await (const piece of pieces) {
    await pace()
    joined += piece
    if (joined.length < length) continue
    yield joined
    joined = ''
  }
  if (joined !== '') yield joined
}

/** The same for bytes. */
export async function* joinBuffers(
  pieces: AsyncIterable<Buffer>,
  length: number,
): AsyncGenerator<Buffer, void> {
  let joined: Buffer[] = []
  const pace = createPace()
  let bytes = 0
  for await (const piece of pieces) {
    await pace()
    joined.push(piece)
    bytes += piece.length
    if (bytes < length) continue
    yield Buffer.concat(joined)
    joined = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(joined)
}
