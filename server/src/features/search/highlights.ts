import { analyse, analyseWords } from '../../search-index/analyser.ts'

const highlightsMax = 200
const digit = /\d/

/**
 * Finds the words with one of the terms in texts: their positions as UTF-16 offsets, in order, never overlapping.
 */
export function createHighlighter(terms: ReadonlySet<string>): (content: string) => [number, number][] {
  if (terms.size === 0) return () => []
  // Every term of a quantity or a date has a digit.
  const read = [...terms].some((term) => digit.test(term)) ? analyse : analyseWords
  const isAsked = ({ term }: { term: string }) => terms.has(term)
  return (content) => {
    const { tokens, wholes } = read(content)
    return merged([...tokens.filter(isAsked), ...wholes.filter(isAsked)])
  }
}

function merged(found: readonly { start: number; end: number }[]): [number, number][] {
  const ranges = found.map(({ start, end }): [number, number] => [start, end]).sort((a, b) => a[0] - b[0])
  const kept: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = kept.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else if (kept.length < highlightsMax) kept.push([start, end])
  }
  return kept
}
