/** All that a generator or a stream yields. */
export async function arrayOf<T>(source: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}
