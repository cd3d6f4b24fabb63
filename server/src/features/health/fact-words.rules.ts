import { memoised } from '../../ground/lib/memoised.ts'
import { stemEnglish } from '../../search/analyse/english.ts'
import { foldName } from '../../search/analyse/name-letters.ts'

type ValueKind = 'number' | 'time' | 'day' | 'month'

/** A word of a fact: as compared, its stem, and what kind of value it is, if it is one. */
export type FactWord = { text: string; stem: string; kind?: ValueKind; isCapital: boolean }

/** A fact as words, without articles and without the entity's name at its beginning. */
export type FactWords = { words: FactWord[]; isNegated: boolean }

const charactersRead = 2_000

const listOf = (words: string) => words.split(' ')
const numberWords = new Map(
  listOf('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen').map(
    (word, value) => [word, String(value)],
  ),
)
for (const [word, value] of Object.entries({ once: '1', twice: '2', twenty: '20', thirty: '30' }))
  numberWords.set(word, value)

const days = new Set(listOf('monday tuesday wednesday thursday friday saturday sunday weekend'))
const months = new Set(
  listOf('january february march april june july august september october november december may'),
)
const articles = new Set(listOf('the a an'))
const negations = new Set(listOf('not never no cannot neither without'))

const wordPattern = /[\p{L}\p{N}]+(?:[-'’._:/@,][\p{L}\p{N}]+)*[+#]*/gu
/** `[decision] ` of Basic Memory's observations, list marks and emphasis. */
const ornament = /^\s*(?:[-*+]\s+)?(?:\[[\p{L}\p{N}_ -]{2,30}\]\s+)?|[*_`]+/gu
const withUnit = /^(\d[\d.,]*)([a-z%]{1,12})$/
const isNumber = /^\d[\d.,]*$/
const isTime = /^\d{1,2}:\d{2}$/

/** Reads a fact about an entity. English words are reduced to their stems, others are compared as they are. */
export function readFactWords(content: string, entityName: string): FactWords {
  const text = content
    .slice(0, charactersRead)
    .replace(ornament, '')
    .replace(/\binstead of\b/gi, 'not')
    .replace(/\b(?:no longer|not any ?more)\b/gi, 'not')
    .replace(/n['’]t\b/g, 'n not')
    .replace(/\s+any ?more\b/gi, '')
  const all = [...text.matchAll(wordPattern)].flatMap(([word]) => toWords(word))
  const isNegated = all.some(({ text }) => negations.has(text))
  return { words: withoutSubject(all, entityName), isNegated }
}

function toWords(written: string): FactWord[] {
  const folded = foldName(written.replace(/['’]s$/, ''))
  const isCapital = /^\p{Lu}/u.test(written)
  if (articles.has(folded)) return []
  const [, amount, unit] = withUnit.exec(folded) ?? []
  if (amount !== undefined && unit !== undefined) return [numberWord(amount), plainWord(unit, false)]
  if (isTime.test(folded)) return [{ text: folded, stem: folded, kind: 'time', isCapital }]
  const number = numberWords.get(folded) ?? (isNumber.test(folded) ? folded : undefined)
  if (number !== undefined) return [numberWord(number)]
  const day = folded.replace(/s$/, '')
  if (isCapital && days.has(day)) return [{ text: day, stem: day, kind: 'day', isCapital }]
  if (isCapital && months.has(folded)) return [{ text: folded, stem: folded, kind: 'month', isCapital }]
  return [plainWord(folded, isCapital)]
}

function numberWord(written: string): FactWord {
  const text = written.replace(/[.,]$/, '').replace(/,(?=\d{3}\b)/g, '')
  return { text, stem: text, kind: 'number', isCapital: false }
}

const stemsKept = 20_000
const stemOfWord = memoised(stemsKept, stemEnglish, 40)
const plainWord = (text: string, isCapital: boolean): FactWord => ({
  text,
  stem: stemOfWord(text),
  isCapital,
})

const subjects = new Set(listOf('user users he she they we i it person'))

/** "User prefers", "Ada lives" and "We use" say no more than "prefers", "lives" and "use". */
function withoutSubject(words: FactWord[], entityName: string): FactWord[] {
  const inName = wordsOfName(entityName)
  let from = 0
  while (
    from < words.length - 1 &&
    (inName.has(words[from]!.text) || (from === 0 && subjects.has(words[0]!.text)))
  )
    from += 1
  return words.slice(from)
}

const namesKept = 1_000
const wordsOfName = memoised(namesKept, (name) => new Set(foldName(name).match(wordPattern) ?? []))

export const isNegation = ({ text }: FactWord): boolean => negations.has(text)
