import { type FactTime, periodOf } from '@loci/contract/fact-times'

const parts = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** When something was true, as precisely as it was said: `2026`, `Feb 2026`, `10 Feb 2026`. */
export function formatFactTime(time: FactTime): string {
  const { day, month, year } = partsOf(time)
  return [day, month, year].filter((part) => part !== undefined).join(' ')
}

/** `since Feb 2026`, `until 2025`, `2019 to Mar 2024`; undefined if nothing was said. */
export function formatHeld({ at, until }: { at?: FactTime | undefined; until?: FactTime | undefined }) {
  if (at === undefined) return until === undefined ? undefined : `until ${formatFactTime(until)}`
  if (until === undefined) return `since ${formatFactTime(at)}`
  const [begin, end] = [formatFactTime(at), formatFactTime(until)]
  return begin === end ? begin : `${begin} to ${end}`
}

/** The same below a heading with the year: `since Feb`, `20–30 Nov`, `until 9 Feb`; undefined if nothing was said. */
export function formatHeldInYear(
  { at, until }: { at?: FactTime | undefined; until?: FactTime | undefined },
  year: number,
): string | undefined {
  const short = (time: FactTime) => {
    const told = partsOf(time)
    if (told.month === undefined || told.year !== String(year))
      return told.month === undefined ? told.year : `${told.month} ${told.year}`
    return [told.day, told.month].filter((part) => part !== undefined).join(' ')
  }
  if (at === undefined) return until === undefined ? undefined : `until ${short(until)}`
  if (until === undefined) return `since ${short(at)}`
  const [begin, end] = [partsOf(at), partsOf(until)]
  if (begin.month !== end.month || begin.year !== end.year) return `${short(at)} – ${short(until)}`
  return begin.day === undefined || end.day === undefined || begin.day === end.day
    ? short(at)
    : `${begin.day}–${short(until)}`
}

function partsOf(time: FactTime) {
  if (time.length === 'yyyy'.length) return { year: time }
  const isMonth = time.length === 'yyyy-mm'.length
  const from = new Date(periodOf(time)?.from ?? 0)
  const told = new Map(parts.formatToParts(from).map(({ type, value }) => [type, value]))
  const [day, month, year] = [told.get('day'), told.get('month'), told.get('year')]
  return isMonth ? { month, year } : { day, month, year }
}
