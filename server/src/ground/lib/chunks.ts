/** `([1, 2, 3], 2)` is `[[1, 2], [3]]`. Databases bound the number of parameters of a statement. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}

/** Splits texts into chunks; each chunk ends with the text that brings it to this many characters (UTF-16). */
export function* textChunksOf<T extends { content: string }>(
  texts: readonly T[],
  charactersPerChunk: number,
): Generator<T[], void> {
  let chunk: T[] = []
  let characters = 0
  for (const text of texts) {
    chunk.push(text)
    characters += text.content.length
    if (characters < charactersPerChunk) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}
