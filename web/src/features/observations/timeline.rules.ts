import type { Observation } from '@loci/contract/observations'
import { writerOf } from '../../ui/writer-name.ts'
import { type Chain, isDated, orderOf, toChains, yearOf } from './held.rules.ts'

export type Order = 'newest' | 'oldest'

/** A row of the timeline: a heading, which is a day or, where facts say when they held, a year; or an observation. */
export type TimelineRow =
  | { kind: 'day' | 'year'; key: string; iso: string }
  | {
      kind: 'observation'
      key: string
      observation: Observation
      isLast: boolean
      /** The first of what it replaced is its own row; the others behind it are folded. */
      before?: { top: string; by: Observation; folded: number }
    }

type TimelineChoice = {
  order: Order
  writer?: string | undefined
  /** The first facts of the chains that are unfolded. */
  unfolded?: ReadonlySet<string>
}

/** Observations (oldest first) as rows by day of the reader's calendar or by year, limited to one writer if given. */
export function toTimeline(
  observations: readonly Observation[],
  { order, writer, unfolded }: TimelineChoice,
): TimelineRow[] {
  const shown =
    writer === undefined ? observations : observations.filter(({ by }) => by && writerOf(by) === writer)
  const hasYears = observations.some(isDated)
  const chains = toChains(shown)
  if (hasYears) chains.sort((a, b) => orderOf(a.top) - orderOf(b.top))
  const sorted = order === 'newest' ? chains.toReversed() : chains
  const rows: TimelineRow[] = []
  let part: Part | undefined
  for (const [index, chain] of sorted.entries()) {
    const { top } = chain
    if (part === undefined || !isWithin(part, top, hasYears)) {
      part = hasYears ? partOfYear(top) : dayOf(top)
      rows.push({ kind: hasYears ? 'year' : 'day', key: part.name, iso: part.iso })
    }
    const next = sorted[index + 1]
    const isLast = next === undefined || !isWithin(part, next.top, hasYears)
    rows.push(...rowsOf(chain, isLast, unfolded?.has(top.id) ?? false))
  }
  return rows
}

/** A fact and what it replaced; of a longer chain the latest alone, unless it is unfolded. */
function rowsOf({ top, facts }: Chain, isLast: boolean, isUnfolded: boolean): TimelineRow[] {
  const shown = isUnfolded ? facts : facts.slice(0, 2)
  return shown.map((observation, place) => ({
    kind: 'observation' as const,
    key: observation.id,
    observation,
    isLast: isLast && place === shown.length - 1,
    ...(place > 0 && {
      before: {
        top: top.id,
        by: facts.find(({ id }) => id === observation.replacedBy) ?? top,
        folded: place === shown.length - 1 ? facts.length - shown.length : 0,
      },
    }),
  }))
}

/** Whether a fact is still told to agents. */
export const holdsNow = ({ state, replacedBy }: Observation) =>
  replacedBy === undefined && state !== 'expired'

/** The end is exclusive. */
type Part = { name: string; iso: string; start: number; end: number }

/** Computing a day for each of thousands of observations would take longer than rendering them. */
function dayOf({ createdAt }: Observation): Part {
  const date = new Date(createdAt)
  const [year, month, dayOfMonth] = [date.getFullYear(), date.getMonth(), date.getDate()]
  return {
    name: `day ${date.toDateString()}`,
    iso: createdAt,
    start: new Date(year, month, dayOfMonth).getTime(),
    end: new Date(year, month, dayOfMonth + 1).getTime(),
  }
}

function partOfYear(observation: Observation): Part {
  const year = yearOf(observation)
  const [start, end] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)]
  return { name: `year ${year}`, iso: new Date(start).toISOString(), start, end }
}

function isWithin({ start, end }: Part, observation: Observation, hasYears: boolean): boolean {
  const time = hasYears ? orderOf(observation) : Date.parse(observation.createdAt)
  return time >= start && time < end
}

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
