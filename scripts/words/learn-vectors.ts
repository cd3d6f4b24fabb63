/**
 * Moves the vectors of words so that questions come nearer to the facts that answer them than to other facts, and
 * gives vectors to function words and to kinds of values: "why" comes near "because", "where" near "in" before a name.
 * The lessons, in `bench/sets/asked-learned/`, are by writers who had not seen the code; most questions use other words
 * than their fact.
 *
 * A fact's score for a question is the cosine of the sums of their words, half of how like each word of the question
 * the most alike word of the fact is (Khattab and Zaharia, ColBERT, 2020), and the share of the question's words that
 * it has, so that vectors learn what words do not tell. The score of the right one is raised against the other facts of
 * its entity and some of others, by softmax and cross-entropy (van den Oord, Li and Vinyals, 2018), with Adagrad
 * (Duchi, Hazan and Singer, 2011), one rate a word.
 */
import { globSync } from 'node:fs'
import { isStopWord, stem } from '../../server/src/search/analyse/languages.ts'
import { toFunctionWord, toKeys, toValueKeys, type Use } from '../../server/src/search/meaning/keys.ts'
import { readLives } from '../../server/test/lives/lives.ts'

/** Vectors by word, one after the other; the direction that all texts share has length 1. */
export type Vectors = { words: string[]; values: Float64Array; common: Float64Array }

const rounds = 3
const rate = 0.1
const temperature = 0.2
const alikeWeight = 0.5
const otherFacts = 20
/** Function words seen less often have no vector. */
const seenMin = 5
/** A fact whose share of the blame is smaller changes nothing. */
const blameMin = 0.001

type Text = { places: number[]; terms: Set<string> }
type Lesson = { question: Text; right: Text; others: Text[] }

export function learnVectors(given: Vectors): Vectors {
  const texts = readLessons()
  const words = [...given.words, ...findKeys(texts)]
  const size = given.common.length
  const values = new Float64Array(words.length * size)
  values.set(given.values)
  const places = new Map(words.map((word, place) => [word, place]))
  const { lessons, facts } = toLessons(texts, places, given.words.length)
  const learner = createLearner({ words, values, common: given.common }, toRarity(facts))
  const random = createRandom()
  for (let round = 1; round <= rounds; round += 1) {
    let loss = 0
    for (const lesson of shuffle(lessons, random)) {
      const some = Array.from({ length: otherFacts }, () => facts[Math.floor(random() * facts.length)]!)
      loss += learner.learn(lesson.question, [lesson.right, ...lesson.others, ...some])
    }
    console.log(`round ${round} of ${rounds}: loss ${(loss / lessons.length).toFixed(3)}`)
  }
  return { words, values, common: given.common }
}

type Known = { entity: string; fact: string; questions: string[] }

function readLessons(): Known[] {
  const files = globSync('../../bench/sets/asked-learned/*.txt', { cwd: import.meta.dirname }).sort()
  return files.flatMap((file) => {
    const { entities, questions } = readLives([new URL(file, import.meta.url).pathname])
    const asked = Map.groupBy(questions, ({ wanted }) => wanted[0]!)
    return entities.flatMap(({ observations }, place) =>
      observations.map((fact) => ({
        entity: `${file} ${place}`,
        fact,
        questions: (asked.get(fact) ?? []).map(({ text }) => text),
      })),
    )
  })
}

/** How often the questions and facts have each word that is not capitalised, as a name would be. */
export function countUses(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of readLessons().flatMap(({ fact, questions }) => [fact, ...questions]))
    for (const [word] of text.matchAll(/(?<!\p{L})\p{Ll}+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

const functionWordsIn = (use: Use, words: readonly string[]): string[] =>
  words.flatMap((word, i) => (isStopWord(word, 'en') ? [toFunctionWord(use, word, words[i + 1])] : []))

/** The keys of function words and of values. */
function findKeys(texts: readonly Known[]): string[] {
  const counts = new Map<string, number>()
  const count = (keys: readonly string[]) => {
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const { fact, questions } of texts) {
    count([...functionWordsIn('said', wordsIn(fact)), ...toValueKeys(fact)])
    for (const question of questions) count(functionWordsIn('asked', wordsIn(question)))
  }
  return [...counts].flatMap(([key, seen]) => (seen >= seenMin ? [key] : [])).sort()
}

function toLessons(texts: readonly Known[], places: ReadonlyMap<string, number>, frequent: number) {
  const has = {
    word: (word: string) => (places.get(word) ?? frequent) < frequent,
    key: (key: string) => places.has(key),
  }
  const toText = (use: Use, text: string): Text => {
    const words = wordsIn(text)
    return {
      places: toKeys(text, words, use, has).flatMap((key) => places.get(key) ?? []),
      terms: new Set(words.flatMap((word) => (isStopWord(word, 'en') ? [] : [stem(word, 'en')]))),
    }
  }
  const facts: Text[] = []
  const lessons: Lesson[] = []
  for (const known of Map.groupBy(texts, ({ entity }) => entity).values()) {
    const own = known.map(({ fact, questions }) => ({
      fact: toText('said', fact),
      questions: questions.map((question) => toText('asked', question)),
    }))
    facts.push(...own.map(({ fact }) => fact))
    for (const { fact, questions } of own) {
      const others = own.flatMap((other) => (other.fact === fact ? [] : [other.fact]))
      lessons.push(...questions.map((question) => ({ question, right: fact, others })))
    }
  }
  return { lessons, facts }
}

function toRarity(facts: readonly Text[]): (term: string) => number {
  const counts = new Map<string, number>()
  for (const { terms } of facts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + facts.length / (0.5 + (counts.get(term) ?? 0)))
}

/** Moves `values` in place. */
function createLearner({ words, values, common }: Vectors, rarityOf: (term: string) => number) {
  const size = common.length
  const steps = new Float64Array(words.length)
  const lengths = new Float64Array(words.length)
  const product = (a: number, b: number) => {
    let sum = 0
    for (let i = 0; i < size; i += 1) sum += values[a * size + i]! * values[b * size + i]!
    return sum
  }
  const measure = (place: number) => {
    lengths[place] = Math.sqrt(product(place, place))
  }
  for (const place of words.keys()) measure(place)
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / words.length

  /** The sum of a text's words, without the common direction and of length 1, and the length that it had. */
  const sumUp = ({ places }: Text) => {
    const unit = new Float64Array(size)
    for (const place of places) for (let i = 0; i < size; i += 1) unit[i]! += values[place * size + i]!
    const share = dot(unit, common)
    for (let i = 0; i < size; i += 1) unit[i]! -= share * common[i]!
    const length = Math.sqrt(dot(unit, unit)) || 1
    for (let i = 0; i < size; i += 1) unit[i]! /= length
    return { unit, length }
  }

  const moveBy = (place: number, gradient: Float64Array, square: number) => {
    steps[place]! += square
    const step = (rate * meanLength) / Math.sqrt(steps[place]! + 1e-6)
    for (let i = 0; i < size; i += 1) values[place * size + i]! -= step * gradient[i]!
    measure(place)
  }

  /** Moves a text's words by the gradient of its unit vector. */
  const moveText = ({ places }: Text, { unit, length }: ReturnType<typeof sumUp>, ofUnit: Float64Array) => {
    const along = dot(ofUnit, unit)
    const gradient = ofUnit.map((value, i) => (value - along * unit[i]!) / length)
    const share = dot(gradient, common)
    for (let i = 0; i < size; i += 1) gradient[i]! -= share * common[i]!
    const square = dot(gradient, gradient)
    for (const place of places) moveBy(place, gradient, square)
  }

  /** For each word of a question the most alike one of a fact. */
  const findAlike = (question: Text, fact: Text) =>
    question.places.map((asked) => {
      let [cosine, place] = [0, -1]
      for (const told of fact.places) {
        const lengthOfBoth = lengths[asked]! * lengths[told]!
        const found = lengthOfBoth === 0 ? 0 : product(asked, told) / lengthOfBoth
        if (found > cosine) [cosine, place] = [found, told]
      }
      return { asked, place, cosine }
    })

  const moveAlike = (a: number, b: number, cosine: number, blame: number) => {
    const gradientOf = (own: number, other: number) => {
      const gradient = new Float64Array(size)
      const ofIts = blame / (lengths[own]! * lengths[other]!)
      const ofOwn = (blame * cosine) / lengths[own]! ** 2
      for (let i = 0; i < size; i += 1)
        gradient[i] = ofIts * values[other * size + i]! - ofOwn * values[own * size + i]!
      return gradient
    }
    const [ofA, ofB] = [gradientOf(a, b), gradientOf(b, a)]
    moveBy(a, ofA, dot(ofA, ofA))
    moveBy(b, ofB, dot(ofB, ofB))
  }

  const shareOfTerms = (question: Text, fact: Text) => {
    let [found, all] = [0, 0]
    for (const term of question.terms) {
      const rarity = rarityOf(term)
      all += rarity
      if (fact.terms.has(term)) found += rarity
    }
    return all === 0 ? 0 : found / all
  }

  /** One step for a question and facts of which the first answers it. Returns the loss before it. */
  const learn = (question: Text, facts: readonly Text[]): number => {
    const asked = sumUp(question)
    const told = facts.map(sumUp)
    const alike = facts.map((fact) => findAlike(question, fact))
    const weight = question.places.reduce((sum, place) => sum + lengths[place]!, 0) || 1
    const shares = question.places.map((place) => lengths[place]! / weight)
    const scores = facts.map((fact, k) => {
      const words = alike[k]!.reduce((sum, { cosine }, i) => sum + shares[i]! * cosine, 0)
      return (
        (dot(asked.unit, told[k]!.unit) + alikeWeight * words + shareOfTerms(question, fact)) / temperature
      )
    })
    const highest = Math.max(...scores)
    const powers = scores.map((score) => Math.exp(score - highest))
    const sum = powers.reduce((total, power) => total + power, 0)
    const ofAsked = new Float64Array(size)
    for (const [k, fact] of facts.entries()) {
      const blame = (powers[k]! / sum - Number(k === 0)) / temperature
      if (Math.abs(blame) < blameMin) continue
      for (let i = 0; i < size; i += 1) ofAsked[i]! += blame * told[k]!.unit[i]!
      for (const [i, { asked: place, place: other, cosine }] of alike[k]!.entries())
        if (other >= 0) moveAlike(place, other, cosine, blame * alikeWeight * shares[i]!)
      moveText(
        fact,
        told[k]!,
        asked.unit.map((value) => blame * value),
      )
    }
    moveText(question, asked, ofAsked)
    return -Math.log(powers[0]! / sum)
  }
  return { learn }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!
  return sum
}

/** The same numbers at each run (Knuth's and Lewis's linear congruence), from 0 to 1. */
function createRandom(): () => number {
  let seed = 1
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}

function shuffle<T>(given: readonly T[], random: () => number): T[] {
  const items = [...given]
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[items[i], items[j]] = [items[j]!, items[i]!]
  }
  return items
}
