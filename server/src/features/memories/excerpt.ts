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
  for (const [start] of highlights) {
    const from = Math.max(0, start - Math.floor(length * leadPart))
    const matches = highlights.filter(([at, end]) => at >= from && end <= from + length).length
    if (matches > best.matches) best = { start: from, matches }
  }
  const end = best.start + length
  const part = content.slice(best.start, end).toWellFormed()
  return `${best.start > 0 ? '... ' : ''}${part}${end < content.length ? ' ...' : ''}`
}
