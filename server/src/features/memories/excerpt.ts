import type { ObservationHit } from '@loci/contract/search'
import { estimateTokens } from '../../ground/lib/tokens.ts'

/** Part of a cut text that precedes the match. */
const leadPart = 0.2
/** Sums of fractions are not exact. */
const tolerance = 1e-9

/** Cuts a text that is longer than `tokens` to the part with the most matches by their rarity in it. */
export function excerpt(
  { content, highlights }: Pick<ObservationHit, 'content' | 'highlights'>,
  tokens: number,
): string {
  const needed = estimateTokens(content)
  if (needed <= tokens) return content
  const length = Math.floor((content.length * tokens) / needed)
  const start = bestStart(content, highlights, length)
  const end = start + length
  const part = content.slice(start, end).toWellFormed()
  return `${start > 0 ? '... ' : ''}${part}${end < content.length ? ' ...' : ''}`
}

/** Where the best window of a length starts. A word that is everywhere says less about which part is meant. */
function bestStart(content: string, highlights: ObservationHit['highlights'], length: number): number {
  const words = highlights.map(([start, end]) => content.slice(start, end).toLowerCase())
  const counts = Map.groupBy(words, (word) => word)
  const weights = words.map((word) => 1 / counts.get(word)!.length)
  let best = { start: 0, score: 0 }
  let score = 0
  // Highlights are in order and apart, so those within a window that moves on are a range that moves on.
  let [first, after] = [0, 0]
  for (const [start] of highlights) {
    const from = Math.max(0, start - Math.floor(length * leadPart))
    while (first < after && highlights[first]![0] < from) score -= weights[first++]!
    while (after < highlights.length && highlights[after]![1] <= from + length) {
      if (highlights[after]![0] < from) first++
      else score += weights[after]!
      after++
    }
    if (score > best.score + tolerance) best = { start: from, score }
  }
  return best.start
}
