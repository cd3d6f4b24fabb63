import { isDeepStrictEqual } from 'node:util'
import { endsTooSoon, endsTooSoonMessage } from '@loci/contract/fact-times'
import type { Observation, ObservationFields } from '@loci/contract/observations'
import { invalidField } from '../../ground/errors/app-error.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { readNumbers, type StoredObservation } from '../../rows/codec.ts'
import { confirmFiles } from './cite-files.ts'
import { linkReplaced, replacingOf, requireIds, unlinkReplaced } from './replacements.ts'
import { touchEntities } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'
import { resetObservations } from './write-rows.ts'

/** Omitted fields are unchanged; null removes one. */
export type ObservationChange = {
  [Name in 'content' | keyof ObservationFields]?: Observation[Name] | null | undefined
}

/**
 * Corrects an observation: its id and time stay. Returns it, or undefined if nothing changed. The
 * caller must touch the entity. Throws `validation_failed` for an `until` before `at`.
 */
export async function reviseObservation(
  write: GraphWrite,
  before: StoredObservation,
  change: ObservationChange,
): Promise<StoredObservation | undefined> {
  requireIds(change.replaces ?? [])
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const all = Object.entries({ ...before, ...Object.fromEntries(given) }).filter(
    ([, value]) => !isNone(value),
  )
  const after = withoutStale(before, Object.fromEntries(all) as StoredObservation)
  if (isDeepStrictEqual(after, before)) return undefined
  if ((change.at ?? change.until) != null && endsTooSoon(after))
    throw invalidField('until', endsTooSoonMessage)
  const id = numberOf('obs', before.id)
  const was = replacingOf(id, before)
  const is = replacingOf(id, after)
  await resetObservations(write, [{ before: was, after: { ...is, updated_at: write.at } }])
  if (was.replaces !== is.replaces || (is.replaces !== null && was.true_from !== is.true_from)) {
    await unlinkReplaced(write, [was])
    await linkReplaced(write, [is], new Set(readNumbers(was.replaces)))
  }
  return { ...after, updatedAt: toIso(write.at) }
}

/** What has a new text or other files is as of now: nothing about it is stale any longer. */
function withoutStale(before: StoredObservation, { stale, ...after }: StoredObservation): StoredObservation {
  if (stale === undefined || !isDeepStrictEqual(after.files, before.files)) return after
  if (after.content === before.content) return { ...after, stale }
  const { files: _, ...rest } = after
  const files = confirmFiles(before)
  return { ...rest, ...(files && { files }) }
}

export const isNone = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** The same, and touches its entity; returns the observation. */
export async function reviseObservationOf(
  write: GraphWrite,
  before: StoredObservation,
  change: ObservationChange,
): Promise<StoredObservation> {
  const after = await reviseObservation(write, before, change)
  if (after === undefined) return before
  const { db, scope, at } = write
  await touchEntities(db, scope, [{ id: numberOf('ent', before.entityId), at, observations: 0 }])
  return after
}
