import { estimateTokens } from '../../ground/lib/tokens.ts'

/** Tokens left for an answer. */
export type Budget = { left: number }

/** Tokens that a part of an answer takes as JSON, with the comma after it. */
export const costOf = (value: unknown) => estimateTokens(JSON.stringify(value)) + 1

/** Takes the first items that fit in `part` of the remaining budget as they are shown, and deducts their cost. */
export function takeWithinBudget<T>(
  budget: Budget,
  items: readonly T[],
  part = 1,
  shown: (item: T) => unknown = (item) => item,
): T[] {
  let room = budget.left * part
  const taken: T[] = []
  for (const item of items) {
    const cost = costOf(shown(item))
    if (cost > room) break
    room -= cost
    budget.left -= cost
    taken.push(item)
  }
  return taken
}
