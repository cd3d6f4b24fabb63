import { numberOf, toId } from '../../ground/lib/ids.ts'
import { matchesOf } from '../../ground/lib/matches.ts'
import type { Context } from '../../tenancy/context.ts'
import { readEntitiesNamed, readObservations } from '../store/read-space.ts'
import { findConnections } from '../store/search.repo.ts'
import type { WithMemory } from '../store/search-index.repo.ts'
import type { RankedObservation } from './ranking.ts'
import type { RerankedObservation } from './rerank.ts'

const hops = 2
const connectionsPerHop = 1_000
const wordsPerNameMax = 6
const mentionTextMax = 4_000
const namedWeight = 1

/** Scores the closeness of entities, by relations and mentions, to the best hits and the entities named. */
export async function expandOverGraph(
  ctx: Context,
  scope: WithMemory,
  best: readonly RankedObservation[],
  namedIds: readonly number[],
): Promise<Map<number, number>> {
  const seeds = new Map<number, number>(namedIds.map((id) => [id, namedWeight]))
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

/**
 * How far nearness to the best hits counts, 0 to 1: what is near to hits that fit the question badly is no answer. From a
 * mean score of 1 on, all counts.
 */
export function suretyOf(best: readonly RankedObservation[]): number {
  const total = best.reduce((sum, { score }) => sum + score, 0)
  return Math.min(1, total / (best.length || 1)) ** 2
}

/** How steeply what is gained falls with the score. */
const steepness = 8

/** The best by itself gains as much as the nearest by the graph, and others by their scores: none is overtaken for being near. */
export function liftBest(ranked: readonly RerankedObservation[]): RerankedObservation[] {
  const ownOf = ({ score, parts }: RankedObservation) => score - parts.graph
  const nearest = ranked.reduce((most, { parts }) => Math.max(most, parts.graph), 0)
  if (nearest === 0) return [...ranked]
  const best = ranked.reduce((most, hit) => Math.max(most, ownOf(hit)), 0) || 1
  const lifted = ranked.map((hit) => {
    const own = ownOf(hit)
    const graph = Math.max(hit.parts.graph, nearest * Math.max(0, own / best) ** steepness)
    return { ...hit, score: own + graph, parts: { ...hit.parts, graph } }
  })
  return lifted.sort((a, b) => b.score - a.score || b.passage.observationId - a.passage.observationId)
}

/** Finds the entities that the observations mention by name. */
async function findMentions(
  ctx: Context,
  scope: WithMemory,
  observationIds: readonly number[],
): Promise<Edge[]> {
  const ids = observationIds.map((id) => toId('obs', id))
  const observations = await readObservations(ctx.db, scope, ids)
  const mayBegin = scope.memory?.mayBeginName ?? (() => true)
  const spoken = observations.map(({ entityId, content }) => ({
    entityId,
    names: possibleNames(content, mayBegin),
  }))
  const names = [...new Set(spoken.flatMap((observation) => [...observation.names]))]
  const mentioned = await readEntitiesNamed(ctx.db, scope, names)
  return spoken.flatMap(({ entityId, names }) =>
    mentioned
      .filter(({ id, name }) => id !== entityId && names.has(name))
      .map(({ id }): Edge => [numberOf('ent', entityId), numberOf('ent', id)]),
  )
}

/** All sequences of up to six words of a text with which a name may begin, since entity names are matched exactly. */
function possibleNames(content: string, mayBegin: (text: string, at: number) => boolean): Set<string> {
  const text = content.slice(0, mentionTextMax)
  const words = matchesOf(nameWord, text)
  const names = new Set<string>()
  words.forEach((first, i) => {
    if (!mayBegin(text, first.index)) return
    for (const last of words.slice(i, i + wordsPerNameMax)) {
      const name = text.slice(first.index, last.index + last[0].length)
      names.add(name)
      names.add(name.replace(/(?:['’]s|[.'’])$/u, ''))
    }
  })
  return names
}

const nameWord = /[\p{L}\p{N}][^\s,;:!?()"]*/gu

function distinct(edges: readonly Edge[]): Edge[] {
  const keyed = edges
    .filter(([a, b]) => a !== b)
    .map((edge): [string, Edge] => [[...edge].sort().join(' '), edge])
  return [...new Map(keyed).values()]
}

/** An undirected edge between two nodes. */
export type Edge = readonly [number, number]

const damping = 0.85
const rounds = 20

/**
 * Personalised PageRank (Haveliwala 2002): how often a random walk visits each node if, at each step, it returns to the
 * seeds, in proportion to their weights, with probability 0.15.
 */
export function rankFromSeeds(
  seeds: ReadonlyMap<number, number>,
  edges: readonly Edge[],
): Map<number, number> {
  const neighbours = new Map<number, number[]>()
  for (const [a, b] of edges) {
    append(neighbours, a, b)
    append(neighbours, b, a)
  }
  const total = [...seeds.values()].reduce((sum, weight) => sum + weight, 0) || 1
  let ranks = new Map([...seeds].map(([node, weight]) => [node, weight / total]))
  for (let round = 0; round < rounds; round += 1) {
    const next = new Map<number, number>()
    let returning = 0
    for (const [node, rank] of ranks) {
      const targets = neighbours.get(node)
      returning += targets === undefined ? rank : rank * (1 - damping)
      for (const target of targets ?? []) {
        next.set(target, (next.get(target) ?? 0) + (rank * damping) / targets!.length)
      }
    }
    for (const [node, weight] of seeds) next.set(node, (next.get(node) ?? 0) + (returning * weight) / total)
    ranks = next
  }
  return scaleReached(ranks, seeds)
}

/**
 * Scales ranks to 0..1, excluding seeds (they rank high only because walks restart there). Nodes reached about equally
 * are damped towards 0: if everything is connected to everything, nothing is near.
 */
function scaleReached(ranks: ReadonlyMap<number, number>, seeds: ReadonlyMap<number, number>) {
  const reached = [...ranks].filter(([node]) => !seeds.has(node))
  const greatest = reached.reduce((max, [, rank]) => Math.max(max, rank), Number.MIN_VALUE)
  const count = Math.max(1, reached.length)
  const mean = reached.reduce((sum, [, rank]) => sum + rank, 0) / count
  const common = mean * (1 - 1 / Math.sqrt(count))
  return new Map(reached.map(([node, rank]) => [node, Math.max(0, rank - common) / greatest]))
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
