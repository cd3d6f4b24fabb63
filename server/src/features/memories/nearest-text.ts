import { foldCase } from '../../search/analyse/fold.ts'

/** Number of characters compared in long texts. */
const comparedMax = 2_000
/** Texts with a smaller share of common words count as unrelated. */
const nearnessMin = 0.4

/**
 * The candidate that an inexact text likely meant: one that contains it, or else the one with the most words in common.
 */
export function findNearest<T extends { content: string }>(
  text: string,
  candidates: readonly T[],
): T | undefined {
  const part = text.replace(/^\.\.\. /, '').replace(/ ?(\.\.\.|…)$/, '')
  const containing = part === '' ? undefined : candidates.find(({ content }) => content.includes(part))
  if (containing !== undefined) return containing
  const words = wordsOf(text)
  let best: { candidate: T; nearness: number } | undefined
  for (const candidate of candidates) {
    const nearness = nearnessOf(words, wordsOf(candidate.content))
    if (nearness >= nearnessMin && nearness > (best?.nearness ?? 0)) best = { candidate, nearness }
  }
  return best?.candidate
}

const wordsOf = (text: string) => new Set(foldCase(text.slice(0, comparedMax)).match(/[\p{L}\p{N}]+/gu) ?? [])

/** The share of words that two texts have in common (Dice). */
function nearnessOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0
  for (const word of words) if (others.has(word)) common += 1
  return (2 * common) / Math.max(1, words.size + others.size)
}
