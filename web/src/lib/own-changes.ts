const rememberedMs = 10_000
const ids = new Set<string>()

/** Remembers what this tab itself changed, so that it is not told of it a second time. */
export function markOwnChange(id: string): void {
  ids.add(id)
  setTimeout(() => ids.delete(id), rememberedMs)
}

export function isOwnChange(id: string): boolean {
  return ids.has(id)
}
