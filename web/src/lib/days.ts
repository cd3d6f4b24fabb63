import { toLocalInput } from './as-of.ts'

/** The first and the last day of a period in the reader's calendar, both inclusive, as `2026-11-21`. */
export type Period = { after?: string | undefined; before?: string | undefined }

/** The day so many days before today. */
export function dayAgo(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() - days)
  return toLocalInput(day.toISOString()).slice(0, 10)
}

/** The moments at which a period begins and ends, in the server's format; undefined where it has no such day. */
export const momentsOf = ({ after, before }: Period) => ({
  begin: startOf(after, 0),
  end: startOf(before, 1),
})

function startOf(day: string | undefined, daysLater: number): string | undefined {
  const start = new Date(`${day}T00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + daysLater)
  return toOffsetIso(start)
}

/** `2026-02-10T00:00:00.000-08:00`: its offset tells the server whose days are meant. */
function toOffsetIso(moment: Date): string {
  const minutes = -moment.getTimezoneOffset()
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')
  const local = new Date(moment.getTime() + minutes * 60_000).toISOString()
  return `${local.slice(0, -1)}${minutes < 0 ? '-' : '+'}${offset}`
}
