import type { NeighbourObservation } from '@loci/contract/search'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { findObservations, type StoredObservation } from '../../graph/observations.repo.ts'
import { toId } from '../../lib/ids.ts'
import type { Scope } from '../../scope.ts'
import type { Passage } from './count-words.ts'
import type { Findings } from './findings.ts'
import type { RankedObservation } from './ranking.ts'
import { findPassagesAt } from './search.repo.ts'
import { weights } from './weights.ts'

type Neighbour = z.infer<typeof NeighbourObservation>
type Neighbours = { before: Neighbour[]; after: Neighbour[] }

/** A long observation is several passages, so more places are looked at than neighbours wanted. */
const placesPerNeighbour = 3

/** What was hit, with the observations told before and after it, of the same entity, up to `count` on each side. */
export async function loadWithNeighbours(
  { db, dialect }: Context,
  scope: Scope,
  { passages, surrounded }: Pick<Findings, 'passages' | 'surrounded'>,
  hits: readonly RankedObservation[],
  count: number,
): Promise<{ observations: Map<string, StoredObservation>; neighbours: Map<string, Neighbours> }> {
  const reach = count * placesPerNeighbour
  const isKnown = ({ passage }: RankedObservation) =>
    reach <= weights.neighboursMax && surrounded.has(passage.id)
  const ranges = hits
    .filter((hit) => !isKnown(hit))
    .map(({ passage }) => ({
      entityId: passage.entityId,
      from: passage.position - reach,
      to: passage.position + reach,
    }))
  const more = count === 0 ? [] : await findPassagesAt(db, dialect, scope, ranges, {})
  const wanted = new Set(hits.map(({ passage }) => passage.entityId))
  const known = [...passages, ...more].filter(({ entityId }) => wanted.has(entityId))
  const near = known.sort((a, b) => a.position - b.position)
  const byEntity = Map.groupBy(near, (passage) => passage.entityId)
  const idsOf = new Map(
    hits.map(({ passage }) => [
      passage.observationId,
      pickIds(byEntity.get(passage.entityId) ?? [], passage, count),
    ]),
  )
  const ids = new Set([...idsOf].flatMap(([id, { before, after }]) => [id, ...before, ...after]))
  const idTexts = [...ids].map((id) => toId('obs', id))
  const found = await findObservations(db, dialect, scope, idTexts)
  const observations = new Map(found.map((observation) => [observation.id, observation]))
  const show = (wanted: readonly number[]): Neighbour[] =>
    wanted.flatMap((number) => {
      const id = toId('obs', number)
      const observation = observations.get(id)
      return observation === undefined
        ? []
        : [{ id, content: observation.content, createdAt: observation.createdAt }]
    })
  const neighbours = new Map(
    [...idsOf].map(([id, { before, after }]) => [
      toId('obs', id),
      { before: show(before), after: show(after) },
    ]),
  )
  return { observations, neighbours }
}

function pickIds(passages: readonly Passage[], hit: Passage, count: number) {
  const others = passages.filter(
    ({ observationId, position }) =>
      observationId !== hit.observationId && Math.abs(position - hit.position) <= count * placesPerNeighbour,
  )
  const idsOf = (some: readonly Passage[]) => [...new Set(some.map((passage) => passage.observationId))]
  const before = idsOf(others.filter((passage) => passage.position < hit.position))
  const after = idsOf(others.filter((passage) => passage.position > hit.position))
  return { before: count === 0 ? [] : before.slice(-count), after: after.slice(0, count) }
}
