import type { Understanding } from '@loci/contract/search'
import { counted } from '../../ground/lib/counted.ts'
import { inLine } from '../../ground/lib/for-models.ts'
import type { Recalled } from './recalled.ts'

const wordsMax = 6
/** Results are counted up to this number. */
const countedMax = 100

/** Sentences about how the question was read: words that match nothing stored, and guesses. */
export function sentencesOfReading(understood: Understanding): string[] {
  return [...nearSentences(understood), ...unknownSentences(understood), ...guessSentences(understood)]
}

/** Sentences about the answer: that it is empty, or what was left out. */
export function sentencesOfAnswer(
  understood: Understanding,
  recalled: Recalled,
  { isShort = false, isFiltered = false, isWordless = false, now = Number.POSITIVE_INFINITY } = {},
): string[] {
  const isEmpty = ['rules', 'observations', 'relations', 'entities'].every((key) => !(key in recalled))
  return [
    ...(isEmpty && recalled.said !== undefined
      ? ['No fact is remembered about this, but it was talked about.']
      : []),
    ...(isEmpty && recalled.said === undefined
      ? [isWordless ? noWords : emptySentence(understood, isFiltered, now)]
      : []),
    ...listSentences(understood, recalled, isFiltered),
    ...restSentences(recalled, isShort),
  ]
}

const noWords = 'The query has no words: ask a question, or call read_graph for everything.'

/** Other words would not help a question that is only about a time, and has no other bounds. */
function emptySentence(
  { times: [time] = [], unknown, guesses }: Understanding,
  isFiltered: boolean,
  now: number,
): string {
  if (time === undefined || isFiltered || unknown !== undefined || guesses !== undefined) {
    return 'Nothing is remembered about this; ask in other words.'
  }
  const [first, last] = [time.from.slice(0, 10), lastDay(time.to)]
  if (Date.parse(time.to) <= now + 1) return `Nothing was stored from ${first} until ${last}.`
  return `Nothing is remembered with a date ${first === last ? `on ${first}` : `from ${first} until ${last}`}.`
}

/** The end is exclusive. */
const lastDay = (to: string) => new Date(Date.parse(to) - 1).toISOString().slice(0, 10)

const quote = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(', ')

function nearSentences({ near = [] }: Understanding): string[] {
  return near.map(({ word, entities }) => {
    const names = entities.map(({ name, type }) => `${JSON.stringify(name)} (${inLine(type)})`)
    return `No entity is named ${JSON.stringify(word)}; similar: ${names.join(', ')}.`
  })
}

const capitalised = /^\p{Lu}/u

function unknownSentences({ unknown = [] }: Understanding): string[] {
  if (unknown.length === 0) return []
  const words = unknown.length === 1 ? 'the word' : 'the words'
  // A name may be stored in another script, which only an alias connects with these letters.
  const spelling = unknown.some((word) => capitalised.test(word)) ? ' in these letters' : ''
  return [`Nothing stored has ${words} ${quote(unknown.slice(0, wordsMax))}${spelling}.`]
}

function guessSentences({ guesses = [] }: Understanding): string[] {
  return guesses
    .slice(0, wordsMax)
    .map(
      ({ word, taken }) =>
        `Nothing stored has the word ${quote([word])}; guessed ${quote(taken.slice(0, 3))}.`,
    )
}

function listSentences(
  { listed }: Understanding,
  { entities = [] }: Recalled,
  isFiltered: boolean,
): string[] {
  if (listed === undefined) return []
  const of = `of type ${quote(listed.types)}`
  const total = counted(listed.total, 'entity', 'entities')
  const outside = 'outside the types and times asked for'
  if (entities.length === 0) {
    if (!isFiltered)
      return [`There ${listed.total === 1 ? 'is' : 'are'} ${total} ${of}; raise maxTokens to see them.`]
    return [
      listed.total === 1 ? `The only entity ${of} is ${outside}.` : `All ${total} ${of} are ${outside}.`,
    ]
  }
  if (entities.length < listed.total) {
    const others = isFiltered
      ? `Others are ${outside}, or need a higher maxTokens.`
      : 'For others raise maxTokens, or ask more precisely.'
    return [`These are the newest ${entities.length} of ${total} ${of}. ${others}`]
  }
  return [listed.total === 1 ? `This is the only entity ${of}.` : `These are all ${total} ${of}.`]
}

const typesMax = 10

/** What to ask for instead of types that no entity has. */
export function sentenceOfTypes(
  asked: readonly string[],
  used: readonly { type: string; count: number }[],
): string | undefined {
  const unused = asked.filter((type) => used.every((one) => one.type !== type))
  if (unused.length === 0) return undefined
  const told = used.slice(0, typesMax).map(({ type, count }) => `${inLine(type)} (${count})`)
  const others = used.length > typesMax ? `, and ${used.length - typesMax} more` : ''
  const there = told.length === 0 ? '' : `; the types are ${told.join(', ')}${others}`
  return `No entity is of type ${quote(unused.slice(0, wordsMax))}${there}.`
}

function restSentences({ observations = [], total }: Recalled, isShort: boolean): string[] {
  if (total === undefined) return []
  if (isShort)
    return [`The best ${observations.length} matching observations are shown; for more, set limit.`]
  return [
    `${observations.length} of ${total < countedMax ? total : `at least ${total}`} matching observations are shown. Ask more precisely, or raise limit or maxTokens.`,
  ]
}
