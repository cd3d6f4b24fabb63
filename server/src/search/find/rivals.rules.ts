import { hashText } from '../../ground/lib/hash-text.ts'
import { memoised } from '../../ground/lib/memoised.ts'
import { analyse } from '../analyse/analyser.ts'
import { likenessOf, toTextVector } from '../meaning/word-vectors.ts'
import { tellsOfChange } from './change-words.ts'
import { type Count, givesNewCount, readCounts } from './new-counts.ts'
import { giveTwoValues } from './single-values.ts'

/** The least sum of both likenesses, of 2, with which a fact is named as a rival. */
const rivalMin = 0.1

type Fact = { content: string }

/**
 * Of other facts about an entity, those that could say the same as a text or the opposite, nearest first, by their rare
 * words and, in English, by their meaning. `npm run bench:rivals` measures it.
 */
export function findRivals<T extends Fact>(
  text: string,
  others: readonly T[],
  { termsOf, meaningOf }: FactReader,
): T[] {
  const meaning = meaningOf(text)
  const likeness = compareWords(termsOf, [...others.map(({ content }) => content), text])(others.length)
  return others
    .map((fact, i) => ({ fact, score: likeness[i]! + likenessOf(meaning, meaningOf(fact.content)) }))
    .filter(({ score }) => score >= rivalMin)
    .sort((a, b) => b.score - a.score)
    .map(({ fact }) => fact)
}

/** Facts up to this length are one statement; longer ones speak of several things. */
const statementMax = 120
/** A longer text tells of too much to say what it replaces. */
const passageMax = 600
/** The least likeness of words with which a text that tells of a change replaces a statement, or a longer text. */
const statementMin = 0.1
const passageMin = 0.15
/** The same for the meaning of statements. */
const meaningMin = 0.4
/** Long texts that are so alike are versions, also without a word of change. */
const versionMin = 0.3
/** A value can have been told twice before it changed. */
const replacedMax = 2

/**
 * Of earlier facts about an entity, those that a text seems to replace, nearest first. Likeness alone is no sign: "Speaks Spanish"
 * and "Speaks Portuguese" are alike, and both true. So the text has to tell of a change ("now", "moved", "no longer"), or
 * to give another value where there is one at a time ("lives in").
 * `npm run bench:rivals` measures it.
 */
export function findReplaced<T extends Fact>(
  text: string,
  earlier: readonly T[],
  name: string,
  reader: FactReader = createFactReader(name),
  compared: Compared = compareWithEarlier([...earlier, { content: text }], reader),
): T[] {
  if (text.length > passageMax) return []
  const { meaningOf, countsOf } = reader
  const tells = tellsOfChange(text)
  const isPassage = ({ content }: Fact) => Math.max(text.length, content.length) > statementMax
  const givesOther = ({ content }: Fact) => giveTwoValues(content, text, name)
  if (!tells && !earlier.some((fact) => isPassage(fact) || givesOther(fact))) return []
  const recounts = ({ content }: Fact) => tells && givesNewCount(countsOf(text), countsOf(content))
  const couldReplace = ({ fact, score }: { fact: T; score: number }) => {
    if (recounts(fact)) return true
    if (isPassage(fact)) return score >= (tells ? passageMin : versionMin)
    if (givesOther(fact)) return true
    if (!tells) return false
    return score >= statementMin || likenessOf(meaningOf(text), meaningOf(fact.content)) >= meaningMin
  }
  // Of such facts, the second most alike is usually another one.
  const isOnlyAlike = (fact: Fact) => !isPassage(fact) && !givesOther(fact) && !recounts(fact)
  const scored = (ofPassages: boolean) => {
    if (!earlier.some((fact) => isPassage(fact) === ofPassages)) return []
    const scores = (ofPassages ? compared.terms : compared.content)(earlier.length)
    return earlier.flatMap((fact, i) => (isPassage(fact) === ofPassages ? [{ fact, score: scores[i]! }] : []))
  }
  return [...scored(true), ...scored(false)]
    .filter(couldReplace)
    .sort((a, b) => b.score - a.score)
    .filter(({ fact }, place) => place === 0 || (place < replacedMax && !isOnlyAlike(fact)))
    .map(({ fact }) => fact)
}

/** How alike the fact at a place is to each before it, by all words or by those that are no function words. */
type Compared = { terms: Comparer; content: Comparer }
type Comparer = (place: number) => number[]

/** Compares facts of one entity, read once however many of them are then compared with those before them. */
export function compareWithEarlier(facts: readonly Fact[], { termsOf, contentOf }: FactReader): Compared {
  const contents = facts.map(({ content }) => content)
  return { terms: compareWords(termsOf, contents), content: compareWords(contentOf, contents) }
}

/**
 * The cosine of the rare words of a text and of each before it, from 0 to 1. Words that most of them have tell little; the
 * words of the entity's name tell nothing. Function words tell that two facts are built alike; but "moved to" replaces
 * nothing in "allergic to".
 */
function compareWords(termsOf: FactReader['termsOf'], contents: readonly string[]): Comparer {
  let numbers: ReturnType<typeof numberTerms> | undefined
  return (place) => {
    numbers ??= numberTerms(contents.map(termsOf))
    const texts = numbers.texts.slice(0, place + 1)
    const counts = new Uint16Array(numbers.count)
    for (const text of texts) for (const term of text) counts[term]! += 1
    const weightOfCount = Float64Array.from(
      { length: place + 2 },
      (_, count) => Math.log(1 + (place + 1) / count) ** 2,
    )
    const about = texts[place]!
    const isAbout = new Uint8Array(numbers.count)
    let sizeOfAbout = 0
    for (const term of about) {
      isAbout[term] = 1
      sizeOfAbout += weightOfCount[counts[term]!]!
    }
    return texts.slice(0, place).map((text) => {
      let [size, shared] = [0, 0]
      for (const term of text) {
        const weight = weightOfCount[counts[term]!]!
        size += weight
        if (isAbout[term] === 1) shared += weight
      }
      return shared === 0 ? 0 : shared / Math.sqrt(sizeOfAbout * size)
    })
  }
}

/** Terms as numbers from 0, in which counts are found at once. */
function numberTerms(texts: readonly Uint32Array[]): { texts: Uint32Array[]; count: number } {
  const numbers = new Map<number, number>()
  const numberOf = (term: number) => {
    const known = numbers.get(term) ?? numbers.size
    numbers.set(term, known)
    return known
  }
  const numbered = texts.map((terms) => terms.map(numberOf))
  return { texts: numbered, count: numbers.size }
}

/** Reads facts of one entity, without the words of its name, and remembers up to `max` of them. */
type FactReader = {
  /** Hashes of its terms. */
  termsOf: (content: string) => Uint32Array
  /** The same without function words. */
  contentOf: (content: string) => Uint32Array
  meaningOf: (content: string) => Int8Array | undefined
  countsOf: (content: string) => readonly Count[]
}

/** More than are ever compared at once. */
const factsMax = 1_000

export function createFactReader(name: string, max = factsMax): FactReader {
  const inName = new Set(readTerms(name).all)
  const wordsOfName = new Set(name.toLowerCase().match(word))
  const withoutName = (content: string) =>
    content.replace(word, (found) => (wordsOfName.has(found.toLowerCase()) ? '' : found))
  const isNoName = (term: number) => !inName.has(term)
  return {
    termsOf: memoised(max, (content) => readTerms(content).all.filter(isNoName)),
    contentOf: memoised(max, (content) => readTerms(content).content.filter(isNoName)),
    meaningOf: memoised(max, (content) => toTextVector(withoutName(content))),
    countsOf: memoised(max, readCounts),
  }
}

/** Of the last texts compared, whatever their entities: the next question often finds the same. */
const readTerms = memoised(2 * factsMax, (text) => {
  const tokens = analyse(text).tokens.filter(({ term }) => !isNumber.test(term))
  const hashesOf = (some: typeof tokens) => Uint32Array.from(new Set(some.map(({ term }) => hashText(term))))
  return { all: hashesOf(tokens), content: hashesOf(tokens.filter(({ isStop }) => !isStop)) }
})

/** Numbers and dates are alike by chance. */
const isNumber = /\d/
const word = /\p{L}+/gu
