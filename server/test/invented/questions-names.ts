import { type Random, shuffle } from '../random.ts'
import { deniesName, isAbout } from './judges.ts'
import type { InventedEntity, InventedMemory } from './memory.ts'
import type { Asked } from './questions.ts'
import { decisions, unknownNames } from './words.ts'

const count = 30

const about = (entity: InventedEntity, text: string): Asked => ({
  text,
  wanted: entity.name,
  isRight: isAbout(entity),
})

export function askBareNames(random: Random, { entities }: InventedMemory): Asked[] {
  return shuffle(random, entities)
    .slice(0, count)
    .map((entity) => about(entity, entity.name))
}

export function askWhoIs(random: Random, { entities }: InventedMemory): Asked[] {
  return shuffle(random, entities)
    .slice(0, count)
    .map((entity) => about(entity, `${entity.type === 'person' ? 'Who' : 'What'} is ${entity.name}?`))
}

export function askForAllKnown(random: Random, { entities }: InventedMemory): Asked[] {
  const forms = ['What do you know about _?', 'Tell me about _', 'What do we remember about _?', 'about _']
  return shuffle(random, entities)
    .slice(0, count)
    .map((entity, i) => about(entity, forms[i % forms.length]!.replace('_', entity.name)))
}

/** Different case or separators, no accents, or a typo in the longest word. */
export function askVariantsOfNames(random: Random, { entities }: InventedMemory): Asked[] {
  const forms = ['_', 'Who or what is _?', 'What do you know about _?']
  const variants = [toSnake, swapLetters, toKebab, dropLetter, toPlain, joinWords]
  const spelt = entities.filter(
    ({ type, name }) => (type === 'person' || type === 'project') && /[ _]/.test(name),
  )
  const services = entities.filter(({ type }) => type === 'service')
  const asked = [...shuffle(random, spelt).slice(0, 24), ...shuffle(random, services).slice(0, 6)]
  return asked.map((entity, i) => {
    const variant = entity.type === 'service' ? toPlain : variants[i % variants.length]!
    return about(entity, forms[i % forms.length]!.replace('_', variant(entity.name)))
  })
}

export function askPartsOfNames(random: Random, { entities }: InventedMemory): Asked[] {
  const forms = ['Tell me about _', 'Who or what is _?', '_', 'What do you know about _?']
  const parts = entities.flatMap((entity) => {
    const part = findTellingWord(entity, entities)
    return part === undefined || entity.type === 'decision' ? [] : [{ entity, part }]
  })
  const topics = shuffle(
    random,
    entities
      .filter(({ type }) => type === 'decision')
      .entries()
      .toArray(),
  )
  return [
    ...shuffle(random, parts)
      .slice(0, count - 8)
      .map(({ entity, part }, i) => about(entity, forms[i % forms.length]!.replace('_', part))),
    ...topics
      .slice(0, 8)
      .map(([i, decision]) => about(decision, `What was decided about ${decisions[i]![1]}?`)),
  ]
}

export function askAboutUnknown(_random: Random, _memory: InventedMemory): Asked[] {
  const forms = ['Who is _?', 'What does _ prefer for lunch?', '_']
  return unknownNames.flatMap((name, i) =>
    [0, 1].map((j) => ({
      text: forms[(i + j) % forms.length]!.replace('_', name),
      wanted: `says that ${name} is unknown`,
      isRight: deniesName(name),
    })),
  )
}

/**
 * A word that only this name has, and that is not the whole name: for people the last such word, otherwise
 * the first.
 */
function findTellingWord(
  { name, type }: InventedEntity,
  entities: readonly InventedEntity[],
): string | undefined {
  const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u)
  const isOwn = (word: string) =>
    word.length > 3 &&
    word !== name &&
    entities.filter((entity) => wordsOf(entity.name).includes(word)).length === 1
  return wordsOf(name)
    .filter(isOwn)
    .at(type === 'person' ? -1 : 0)
}

const toSnake = (name: string) => toPlain(name).replaceAll(' ', '_')
const toKebab = (name: string) => toPlain(name).replaceAll(' ', '-')
const joinWords = (name: string) => name.replaceAll(/[ _-]/g, '')

function toPlain(name: string): string {
  return name.replaceAll(/[_-]/g, ' ').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const inLongestWord = (name: string, change: (word: string) => string) => {
  const longest = name.split(/[ _]/).reduce((best, word) => (word.length > best.length ? word : best))
  return name.replace(longest, change(longest))
}

function swapLetters(name: string): string {
  return inLongestWord(name, (word) => word.slice(0, 2) + word[3]! + word[2]! + word.slice(4))
}

function dropLetter(name: string): string {
  return inLongestWord(name, (word) => word.slice(0, 3) + word.slice(4))
}
