import type { Observation } from '@loci/contract/observations'

/** Observations (oldest first) plus new ones; those that a refetch has added meanwhile stay unchanged. */
export function withAdded(now: Observation[], added: readonly Observation[]): Observation[] {
  const known = new Set(now.map(({ id }) => id))
  return [...now, ...added.filter(({ id }) => !known.has(id))]
}

/** The original writer does not change. */
export function withRevised(now: Observation[], revised: Observation): Observation[] {
  return now.map((one) => (one.id === revised.id ? { ...one, ...revised } : one))
}

export function withoutOne(now: Observation[], id: string): Observation[] {
  return now.filter((one) => one.id !== id)
}

/** The replaced one is marked at once; its end comes with the refetch. */
export function withReplaced(now: Observation[], id: string, by: string | undefined): Observation[] {
  if (by === undefined) return now
  return now.map((one) => (one.id === id ? { ...one, replacedBy: by, state: 'replaced' } : one))
}
