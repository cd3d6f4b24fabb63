const textLengthMax = 200

/**
 * Caches the results of a function of a text that depends on nothing else. Starts anew after 1,000 texts; long texts
 * are not cached.
 */
export function memoized<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = compute(text)
    if (known.size >= 1_000) known.clear()
    if (text.length <= textLengthMax) known.set(text, result)
    return result
  }
}
