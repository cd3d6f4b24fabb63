import { estimateTokens } from '../../lib/tokens.ts'

/** How many tokens an answer may still have. */
export type Budget = { left: number }

/** What a part of an answer costs as JSON, with the comma after it. */
export const costOf = (value: unknown) => estimateTokens(JSON.stringify(value)) + 1

/** The first of the items that fit, taken off the budget; together at most `part` of what is left. */
export function takeFitting<T>(budget: Budget, items: readonly T[], part = 1): T[] {
  let room = budget.left * part
  const taken: T[] = []
  for (const item of items) {
    const cost = costOf(item)
    if (cost > room) break
    room -= cost
    budget.left -= cost
    taken.push(item)
  }
  return taken
}
