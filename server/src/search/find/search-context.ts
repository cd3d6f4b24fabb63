import type { NeighbourObservation } from '@loci/contract/search'
import type { z } from 'zod'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { weights } from '../match/weights.ts'
import type { RankedObservation } from '../rank/ranking.ts'
import { type Around, listAround } from '../store/around.repo.ts'
import type { Findings } from './findings.ts'

/** An observation as a neighbour is shown. */
export type ShownObservation = z.infer<typeof NeighbourObservation>
type Neighbours = { before: ShownObservation[]; after: ShownObservation[] }

const noNeighbours: Around = { before: [], after: [] }

/** The hits, each with the observations of its entity before and after it, up to `count` on each side. */
export async function loadWithNeighbours(
  { db }: Context,
  scope: Scope,
  { around, observation }: Pick<Findings, 'around' | 'observation'>,
  hits: readonly RankedObservation[],
  count: number,
): Promise<{ observations: Map<string, ShownObservation>; neighbours: Map<string, Neighbours> }> {
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
  const observations = await loadObservations(db, scope, [...ids], observation)
  const show = (wanted: readonly number[]): ShownObservation[] =>
    wanted.flatMap((number) => observations.get(toId('obs', number)) ?? [])
  const neighbours = new Map(
    [...idsOf].map(([id, { before, after }]) => [
      toId('obs', id),
      { before: show(before), after: show(after) },
    ]),
  )
  return { observations, neighbours }
}

/** Those that ranking has read, and the others from the database. */
export async function loadObservations(
  db: Db,
  scope: Scope,
  ids: readonly number[],
  read: Findings['observation'],
): Promise<Map<string, ShownObservation>> {
  const observations = new Map<string, ShownObservation>()
  const unread: string[] = []
  for (const number of ids) {
    const [id, found] = [toId('obs', number), read(number)]
    if (found === undefined) unread.push(id)
    else observations.set(id, { id, content: found.content, createdAt: toIso(found.createdAt) })
  }
  for (const { id, content, createdAt } of await findObservations(db, scope, unread))
    observations.set(id, { id, content, createdAt })
  return observations
}
