import { type Random, shuffle } from '../random.ts'
import { showsPath, showsRelation } from './judges.ts'
import type { InventedMemory, InventedRelation } from './memory.ts'
import type { Asked } from './questions.ts'
import { relationKinds } from './relations.ts'

const perKind = 3

/** "Where does Ada work?" */
export function askForward(random: Random, memory: InventedMemory): Asked[] {
  return relationKinds.flatMap(({ type, forward }) =>
    sampleRelations(random, memory, type, perKind).map(({ from, to }, i) => ({
      text: forward[i % forward.length]!.replace('_', from),
      wanted: `${from} ${type} ${to}`,
      isRight: showsRelation((shown) => shown.from === from && shown.type === type),
    })),
  )
}

/** "Who works at Lumenvale?" */
export function askBackward(random: Random, memory: InventedMemory): Asked[] {
  return relationKinds.flatMap(({ type, backward }) =>
    sampleRelations(random, memory, type, perKind).map(({ from, to }, i) => ({
      text: backward[i % backward.length]!.replace('_', to),
      wanted: `${from} ${type} ${to}`,
      isRight: showsRelation((shown) => shown.to === to && shown.type === type),
    })),
  )
}

/** Questions that take two relations to answer. */
export function askPaths(random: Random, memory: InventedMemory): Asked[] {
  return [
    ...askConnections(random, memory),
    ...askChain(random, memory, ['owns', 'works_at'], ({ to }) => `Where does the owner of ${to} work?`),
    ...askChain(random, memory, ['leads', 'lives_in'], ({ to }) => `Where does the lead of ${to} live?`),
  ]
}

/** Two colleagues, or the two ends of one relation. */
function askConnections(random: Random, { relations }: InventedMemory): Asked[] {
  const forms = [
    (a: string, b: string) => `How is ${a} connected with ${b}?`,
    (a: string, b: string) => `What connects ${a} and ${b}?`,
  ]
  const jobs = shuffle(
    random,
    relations.filter(({ type }) => type === 'works_at'),
  )
  const colleagues = jobs.flatMap((job) => {
    const other = jobs.find(({ from, to }) => to === job.to && from > job.from)
    return other === undefined ? [] : [[job.from, other.from] as const]
  })
  const neighbours = shuffle(random, relations).map(({ from, to }) => [from, to] as const)
  return [...colleagues.slice(0, 8), ...neighbours.slice(0, 4)].map(([a, b], i) => ({
    text: forms[i % forms.length]!(a, b),
    wanted: `a path from ${a} to ${b}`,
    isRight: showsPath(pathsBetween(relations, a, b)),
  }))
}

/** The entity with the first relation has the second as well. */
function askChain(
  random: Random,
  { relations }: InventedMemory,
  [first, second]: [string, string],
  toQuestion: (relation: InventedRelation) => string,
): Asked[] {
  const chains = relations.flatMap((relation) => {
    const next = relations.find(({ from, type }) => from === relation.from && type === second)
    return relation.type === first && next !== undefined ? [[relation, next] as const] : []
  })
  return shuffle(random, chains)
    .slice(0, 6)
    .map(([relation, next]) => ({
      text: toQuestion(relation),
      wanted: `${relation.from} ${first} ${relation.to}, ${second} ${next.to}`,
      isRight: showsPath([[relation, next]]),
    }))
}

/** Paths of one or two relations, in either direction. */
function pathsBetween(relations: readonly InventedRelation[], a: string, b: string): InventedRelation[][] {
  const at = (name: string) => relations.filter(({ from, to }) => from === name || to === name)
  const otherEnd = ({ from, to }: InventedRelation, name: string) => (from === name ? to : from)
  return at(a).flatMap((first) => {
    const middle = otherEnd(first, a)
    if (middle === b) return [[first]]
    return at(middle)
      .filter((second) => otherEnd(second, middle) === b)
      .map((second) => [first, second])
  })
}

function sampleRelations(random: Random, { relations }: InventedMemory, type: string, count: number) {
  const ofType = relations.filter((relation) => relation.type === type)
  return shuffle(random, ofType).slice(0, count)
}
