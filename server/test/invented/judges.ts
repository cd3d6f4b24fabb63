import type { ShownAnswer } from './answers.ts'
import type { InventedEntity, InventedFact, InventedMemory, InventedRelation } from './memory.ts'

/** True if the first item that an answer shows is right. */
export type Judge = (answer: ShownAnswer) => boolean

/** A relation counts as an answer among the first this many. */
const relationsRead = 3
const pathRelationsRead = 6

/** The entity's own fact is first; an entity without facts is first itself, or at an end of the first relation. */
export function isAbout({ name, facts }: InventedEntity): Judge {
  if (facts.length > 0) return (answer) => answer.facts[0]?.entity === name
  return ({ entities, relations: [relation] }) =>
    entities[0] === name || relation?.from === name || relation?.to === name
}

export function isFact({ name }: InventedEntity, { content }: InventedFact): Judge {
  return ({ facts: [first] }) => first?.entity === name && first.content === content
}

/** The first fact is of a right entity; one without facts may be the first entity instead. */
export function isAboutOneOf(right: readonly InventedEntity[]): Judge {
  const names = new Set(right.map(({ name }) => name))
  const bare = new Set(right.filter(({ facts }) => facts.length === 0).map(({ name }) => name))
  return ({ facts, entities }) => names.has(facts[0]?.entity ?? '') || bare.has(entities[0] ?? '')
}

/** The first fact is one of the fitting ones. */
export function isFactThat({ entities }: InventedMemory, fits: (fact: InventedFact) => boolean): Judge {
  const right = new Set(
    entities.flatMap(({ name, facts }) => facts.filter(fits).map(({ content }) => `${name}\n${content}`)),
  )
  return ({ facts: [first] }) => first !== undefined && right.has(`${first.entity}\n${first.content}`)
}

export function showsRelation(fits: (relation: InventedRelation) => boolean): Judge {
  return ({ relations }) => relations.slice(0, relationsRead).some(fits)
}

/** One of the paths is shown from end to end. */
export function showsPath(paths: readonly InventedRelation[][]): Judge {
  const keyOf = ({ from, type, to }: InventedRelation) => `${from}\n${type}\n${to}`
  return ({ relations }) => {
    const shown = new Set(relations.slice(0, pathRelationsRead).map(keyOf))
    return paths.some((path) => path.every((relation) => shown.has(keyOf(relation))))
  }
}

/** All results are of this type. */
export function isAllOfType({ entities }: InventedMemory, type: string): Judge {
  const names = new Set(entities.filter((entity) => entity.type === type).map(({ name }) => name))
  return (answer) => {
    const shown = [...answer.facts.map(({ entity }) => entity), ...answer.entities]
    return shown.length > 0 && shown.every((name) => names.has(name))
  }
}

/** The answer says that nothing has this name, or is empty. */
export function deniesName(name: string): Judge {
  const telling = name.split(' ').at(-1)!.toLowerCase()
  return ({ notice, facts, relations, entities }) =>
    notice.toLowerCase().includes(telling) || facts.length + relations.length + entities.length === 0
}
