/** `([1, 2, 3], 2)` is `[[1, 2], [3]]`. Databases bound the number of parameters of a statement. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}
