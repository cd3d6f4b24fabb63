import type { DuplicateReason } from '@loci/contract/duplicates'
import { foldName } from '../../search/analyse/name-letters.ts'
import { compareNames, type NameComparison, type Named } from './compare-names.rules.ts'
import { saysSame } from './same-as.rules.ts'

/** An entity with the texts of its newest facts and its relations. */
export type Side = Named & { id: number; facts: readonly string[]; relations: readonly SideRelation[] }
export type SideRelation = { neighbour: number; type: string }
/** A neighbour of both entities, and how many relations it has. */
export type Neighbour = { name: string; degree: number }

export type Weighed = { score: number; reasons: DuplicateReason[] }

/** Pairs with a lower score are not proposed. */
export const scoreMin = 0.6
const scoreMax = 0.99

/** The likelihood that two entities are the same thing, with the reasons; undefined if nothing suggests it. */
export function weighPair(
  one: Side,
  other: Side,
  neighbours: ReadonlyMap<number, Neighbour>,
): Weighed | undefined {
  const names = compareNames(one, other)
  const between = readRelationsBetween(one, other)
  if (names === undefined && (between === undefined || between.weight < 0)) return undefined
  const found = [
    fromNames(names),
    compareTypes(one, other),
    between,
    compareNeighbours(one, other, neighbours),
    compareFacts(one, other),
  ].filter((evidence) => evidence !== undefined)
  const sum = found.reduce((total, { weight }) => total + weight, 0)
  return {
    score: Math.round(Math.min(scoreMax, sum) * 100) / 100,
    reasons: found.flatMap(({ reason }) => reason ?? []),
  }
}

type Evidence = { weight: number; reason?: DuplicateReason }

/** If the names have nothing in common, a relation that says so is enough. */
function fromNames(names: NameComparison | undefined): Evidence {
  if (names === undefined) return { weight: 0.35 }
  return { weight: names.score, reason: { kind: names.isAlias ? 'alias' : 'name', text: names.reason } }
}

function compareTypes(one: Side, other: Side): Evidence {
  const isSame = foldName(one.type) === foldName(other.type)
  return isSame
    ? { weight: 0.05, reason: { kind: 'type', text: `Both are of the type ${one.type}` } }
    : { weight: -0.1 }
}

/** A relation between two entities implies that they are different things, unless it says that they are the same. */
function readRelationsBetween(one: Side, other: Side): Evidence | undefined {
  const between = one.relations.filter(({ neighbour }) => neighbour === other.id)
  if (between.length === 0) return undefined
  const said = between.find(({ type }) => saysSame(type))
  if (said === undefined) return { weight: -0.3 }
  return {
    weight: 0.3,
    reason: { kind: 'relation', text: `A relation of the type ${said.type} connects them` },
  }
}

const neighboursWeightMax = 0.25
const namesTold = 3

function compareNeighbours(
  one: Side,
  other: Side,
  neighbours: ReadonlyMap<number, Neighbour>,
): Evidence | undefined {
  const ofOther = new Set(other.relations.map(({ neighbour }) => neighbour))
  const shared = [...new Set(one.relations.map(({ neighbour }) => neighbour))]
    .filter((id) => ofOther.has(id) && id !== one.id && id !== other.id)
    .flatMap((id) => neighbours.get(id) ?? [])
    .sort((a, b) => a.degree - b.degree)
  if (shared.length === 0) return undefined
  // A shared hub, such as a country, says little.
  const sum = shared.reduce((total, { degree }) => total + 0.3 / Math.log2(2 + degree), 0)
  const told = shared.slice(0, namesTold).map(({ name }) => cut(name, 80))
  const more = shared.length > namesTold ? ` and ${shared.length - namesTold} more` : ''
  return {
    weight: Math.min(neighboursWeightMax, sum),
    reason: { kind: 'neighbours', text: `Both are related to ${told.join(', ')}${more}` },
  }
}

const factsWeightMax = 0.25
const alikeMin = 0.75
const wordsMin = 3

function compareFacts(one: Side, other: Side): Evidence | undefined {
  const said = tellsOfOther(one, other) ?? tellsOfOther(other, one)
  if (said !== undefined)
    return { weight: factsWeightMax, reason: { kind: 'wording', text: `A fact says "${cut(said, 120)}"` } }
  const names = new Set([one, other].flatMap((side) => [side.name, ...(side.aliases ?? [])].flatMap(wordsOf)))
  const others = other.facts.map((fact) => tellingWords(fact, names))
  const alike = one.facts.filter((fact) => {
    const words = tellingWords(fact, names)
    return others.some((more) => similarity(words, more) >= alikeMin)
  })
  if (alike.length === 0) return undefined
  const more = alike.length > 1 ? ` and ${alike.length - 1} more` : ''
  return {
    weight: Math.min(factsWeightMax, 0.15 + 0.05 * alike.length),
    reason: { kind: 'wording', text: `Both say "${cut(alike[0]!, 120)}"${more}` },
  }
}

const knownAs =
  /\b(?:known as|a\.?k\.?a\.?|short for|stands for|alias|nickname|goes by|formerly|renamed|same as)(?![\p{L}])/iu

/** The fact that gives the other entity's name as another name. */
function tellsOfOther({ name, facts }: Side, other: Side): string | undefined {
  const told = wordsOf(other.name).join(' ')
  if (` ${wordsOf(name).join(' ')} `.includes(` ${told} `)) return undefined
  return facts.find((fact) => {
    const at = knownAs.exec(fact)
    if (at === null) return false
    const after = wordsOf(fact.slice(at.index + at[0].length, at.index + at[0].length + told.length + 20))
    return ` ${after.join(' ')} `.includes(` ${told} `)
  })
}

const wordsOf = (text: string): string[] =>
  foldName(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')

const factWordsMax = 200

/** The words of a fact except those of the two names, which can differ. */
const tellingWords = (fact: string, names: ReadonlySet<string>) =>
  new Set(
    wordsOf(fact.slice(0, 2_000))
      .filter((word) => !names.has(word))
      .slice(0, factWordsMax),
  )

/** The share of words that two facts have in common (Jaccard). */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size < wordsMin || b.size < wordsMin) return 0
  const shared = a.intersection(b).size
  return shared / (a.size + b.size - shared)
}

const cut = (text: string, max: number) =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed().replaceAll(/\s+/g, ' ')
