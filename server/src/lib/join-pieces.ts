/** Joins short texts into ones of at least `length` characters (but for the last), so that fewer are sent. */
export async function* joinPieces(
  pieces: AsyncIterable<string>,
  length: number,
): AsyncGenerator<string, void> {
  let joined = ''
  for await (const piece of pieces) {
    joined += piece
    if (joined.length < length) continue
    yield joined
    joined = ''
  }
  if (joined !== '') yield joined
}
