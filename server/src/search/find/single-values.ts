import { memoised } from '../../ground/lib/memoised.ts'

/** Verbs after which a thing has one value at a time, whatever stands before them. */
const always =
  /^(.*?)\b(lives? in|moved to|resides? in|(?:is|are) (?:based|located) in|works? (?:at|for)|reports? to|(?:is |are )?owned by|(?:is |are )?managed by|(?:is |are )?maintained by|married to|costs?|weighs?|runs on version|wohnt in|lebt in|arbeitet bei|gehört|kostet|vive en|trabaja en|cuesta|habite à|travaille chez|coûte)\s+(.+)$/iu

/** And those after which the thing that is named before them has one: "Timeout is 30 seconds". */
const named = /^(.+?)\s(is|are|ist|sind|es|est|=)\s+(.+)$/iu

const japanese = /^(.*?)(に住んでいる|に住んでいます|で働いている|に勤めている)[。.]?$/u

type Statement = { about: string; verb: string; value: string }

/**
 * Whether two statements give one thing two values, of which only one can hold: "lives in Berlin", "lives in Lisbon".
 * `name` is that of the entity that both are about.
 */
export function giveTwoValues(one: string, other: string, name: string): boolean {
  const statementOf = readerOf(name)
  const first = statementOf(one)
  const second = statementOf(other)
  if (first === null || second === null) return false
  return (
    first.verb === second.verb &&
    first.about === second.about &&
    !continues(first.value, second.value) &&
    !continues(second.value, first.value)
  )
}

/** "Berlin since 2019" is no other value than "Berlin". */
const continues = (value: string, beginning: string) => `${value} `.startsWith(`${beginning} `)

/** Each fact of an entity is compared with several others, and by the next question again. */
const namesMax = 50
const textsMax = 50
const keptLengthMax = 1_000
const readerOf = memoised(namesMax, (name) =>
  memoised(textsMax, (text) => readStatement(text, name), keptLengthMax),
)

function readStatement(text: string, name: string): Statement | null {
  const [, place, verb = ''] = japanese.exec(text) ?? []
  if (place !== undefined) return { about: '', verb, value: normal(place.replace(name, '')) }
  const [, before = '', certain, value = ''] = always.exec(text) ?? []
  if (certain !== undefined)
    return { about: aboutOf(before, name), verb: stemOf(certain), value: normal(value) }
  const [, thing = '', copula, state = ''] = named.exec(text) ?? []
  const about = aboutOf(thing, name)
  // "Is left-handed" and "Maya is kind" say nothing of a thing with one value.
  if (copula === undefined || about === '') return null
  return { about, verb: 'is', value: normal(state) }
}

const normal = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** `live in` and `lives in` are one, and so is what else says where somebody is. */
const stemOf = (verb: string) =>
  normal(verb)
    .replace(/^(?:is|are) /, '')
    .replace(/^(\w+?)s?\b/, '$1')
    .replace(/^(?:moved to|reside in|based in|located in)$/, 'live in')

const idle = new Set('the a an he she they it i his her its their my s der die das el la le'.split(' '))

/** What stands before the verb, without the name, articles and pronouns. */
function aboutOf(before: string, name: string): string {
  const words = new Set(normal(name).split(' '))
  return normal(before)
    .split(' ')
    .filter((one) => !words.has(one) && !idle.has(one))
    .join(' ')
}
