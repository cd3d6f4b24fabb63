import type { ObservationMatch } from '@loci/contract/search'
import { plainHighlights } from './markdown/plain-text.ts'
import { VisibleText } from './visible-text.tsx'

type HighlightedProps = Pick<ObservationMatch, 'content' | 'highlights'>

const contextBefore = 120
const excerptMax = 420

/** A text without its Markdown, its matches marked; a long one is cut to where the first match is. */
export function Highlighted(props: HighlightedProps) {
  const { content, highlights } = plainHighlights(props)
  const sorted = highlights.toSorted((a, b) => a[0] - b[0])
  const from = excerptStart(content, sorted[0]?.[0] ?? 0)
  const to = Math.min(content.length, from + excerptMax)
  const parts: { text: string; marked: boolean; at: number }[] = []
  let at = from
  for (const [start, end] of sorted) {
    if (end <= at || start >= to) continue
    const begin = Math.max(start, at)
    if (begin > at) parts.push({ text: content.slice(at, begin), marked: false, at })
    parts.push({ text: content.slice(begin, Math.min(end, to)), marked: true, at: begin })
    at = Math.min(end, to)
  }
  if (at < to) parts.push({ text: content.slice(at, to), marked: false, at })
  return (
    <>
      {from > 0 && '…'}
      {parts.map(({ text, marked, at }) => {
        const shown = <VisibleText key={at} text={text} />
        return marked ? <mark key={at}>{shown}</mark> : shown
      })}
      {to < content.length && '…'}
    </>
  )
}

/** Never splits a surrogate pair; starts at a word if one is near. */
function excerptStart(content: string, firstMatch: number): number {
  if (content.length <= excerptMax || firstMatch <= contextBefore) return 0
  const start = firstMatch - contextBefore
  const blank = content.indexOf(' ', start)
  return blank !== -1 && blank < firstMatch ? blank + 1 : start
}
