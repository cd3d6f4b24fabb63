import type { ObservationHit } from '@loci/contract/search'
import { estimateTokens } from '../../ground/lib/tokens.ts'

/** Part of a cut text that precedes the match. */
const leadPart = 0.2

/** Cuts a text that is longer than `tokens` to the part with the most matches. */
export function excerpt(
  { content, highlights }: Pick<ObservationHit, 'content' | 'highlights'>,
  tokens: number,
): string {
  const needed = estimateTokens(content)
  if (needed <= tokens) return content
  const length = Math.floor((content.length * tokens) / needed)
  let best = { start: 0, matches: 0 }
  // Highlights are in order and apart, so those within a window that moves on are a range that moves on.
  let [first, after] = [0, 0]
  for (const [start] of highlights) {
    const from = Math.max(0, start - Math.floor(length * leadPart))
    while (highlights[first]![0] < from) first++
    while (after < highlights.length && highlights[after]![1] <= from + length) after++
    if (after - first > best.matches) best = { start: from, matches: after - first }
  }
  const end = best.start + length
  const part = content.slice(best.start, end).toWellFormed()
  return `${best.start > 0 ? '... ' : ''}${part}${end < content.length ? ' ...' : ''}`
}
