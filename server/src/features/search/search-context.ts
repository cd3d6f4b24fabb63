import type { NeighbourObservation } from '@loci/contract/search'
import type { z } from 'zod'
import type { Scope } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { findObservations } from '../../graph/observations.repo.ts'
import type { Passage, RankedObservation } from './ranking.ts'
import { findPassagesAt } from './search.repo.ts'

type Neighbour = z.infer<typeof NeighbourObservation>
export type Neighbours = { before: Neighbour[]; after: Neighbour[] }

/** A long observation is several passages, so more places are looked at than neighbours wanted. */
const placesPerNeighbour = 3

/** The observations told before and after each hit, of the same entity, up to `count` on each side, oldest first. */
export async function findNeighbours(
  { db, dialect }: Context,
  scope: Scope,
  hits: readonly RankedObservation[],
  count: number,
): Promise<Map<string, Neighbours>> {
  if (count === 0 || hits.length === 0) return new Map()
  const reach = count * placesPerNeighbour
  const ranges = hits.map(({ passage }) => ({
    entityId: passage.entityId,
    from: passage.position - reach,
    to: passage.position + reach,
  }))
  const passages = await findPassagesAt(db, dialect, scope, ranges, {})
  passages.sort((a, b) => a.position - b.position)
  const byEntity = Map.groupBy(passages, (passage) => passage.entityId)
  const idsOf = new Map(
    hits.map(({ passage }) => [
      passage.observationId,
      pickIds(byEntity.get(passage.entityId) ?? [], passage, count),
    ]),
  )
  const ids = [...idsOf.values()].flatMap(({ before, after }) => [...before, ...after])
  const found = await findObservations(db, dialect, scope, [...new Set(ids)])
  const shown = new Map(
    found.map(({ id, content, createdAt }): [string, Neighbour] => [id, { id, content, createdAt }]),
  )
  const show = (wanted: readonly string[]) => wanted.flatMap((id) => shown.get(id) ?? [])
  return new Map(
    [...idsOf].map(([id, { before, after }]) => [id, { before: show(before), after: show(after) }]),
  )
}

function pickIds(passages: readonly Passage[], hit: Passage, count: number) {
  const others = passages.filter((passage) => passage.observationId !== hit.observationId)
  const idsOf = (some: readonly Passage[]) => [...new Set(some.map((passage) => passage.observationId))]
  const before = idsOf(others.filter((passage) => passage.position < hit.position))
  const after = idsOf(others.filter((passage) => passage.position > hit.position))
  return { before: before.slice(-count), after: after.slice(0, count) }
}
