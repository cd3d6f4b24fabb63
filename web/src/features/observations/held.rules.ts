import { type FactTime, periodOf } from '@loci/contract/fact-times'
import type { Observation } from '@loci/contract/observations'

/** When a fact held, in milliseconds since 1970; an unknown beginning or end is undefined. */
export type Held = { from: number | undefined; to: number | undefined }

/** Whether an observation says when it held. */
export const isDated = ({ at, until }: Observation) => at !== undefined || until !== undefined

export function heldOf({ at, until, replacedBy, expiresAt }: Observation): Held {
  const end = until === undefined ? undefined : periodOf(until)
  // What was replaced ends when the other begins; a period that is named as the end belongs to it.
  const told = replacedBy === undefined ? end?.to : end?.from
  const expiry = expiresAt === undefined ? undefined : Date.parse(expiresAt)
  const ends = [told, expiry].filter((time) => time !== undefined)
  return {
    from: at === undefined ? undefined : periodOf(at)?.from,
    to: ends.length === 0 ? undefined : Math.min(...ends),
  }
}

/**
 * Now on the calendar of the reader, whose days are drawn as if they were UTC's: in Auckland, today begins up to 13
 * hours before it does in UTC.
 */
export const nowOnCalendar = (now: number) =>
  Math.max(now, now - new Date(now).getTimezoneOffset() * minuteMs)

/** Whether a fact held at a moment; one that says no beginning did since it was stored, or before its end. */
export function didHold(observation: Observation, moment: number): boolean {
  const { from, to } = heldOf(observation)
  const begin = from ?? (to === undefined ? Date.parse(observation.createdAt) : Number.NEGATIVE_INFINITY)
  return begin <= moment && (to === undefined || moment < to)
}

/** A fact and what it replaced, the newest first. */
export type Chain = { top: Observation; facts: Observation[] }
export type Bar = { id: string; from: number; to: number; kind: 'now' | 'before' | 'stale' }
export type BarRow = { chain: Chain; bars: Bar[] }

/** Facts as chains; those without a successor among them come as they are given. */
export function toChains(observations: readonly Observation[]): Chain[] {
  const ids = new Set(observations.map(({ id }) => id))
  const isBefore = ({ replacedBy }: Observation) => replacedBy !== undefined && ids.has(replacedBy)
  const replaced = Map.groupBy(observations.filter(isBefore), ({ replacedBy }) => replacedBy!)
  const behind = ({ id }: Observation): Observation[] =>
    (replaced.get(id) ?? []).toReversed().flatMap((one) => [one, ...behind(one)])
  return observations.filter((one) => !isBefore(one)).map((top) => ({ top, facts: [top, ...behind(top)] }))
}

/** When a fact is put in order: when it began, else when it ended, else when it was stored. */
export function orderOf(observation: Observation): number {
  const { from, to } = heldOf(observation)
  return from ?? to ?? Date.parse(observation.createdAt)
}

export const yearOf = (observation: Observation) => new Date(orderOf(observation)).getUTCFullYear()

export type TimeAxis = { from: number; to: number; ticks: { at: number; label: string }[] }

const minuteMs = 60_000
const dayMs = 86_400_000
const yearMs = 365 * dayMs
/** The part of the axis that stays free before the first beginning and after the last end. */
const margin = 0.04
/** The future has at most this part of the time from the first beginning to now: a far end must not hide the past. */
const futurePart = 0.25
const futureMin = 30 * dayMs
const ticksMax = 7

/** A row of bars for each chain that says when it held, the newest first, and the axis that holds them all. */
export function toBars(
  observations: readonly Observation[],
  now: number,
): { rows: BarRow[]; axis: TimeAxis } {
  const chains = toChains(observations)
    .filter(({ facts }) => facts.some(isDated))
    .sort((a, b) => orderOf(b.top) - orderOf(a.top))
  const times = chains.flatMap(({ facts }) => facts.flatMap((fact) => Object.values(heldOf(fact))))
  const known = [...times.filter((time) => time !== undefined), now]
  const first = Math.min(...known)
  const last = Math.min(Math.max(...known), now + Math.max((now - first) * futurePart, futureMin))
  const free = Math.max((last - first) * margin, dayMs)
  const [from, to] = [first - free, last + free]
  const rows = chains.map((chain) => ({
    chain,
    bars: chain.facts.filter(isDated).map((fact) => toBar(fact, { from, to }, now)),
  }))
  return { rows, axis: { from, to, ticks: ticksOf(from, last) } }
}

/** An unknown beginning reaches to the left edge; an unknown end to now; what lies further ahead to the right edge. */
function toBar(fact: Observation, axis: { from: number; to: number }, now: number): Bar {
  const held = heldOf(fact)
  const from = Math.min(held.from ?? axis.from, axis.to)
  const to = Math.min(Math.max(held.to ?? Math.max(now, from), from), axis.to)
  const kind = fact.replacedBy !== undefined || to < now ? 'before' : fact.stale ? 'stale' : 'now'
  return { id: fact.id, from, to, kind }
}

/** Where something began or ended, in order. */
export function changesOf(rows: readonly BarRow[], now: number): number[] {
  const changes = rows.flatMap(({ chain: { facts } }) => facts.flatMap((fact) => Object.values(heldOf(fact))))
  return [...new Set(changes.filter((time) => time !== undefined && time < now))].sort(
    (a, b) => a! - b!,
  ) as number[]
}

const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })

/** Years; months where there are fewer than two years. */
function ticksOf(from: number, to: number): TimeAxis['ticks'] {
  const isLong = to - from > 2 * yearMs
  const months = isLong ? 12 : 1
  const all: TimeAxis['ticks'] = []
  const start = new Date(from)
  const first = isLong
    ? Date.UTC(start.getUTCFullYear() + 1, 0)
    : Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)
  for (let at = first, i = 0; at < to; i += 1, at = addMonths(first, i * months)) {
    const date = new Date(at)
    const isYear = isLong || date.getUTCMonth() === 0
    all.push({ at, label: isYear ? String(date.getUTCFullYear()) : monthFormat.format(date) })
  }
  const step = Math.ceil(all.length / ticksMax)
  return all.filter((_, index) => (all.length - 1 - index) % step === 0)
}

function addMonths(time: number, months: number): number {
  const date = new Date(time)
  return date.setUTCMonth(date.getUTCMonth() + months)
}

/** A moment as the day it is in. */
export const toDay = (moment: number): FactTime => new Date(moment).toISOString().slice(0, 10)
