import { type Random, shuffle } from '../random.ts'
import { type FactKind, factKinds } from './facts.ts'
import { isAbout, isFact } from './judges.ts'
import type { InventedEntity, InventedFact, InventedMemory } from './memory.ts'
import type { Asked } from './questions.ts'
import { relationKinds } from './relations.ts'

type Known = { entity: InventedEntity; fact: InventedFact; kind: FactKind }

/** In words of the fact: that fact must come first. */
export function askForAttributes(random: Random, memory: InventedMemory): Asked[] {
  return sampleFacts(random, memory, ({ asks }) => asks.length > 0, 40).map(({ entity, fact, kind }, i) => ({
    text: kind.asks[i % kind.asks.length]!.replace('_', entity.name),
    wanted: `${entity.name}: ${fact.content}`,
    isRight: isFact(entity, fact),
  }))
}

/** In words that the fact lacks: any fact of the entity asked about must come first. */
export function askOtherwise(random: Random, memory: InventedMemory): Asked[] {
  const usable = ({ asksOtherwise }: FactKind) => asksOtherwise.length > 0
  return sampleFacts(random, memory, usable, 30).map(({ entity, kind }) => ({
    text: kind.asksOtherwise[0]!.replace('_', entity.name),
    wanted: entity.name,
    isRight: isAbout(entity),
  }))
}

/** Others have such a fact or relation, the entity asked about does not. */
export function askForMissingFacts(random: Random, memory: InventedMemory): Asked[] {
  const people = memory.entities.filter(({ type, facts }) => type === 'person' && facts.length > 0)
  const lacking = shuffle(random, people).slice(0, 30)
  return lacking.map((entity, i) => ({
    text: (i % 3 === 2 ? missingRelation(memory, entity) : missingFact(entity, i)).replace('_', entity.name),
    wanted: entity.name,
    isRight: isAbout(entity),
  }))
}

function missingFact({ facts }: InventedEntity, i: number): string {
  const known = new Set(facts.map(({ kind }) => kind))
  const missing = factKinds.person.filter((_, kind) => !known.has(kind))
  return missing[i % missing.length]!.asks[0]!
}

function missingRelation({ relations }: InventedMemory, { name, type }: InventedEntity): string {
  const missing = relationKinds.find(
    (kind) =>
      kind.from === type &&
      !relations.some((relation) => relation.type === kind.type && relation.from === name),
  )
  return missing?.forward[0] ?? 'What is the shoe size of _?'
}

function sampleFacts(
  random: Random,
  { entities }: InventedMemory,
  isUsable: (kind: FactKind) => boolean,
  count: number,
): Known[] {
  const known = entities.flatMap((entity) =>
    entity.facts.flatMap((fact): Known[] => {
      const kind = factKinds[entity.type][fact.kind ?? -1]
      return kind === undefined || !isUsable(kind) ? [] : [{ entity, fact, kind }]
    }),
  )
  return shuffle(random, known).slice(0, count)
}
