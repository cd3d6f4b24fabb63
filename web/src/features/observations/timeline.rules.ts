import type { Observation } from '@loci/contract/observations'
import { writerOf } from '../../ui/writer-name.ts'

export type Order = 'newest' | 'oldest'

/** A row of the timeline: a day's heading, or one of its observations. */
export type TimelineRow =
  | { kind: 'day'; key: string; iso: string }
  | { kind: 'observation'; key: string; observation: Observation; isLastOfDay: boolean; isBefore?: boolean }

/** Observations (oldest first) as rows by day of the reader's calendar, limited to one writer if given. */
export function toTimeline(
  observations: readonly Observation[],
  { order, writer }: { order: Order; writer?: string | undefined },
): TimelineRow[] {
  const shown =
    writer === undefined ? observations : observations.filter(({ by }) => by && writerOf(by) === writer)
  const { tops, chainOf } = chained(shown)
  const sorted = order === 'newest' ? tops.toReversed() : tops
  const rows: TimelineRow[] = []
  let day: Day | undefined
  for (const [index, observation] of sorted.entries()) {
    if (day === undefined || !isWithin(day, observation)) {
      day = dayOf(observation)
      rows.push({ kind: 'day', key: `day ${day.name}`, iso: observation.createdAt })
    }
    const next = sorted[index + 1]
    const isLastOfDay = next === undefined || !isWithin(day, next)
    const chain = chainOf(observation)
    rows.push({
      kind: 'observation',
      key: observation.id,
      observation,
      isLastOfDay: isLastOfDay && chain.length === 0,
    })
    for (const [place, before] of chain.entries()) {
      const isLast = isLastOfDay && place === chain.length - 1
      rows.push({
        kind: 'observation',
        key: before.id,
        observation: before,
        isLastOfDay: isLast,
        isBefore: true,
      })
    }
  }
  return rows
}

/** Facts that were replaced follow what replaced them, the latest first. */
function chained(observations: readonly Observation[]) {
  const ids = new Set(observations.map(({ id }) => id))
  const isBefore = ({ replacedBy }: Observation) => replacedBy !== undefined && ids.has(replacedBy)
  const replaced = Map.groupBy(observations.filter(isBefore), ({ replacedBy }) => replacedBy!)
  const chainOf = ({ id }: Observation): Observation[] =>
    (replaced.get(id) ?? []).toReversed().flatMap((one) => [one, ...chainOf(one)])
  return { tops: observations.filter((one) => !isBefore(one)), chainOf }
}

/** Whether a fact is still told to agents. */
export const holdsNow = ({ state, replacedBy }: Observation) =>
  replacedBy === undefined && state !== 'expired'

/** The end is exclusive. Both are ISO texts in the server's format, which sort chronologically. */
type Day = { name: string; start: string; end: string }

/** Computing a day for each of thousands of observations would take longer than rendering them. */
function dayOf({ createdAt }: Observation): Day {
  const date = new Date(createdAt)
  const [year, month, dayOfMonth] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return {
    name: date.toDateString(),
    start: new Date(year, month, dayOfMonth).toISOString(),
    end: new Date(year, month, dayOfMonth + 1).toISOString(),
  }
}

const isWithin = ({ start, end }: Day, { createdAt }: Observation) => createdAt >= start && createdAt < end

/** Everyone who wrote some of these, with their counts, most first. */
export function writersOf(observations: readonly Observation[]): { name: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { by } of observations) {
    if (by) counts.set(writerOf(by), (counts.get(writerOf(by)) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count)
}

/** The observations plus the one being edited, even if it was deleted elsewhere meanwhile. */
export function withEdited(
  observations: readonly Observation[],
  edited: Observation | undefined,
): readonly Observation[] {
  if (edited === undefined || observations.some(({ id }) => id === edited.id)) return observations
  const at = observations.findIndex(({ createdAt }) => createdAt > edited.createdAt)
  return observations.toSpliced(at === -1 ? observations.length : at, 0, edited)
}
