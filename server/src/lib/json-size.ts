/** How long a value is as one of many in JSON, its comma included. */
export const jsonSize = (value: unknown): number => JSON.stringify(value).length + 1

/** The first items that have room together, and how long they are. */
export function takeFitting<T>(items: readonly T[], room: number): { taken: T[]; size: number } {
  let size = 0
  const taken: T[] = []
  for (const item of items) {
    const next = jsonSize(item)
    if (size + next > room) break
    size += next
    taken.push(item)
  }
  return { taken, size }
}

/** The longest beginning of a text, or nearly so, that is no longer than `max` in JSON; no character is cut in two. */
export function prefixOfSize(text: string, max: number): string {
  let end = Math.min(text.length, Math.max(0, max))
  for (;;) {
    const prefix = withoutHalfCharacter(text.slice(0, end))
    const size = jsonSize(prefix)
    if (size <= max || prefix === '') return prefix
    end = Math.min(end - 1, Math.floor((end * max) / size))
  }
}

const withoutHalfCharacter = (text: string) => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)
