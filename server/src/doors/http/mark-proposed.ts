import type { Actor } from '../../tenancy/auth/actor.ts'

/** An answer of a write that waits for a review says so, as do the observations in it that are not stored yet. */
export function markProposed(
  answer: unknown,
  { proposalId, proposedFacts }: NonNullable<Actor['operation']>,
) {
  if (proposalId === undefined || !isObject(answer)) return answer
  return { ...markIn(answer, new Set(proposedFacts)), proposed: true, proposalId }
}

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The fields of answers in which observations stand, at whatever depth. */
const holders = ['entity', 'entities', 'observation', 'observations']

function markIn(holder: Fields, facts: ReadonlySet<string>): Fields {
  const marked = Object.entries(holder).map(([field, value]) => [
    field,
    holders.includes(field) ? markAll(value, facts) : value,
  ])
  const isFact = typeof holder.id === 'string' && facts.has(holder.id)
  return { ...Object.fromEntries(marked), ...(isFact && { state: 'proposed' }) }
}

function markAll(value: unknown, facts: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => markAll(one, facts))
  return isObject(value) ? markIn(value, facts) : value
}
