import type { NeighbourObservation } from '@loci/contract/search'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { findObservations, type StoredObservation } from '../../graph/observations.repo.ts'
import { toId } from '../../lib/ids.ts'
import type { Scope } from '../../scope.ts'
import { type Around, listAround } from './around.repo.ts'
import type { Findings } from './findings.ts'
import type { RankedObservation } from './ranking.ts'
import { weights } from './weights.ts'

type Neighbour = z.infer<typeof NeighbourObservation>
type Neighbours = { before: Neighbour[]; after: Neighbour[] }

const noNeighbours: Around = { before: [], after: [] }

/** The hits, each with the observations of its entity before and after it, up to `count` on each side. */
export async function loadWithNeighbours(
  { db }: Context,
  scope: Scope,
  { around }: Pick<Findings, 'around'>,
  hits: readonly RankedObservation[],
  count: number,
): Promise<{ observations: Map<string, StoredObservation>; neighbours: Map<string, Neighbours> }> {
  const idsOf = new Map(hits.map(({ passage: { observationId } }) => [observationId, noNeighbours]))
  const isKnown = (id: number) => count <= weights.neighboursMax && around(id) !== undefined
  const unknown = hits
    .map(({ passage: { observationId: id, entityId } }) => ({ id, entityId }))
    .filter(({ id }) => count > 0 && !isKnown(id))
  const listed = new Map(
    (await listAround(db, scope, unknown, { beforeMax: count, afterMax: count })).map((found) => [
      found.id,
      found,
    ]),
  )
  for (const id of idsOf.keys()) {
    const { before, after } = listed.get(id) ?? around(id) ?? noNeighbours
    idsOf.set(id, { before: before.slice(0, count).toReversed(), after: after.slice(0, count) })
  }
  const ids = new Set([...idsOf].flatMap(([id, { before, after }]) => [id, ...before, ...after]))
  const idTexts = [...ids].map((id) => toId('obs', id))
  const found = await findObservations(db, scope, idTexts)
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
