import { dayMs } from '../../../ground/lib/time.ts'
import { endingWith, type FoundTime, type TimeSpan, textAfter, textBefore, withPrefix } from './time-span.ts'

const range = endingWith('between|zwischen|entre|tra|fra|tussen|между')
const rangeOrNot = endingWith('between|from|zwischen|von|vom|entre|du|de|del|tra|fra|dal|tussen|van|между|с')
const to =
  /^\s?(?:to|until|till|through|bis(?: zum)?|au|à|a|al|hasta(?: el)?|fino al?|até|tot|t\/m|по|до|إلى|から|부터|에서|到|至|-|–|—|~|〜|～|\.\.\.?)\s?(?:the\s)?$/u
const and = /^\s?(?:and|und|et|y|e|en|и)\s?(?:the\s|dem\s|le\s|el\s)?$/u
const startDay =
  /(?<![\p{L}\p{N}.,:/-])(?<d>\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:-|–|to|and|bis|und|au|al|y|e)\s?(?:the\s)?$/u

/** Joins "from A to B" and "between A and B" into one time. */
export function joinRanges(text: string, times: readonly FoundTime[]): FoundTime[] {
  const joined: FoundTime[] = []
  for (const time of times) {
    const last = joined.at(-1)
    const between = last === undefined ? '' : text.slice(last.end, time.start)
    const isRange =
      last !== undefined && (to.test(between) || (and.test(between) && range.test(textBefore(text, last))))
    const spans = isRange ? toRanges(last.spans, time.spans) : []
    if (last === undefined || spans.length === 0) joined.push(withStartDay(text, time))
    else {
      const prefix = rangeOrNot.exec(textBefore(text, last))?.[0] ?? ''
      const closing = /^\s?(?:まで|까지|间|間)/u.exec(textAfter(text, time))?.[0] ?? ''
      const place = { start: last.start - prefix.length, end: time.end + closing.length }
      joined[joined.length - 1] = { ...place, spans, isRange: true }
    }
  }
  return joined
}

function toRanges(first: readonly TimeSpan[], last: readonly TimeSpan[]): TimeSpan[] {
  return last.flatMap(({ from: latest, to }) => {
    const start = first.find(({ from }) => from <= latest)
    return start === undefined ? [] : [{ from: start.from, to }]
  })
}

/** "3 to 10 May" starts on the 3rd. */
function withStartDay(text: string, time: FoundTime): FoundTime {
  const match = startDay.exec(textBefore(text, time))
  if (match === null || !/^\d/.test(text.slice(time.start))) return time
  const spans = time.spans.flatMap((span) => {
    const back = new Date(span.from).getUTCDate() - Number(match.groups?.d)
    return back > 0 && span.to - span.from === dayMs ? [{ from: span.from - back * dayMs, to: span.to }] : []
  })
  return spans.length === 0 ? time : withPrefix(time, match[0], spans)
}
