import { stemEnglish } from '../../search/analyse/english.ts'
import { type FactWord, type FactWords, isNegation } from './fact-words.rules.ts'

/** Words that change nothing in what a fact says. */
const empty = new Set(
  'is are be am was were has have had do does did of to at on in for with and or that it its as so by from use always please also just go through per now any our my his her their me you your'
    .split(' ')
    .map(stemEnglish),
)

/** Stems that stand for each other. */
const same = new Map(
  Object.entries({
    requir: 'need',
    must: 'need',
    call: 'name',
    everi: 'each',
    deploy: 'deploy',
    decis: 'decid',
    utilis: 'use',
    util: 'use',
  }),
)

const stemOf = ({ stem }: FactWord) => same.get(stem) ?? stem

/** The words that tell something, in order. */
export const tellingStems = ({ words }: FactWords): string[] =>
  words.filter((word) => word.kind !== undefined || !empty.has(word.stem)).map(stemOf)

const wordsMin = 2
/** In long texts a few words can differ. */
const longMin = 14
const longAlikeMin = 0.88

/** Whether two facts about one entity say the same in other words. */
export function saysSameFact(one: FactWords, other: FactWords): boolean {
  if (one.isNegated !== other.isNegated || isPast(one) !== isPast(other)) return false
  const [a, b] = [tellingStems(one), tellingStems(other)]
  if (a.length < wordsMin || b.length < wordsMin) return a.length > 0 && a.join(' ') === b.join(' ')
  if (valuesOf(one) !== valuesOf(other)) return false
  const [setA, setB] = [new Set(a), new Set(b)]
  const shared = setA.intersection(setB).size
  const isEqual = shared === setA.size && shared === setB.size
  const alike = shared / (setA.size + setB.size - shared)
  if (!isEqual && !(Math.min(setA.size, setB.size) >= longMin && alike >= longAlikeMin)) return false
  return a.join(' ') === b.join(' ') || !areNamesSwapped(one, other)
}

/** Numbers, days and months, sorted: "14 days" and "30 days" are two facts. */
const valuesOf = ({ words }: FactWords) =>
  words
    .filter(({ kind }) => kind !== undefined)
    .map(({ text }) => text)
    .sort()
    .join(' ')

const auxiliary = new Set('is are be am been being has have was were'.split(' '))

/** "Worked at" is over, "works at" and "are retried" are not. */
function isPast({ words }: FactWords): boolean {
  const [first, second] = words
  const opens = first?.text.endsWith('ed') ? first : second?.text.endsWith('ed') ? second : undefined
  const before = opens === second ? first : undefined
  if (words.some(({ text }) => text === 'was' || text === 'were' || text === 'until')) return true
  return opens !== undefined && opens !== first && before !== undefined && !auxiliary.has(before.text)
    ? before.isCapital
    : opens === first && opens !== undefined && !isParticiple(words)
}

/** "Hosted on AWS" and "Built with Vite" hold still. */
const isParticiple = (words: readonly FactWord[]) =>
  /^(?:hosted|based|located|stored|written|deployed|cached|used|named|called|owned|maintained|configured|enabled|disabled|allowed|required|married|decided|retried|planned|interested)$/.test(
    words[0]?.text ?? '',
  )

/** "Mara reports to Jonas" and "Jonas reports to Mara"; "React and Vite" may be in any order. */
function areNamesSwapped(one: FactWords, other: FactWords): boolean {
  const namesOf = ({ words }: FactWords) =>
    words.filter(({ isCapital, kind }) => isCapital && kind === undefined)
  const inOther = new Set(namesOf(other).map(({ text }) => text))
  const shared = namesOf(one).filter(({ text }) => inOther.has(text))
  const order = namesOf(other).map(({ text }) => text)
  return shared.some((name, i) => {
    const next = shared[i + 1]
    if (next === undefined || order.indexOf(name.text) < order.indexOf(next.text)) return false
    const between = one.words.slice(one.words.indexOf(name) + 1, one.words.indexOf(next))
    return between.length > 0 && !between.every(({ text }) => text === 'and' || text === 'or')
  })
}

/** The polarity of a fact without its negations, for comparing it with its opposite. */
export const withoutNegations = (fact: FactWords): FactWords => ({
  words: fact.words.filter((word) => !isNegation(word)),
  isNegated: false,
})
