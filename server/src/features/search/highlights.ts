import { analyse } from '../../search-index/analyser.ts'

const highlightsMax = 200

/** The positions of words with one of the terms in a text: UTF-16 offsets, in order, never overlapping. */
export function findHighlights(content: string, terms: ReadonlySet<string>): [number, number][] {
  if (terms.size === 0) return []
  const { tokens, wholes } = analyse(content)
  const found = [...tokens, ...wholes].filter(({ term }) => terms.has(term))
  const ranges = found.map(({ start, end }): [number, number] => [start, end]).sort((a, b) => a[0] - b[0])
  const merged: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else if (merged.length < highlightsMax) merged.push([start, end])
  }
  return merged
}
