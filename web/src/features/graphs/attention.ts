import type { Recall } from '@loci/contract/recalls'
import type { LiveGraph } from './live-graph.ts'

const dayMs = 86_400_000
/** What nobody has changed and no agent was told for this long gathers dust, and has all of it after a year. */
const dustAfterMs = 90 * dayMs
const dustiestMs = 365 * dayMs
const dustMin = 0.45
const toldMin = 0.25

type Told = readonly Pick<Recall, 'at' | 'entityIds'>[]

/** How strongly to highlight each node that agents were told of: 1 for the one told most often. */
export function toldStrengths(graph: LiveGraph, recalls: Told): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { entityIds } of recalls) {
    for (const id of entityIds) if (graph.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const most = Math.max(0, ...counts.values())
  for (const [id, count] of counts) counts.set(id, Math.max(toldMin, Math.sqrt(count / most)))
  return counts
}

/** How much dust lies on each node: -1 for the most. */
export function dustStrengths(graph: LiveGraph, recalls: Told, now: number): Map<string, number> {
  const told = new Set(recalls.flatMap(({ entityIds }) => entityIds))
  const dust = new Map<string, number>()
  for (const { id, updatedAt } of graph.entities()) {
    const age = now - Date.parse(updatedAt)
    if (age < dustAfterMs || told.has(id)) continue
    const share = Math.min(1, (age - dustAfterMs) / (dustiestMs - dustAfterMs))
    dust.set(id, -(dustMin + (1 - dustMin) * share))
  }
  return dust
}

/** The day since when dust gathers. */
export const dustSince = (now: number): string => new Date(now - dustAfterMs).toISOString()
