import type { Observation } from '@loci/contract/observations'

/** Observations (oldest first) with new ones; those that a read brought meanwhile stay as they are. */
export function withAdded(now: Observation[], added: readonly Observation[]): Observation[] {
  const known = new Set(now.map(({ id }) => id))
  return [...now, ...added.filter(({ id }) => !known.has(id))]
}

/** Who wrote it first does not change. */
export function withRevised(now: Observation[], revised: Observation): Observation[] {
  return now.map((one) => (one.id === revised.id ? { ...one, ...revised } : one))
}

export function withoutOne(now: Observation[], id: string): Observation[] {
  return now.filter((one) => one.id !== id)
}
