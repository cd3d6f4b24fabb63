import { createPace } from '../../ground/lib/turns.ts'
import { analyse, analyseWords } from '../analyse/analyser.ts'

const highlightsMax = 200
const digit = /\d/

/** Analysing this much takes a few milliseconds. */
const sliceLength = 8_192

/**
 * Finds the words with one of the terms in texts: their positions as UTF-16 offsets, in order, never overlapping. Yields
 * to other work within long texts.
 */
export function createHighlighter(
  terms: ReadonlySet<string>,
): (content: string) => Promise<[number, number][]> {
  if (terms.size === 0) return async () => []
  const pace = createPace()
  // Every term of a quantity or a date has a digit.
  const read = [...terms].some((term) => digit.test(term)) ? analyse : analyseWords
  const isAsked = ({ term }: { term: string }) => terms.has(term)
  return async (content) => {
    const found: { start: number; end: number }[] = []
    for (let from = 0; from < content.length && found.length < highlightsMax; ) {
      await pace()
      const to = endOfSlice(content, from)
      const { tokens, wholes } = read(content.slice(from, to))
      for (const { start, end } of [...tokens.filter(isAsked), ...wholes.filter(isAsked)])
        found.push({ start: from + start, end: from + end })
      from = to
    }
    return merged(found)
  }
}

/** Slices end after a space, so that they do not divide words. */
function endOfSlice(content: string, from: number): number {
  const end = from + sliceLength
  if (end >= content.length) return content.length
  const space = content.lastIndexOf(' ', end - 1)
  return space > from ? space + 1 : end
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
