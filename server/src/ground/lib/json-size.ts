/** JSON length of a value as an item of a list, including its comma. */
export const jsonSize = (value: unknown): number => JSON.stringify(value).length + 1

/** The first items that fit together into `room`, and their size. */
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

/** The longest prefix of a text, approximately, whose JSON is no longer than `max`; never splits a character. */
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

/** About the largest answer, in characters of JSON. What is larger continues at a cursor. */
export const answerLengthMax = 1024 * 1024

/** The room that is left in an answer; the first thing always fits. */
export type AnswerRoom = { readonly isFull: boolean; take: (length: number) => void }

export function createAnswerRoom(): AnswerRoom {
  let left = answerLengthMax
  return {
    get isFull() {
      return left <= 0
    },
    take(length) {
      left -= length
    },
  }
}
