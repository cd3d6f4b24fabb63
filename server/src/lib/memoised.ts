/** `compute` with a cache by text. The cache is emptied when it holds `max` results; callers must not change them. */
export function memoised<T>(max: number, compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    let result = known.get(text)
    if (result === undefined) {
      if (known.size >= max) known.clear()
      result = compute(text)
      known.set(text, result)
    }
    return result
  }
}
