import { dayMs } from '../../ground/lib/time.ts'
import type { TimeSpan } from '../analyse/times/time-span.ts'

const daysMax = 31
const monthsMax = 24
const yearsMax = 40
const writtenMax = 80

/**
 * The days, months or years of these periods, as they may stand in a name or text ("2021-05"): a question about "April
 * to June 2021" does not name May.
 */
export function writeOut(spans: readonly TimeSpan[]): string[] {
  return [...new Set(spans.flatMap(writeSpan))].slice(0, writtenMax)
}

function writeSpan(span: TimeSpan): string[] {
  const months = listMonths(span)
  if (!beginsMonth(span) && span.to - span.from <= daysMax * dayMs) return listDays(span)
  const years = [...new Set(months.map((month) => month.slice(0, 4)))]
  const named = isOfYears(span) || months.length > monthsMax ? years : []
  const parts = months.length <= monthsMax ? [...months, ...quartersOf(months)] : []
  return years.length <= yearsMax ? [...named, ...parts] : []
}

const isFirst = (moment: number) => new Date(moment).getUTCDate() === 1 && moment % dayMs === 0
const beginsMonth = ({ from, to }: TimeSpan) => isFirst(from) && isFirst(to)
const isOfYears = (span: TimeSpan) =>
  beginsMonth(span) && [span.from, span.to].every((moment) => new Date(moment).getUTCMonth() === 0)

const monthsListedMax = 12 * yearsMax + 12

function listMonths({ from, to }: TimeSpan): string[] {
  const months: string[] = []
  const day = new Date(from)
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth())
  for (let at = new Date(first); at.getTime() < to && months.length <= monthsListedMax; ) {
    months.push(at.toISOString().slice(0, 7))
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
  }
  return months
}

function listDays({ from, to }: TimeSpan): string[] {
  const first = Math.floor(from / dayMs)
  const count = Math.ceil(to / dayMs) - first
  return Array.from({ length: count }, (_, day) => new Date((first + day) * dayMs).toISOString().slice(0, 10))
}

/** The quarters that some months fill. */
function quartersOf(months: readonly string[]): string[] {
  return months
    .filter((month) => (Number(month.slice(5)) - 1) % 3 === 0)
    .filter((month) =>
      months.includes(`${month.slice(0, 5)}${String(Number(month.slice(5)) + 2).padStart(2, '0')}`),
    )
    .map((month) => `${month.slice(0, 4)}-Q${(Number(month.slice(5)) + 2) / 3}`)
}
