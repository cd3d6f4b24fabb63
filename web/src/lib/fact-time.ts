import type { FactTime } from '@loci/contract/fact-times'

const parts = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** When something was true, as precisely as it was said: `2026`, `Feb 2026`, `10 Feb 2026`. */
export function formatFactTime(time: FactTime): string {
  if (time.length === 'yyyy'.length) return time
  const isMonth = time.length === 'yyyy-mm'.length
  const date = new Date(isMonth ? `${time}-01` : time)
  const told = new Map(parts.formatToParts(date).map(({ type, value }) => [type, value]))
  const month = `${told.get('month')} ${told.get('year')}`
  return isMonth ? month : `${told.get('day')} ${month}`
}

/** `since Feb 2026`, `until 2025`, `2019 to Mar 2024`; undefined if nothing was said. */
export function formatHeld({ at, until }: { at?: FactTime | undefined; until?: FactTime | undefined }) {
  if (at === undefined) return until === undefined ? undefined : `until ${formatFactTime(until)}`
  if (until === undefined) return `since ${formatFactTime(at)}`
  const [begin, end] = [formatFactTime(at), formatFactTime(until)]
  return begin === end ? begin : `${begin} to ${end}`
}
