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
