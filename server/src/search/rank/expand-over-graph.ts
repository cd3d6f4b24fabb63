import { toId } from '../../ground/lib/ids.ts'
import { findEntitiesByName } from '../../rows/entities.repo.ts'
import { numberOf } from '../../rows/numbers-of.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findConnections } from '../store/search.repo.ts'
import { type Edge, rankFromSeeds } from './page-rank.ts'
import type { RankedObservation } from './ranking.ts'

/** Number of best hits from which the walk starts. */
export const seedHits = 3
const hops = 2
const connectionsPerHop = 1_000
const wordsPerNameMax = 6
const mentionTextMax = 4_000
const namedWeight = 1

/** Scores the closeness of entities, by relations and mentions, to the best hits and the entities named. */
export async function expandOverGraph(
  ctx: Context,
  scope: Scope,
  ranked: readonly RankedObservation[],
  namedIds: readonly number[],
): Promise<Map<number, number>> {
  const seeds = new Map<number, number>(namedIds.map((id) => [id, namedWeight]))
  const best = ranked.slice(0, seedHits)
  for (const { passage, score } of best) {
    seeds.set(passage.entityId, (seeds.get(passage.entityId) ?? 0) + score)
  }
  const edges: Edge[] = await findMentions(
    ctx,
    scope,
    best.map(({ passage }) => passage.observationId),
  )
  let frontier = [...new Set([...seeds.keys(), ...edges.map(([, mentioned]) => mentioned)])]
  const visited = new Set(frontier)
  for (let hop = 0; hop < hops && frontier.length > 0; hop += 1) {
    const connections = await findConnections(ctx.db, scope, frontier, connectionsPerHop)
    edges.push(...connections)
    frontier = [...new Set(connections.flat())].filter((id) => !visited.has(id))
    for (const id of frontier) visited.add(id)
  }
  return rankFromSeeds(seeds, distinct(edges))
}

/** Finds the entities that the observations mention by name. */
async function findMentions(ctx: Context, scope: Scope, observationIds: readonly number[]): Promise<Edge[]> {
  const ids = observationIds.map((id) => toId('obs', id))
  const observations = await findObservations(ctx.db, scope, ids)
  const spoken = observations.map(({ entityId, content }) => ({ entityId, names: possibleNames(content) }))
  const names = [...new Set(spoken.flatMap((observation) => [...observation.names]))]
  const mentioned = await findEntitiesByName(ctx.db, scope, names)
  return spoken.flatMap(({ entityId, names }) =>
    mentioned
      .filter(({ id, name }) => id !== entityId && names.has(name))
      .map(({ id }): Edge => [numberOf('ent', entityId), numberOf('ent', id)]),
  )
}

/** All sequences of up to six words of a text, since entity names are matched exactly. */
function possibleNames(content: string): Set<string> {
  const text = content.slice(0, mentionTextMax)
  const words = [...text.matchAll(/[\p{L}\p{N}][^\s,;:!?()"]*/gu)]
  const names = new Set<string>()
  words.forEach((first, i) => {
    for (const last of words.slice(i, i + wordsPerNameMax)) {
      const name = text.slice(first.index, last.index + last[0].length)
      names.add(name)
      names.add(name.replace(/(?:['’]s|[.'’])$/u, ''))
    }
  })
  return names
}

function distinct(edges: readonly Edge[]): Edge[] {
  const keyed = edges
    .filter(([a, b]) => a !== b)
    .map((edge): [string, Edge] => [[...edge].sort().join(' '), edge])
  return [...new Map(keyed).values()]
}
