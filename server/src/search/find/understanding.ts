import type { Understanding } from '@loci/contract/search'
import { toIso } from '../../ground/lib/time.ts'
import { isEnglishWord } from '../analyse/dictionary.ts'
import { foldCase, foldDiacritics } from '../analyse/fold.ts'
import { functionWordMask } from '../analyse/languages.ts'
import { termsOf } from '../match/subjects.ts'
import type { Findings } from './findings.ts'

const wordsToldMax = 10
const timesToldMax = 5
const entitiesToldMax = 3

/** Describes to the caller how a question was read. */
export function toUnderstanding(query: string, findings: Findings): Understanding {
  const { guessed, listed } = findings
  const unknown = findings.unknown.filter(
    (missing) => functionWordMask(missing) === 0 && !asksOnly(query, missing),
  )
  const times = [...new Map(findings.times.map((span) => [`${span.from} ${span.to}`, span])).values()]
  const asWritten = unknown.length + guessed.size === 0 ? String : readWritten(query)
  const near = findNear(query, findings)
  const guesses = [...guessed]
    .slice(0, wordsToldMax)
    .map(([word, taken]) => ({ word: asWritten(word), taken: [...new Set(taken)] }))
  return {
    ...(unknown.length === 0 ? {} : { unknown: unknown.slice(0, wordsToldMax).map(asWritten) }),
    ...(guesses.length === 0 ? {} : { guesses }),
    ...(near.length === 0 ? {} : { near }),
    ...(times.length === 0
      ? {}
      : {
          times: times.slice(0, timesToldMax).map(({ from, to }) => ({ from: toIso(from), to: toIso(to) })),
        }),
    ...(listed === undefined ? {} : { listed: { types: listed.types, total: listed.total } }),
  }
}

/** Words with which people ask, whatever the matter: that nothing stored has them tells nothing. */
const askingWords = new Set(
  'know need needs want wants give show tell happen happens happened happening done planned'.split(' '),
)
const afterHow = /(?<!\p{L})how (long|old|far|often|tall|big|large|high|heavy|fast|soon)(?!\p{L})/giu
/** The same in scripts without spaces; one or two hiragana are particles or endings. */
const askingUnspaced =
  /^(?:\p{Script=Hiragana}{1,2}|です(?:か)?|ます(?:か)?|でした|ました|何|誰|どこ|なぜ|什么|什麼|谁|誰|哪里|怎么|的|是|了|吗|嗎|呢|在|무엇|뭐|누구|어디)$/u

const asksOnly = (query: string, missing: string): boolean =>
  askingWords.has(missing) ||
  askingUnspaced.test(spelling(query, missing)) ||
  [...query.matchAll(afterHow)].some(([, word]) => word!.toLowerCase() === missing)

/** A folded word as the question writes it, where folding keeps its length. */
function spelling(query: string, word: string): string {
  const folded = foldDiacritics(foldCase(query))
  const start = folded.length === query.length ? folded.indexOf(word) : -1
  return start < 0 ? word : query.slice(start, start + word.length)
}

/** Maps a folded word to its spelling in the question. */
function readWritten(query: string): (folded: string) => string {
  const written = new Map([...query.matchAll(word)].map(([text]) => [fold(text), text]))
  return (folded) => written.get(folded) ?? spelling(query, folded)
}

const fold = (text: string) => foldDiacritics(foldCase(text.replace(/['’]s$/u, '')))

/** Entities found through guesses for unknown words, under the name used in the question. */
function findNear(query: string, { guessed, names }: Findings) {
  return [...guessed].flatMap(([missing, taken]) => {
    const named = asNamed(query, missing)
    // A word such as "use" is not a name.
    if (isEnglishWord(missing) && !capitalized.test(named)) return []
    const terms = new Set(taken.flatMap(termsOf))
    const entities = names
      .filter(({ fields }) => fields.name.some((term) => terms.has(term)))
      .slice(0, entitiesToldMax)
      .map(({ name, type }) => ({ name, type }))
    return entities.length === 0 ? [] : [{ word: named, entities }]
  })
}

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_.-]*/gu
const capitalized = /^[\p{Lu}\p{N}]/u

/** A word as written in the question, with adjacent capitalised words ("Jhon Smith"). */
function asNamed(query: string, missing: string): string {
  const words = [...query.matchAll(word)].map(([written]) => written.replace(/['’]s$/u, ''))
  const index = words.findIndex((written) =>
    fold(written)
      .split(/[^\p{L}\p{N}]+/u)
      .includes(missing),
  )
  const isPart = (at: number) => capitalized.test(words[at] ?? '')
  if (index < 0 || !isPart(index)) return words[index] ?? missing
  let [from, to] = [index, index]
  // The first word of a sentence is not taken as part of a name.
  while (from > 1 && isPart(from - 1)) from -= 1
  while (isPart(to + 1)) to += 1
  return words.slice(from, to + 1).join(' ')
}
