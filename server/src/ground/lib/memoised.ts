/**
 * `compute` with a cache by text. The cache is emptied when it holds `max` results; callers must not change them. Texts
 * of more than `lengthMax` characters are not cached.
 */
export function memoised<T>(
  max: number,
  compute: (text: string) => T,
  lengthMax = Number.POSITIVE_INFINITY,
): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as T
    const result = compute(text)
    if (known.size >= max) known.clear()
    if (text.length <= lengthMax) known.set(text, result)
    return result
  }
}
