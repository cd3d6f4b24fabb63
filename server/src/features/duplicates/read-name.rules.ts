import { foldName } from '../../search-index/name-letters.ts'

/** A name as names are compared. */
export type ReadName = {
  /** Folded letters and digits without what stands between them. */
  letters: string
  /** Folded words that tell one thing from another. */
  words: readonly string[]
  /** What numbers things of one name, in its order: digits, Roman numbers, "junior" and "senior". */
  numbers: string
  /** Written in capitals that may each stand for a word: "US", "U.S." */
  mayBeInitials: boolean
}

/** Said with the name of a person or company, not part of it. */
const titles = new Set(
  (
    'dr mr mrs ms miss prof professor sir madam herr frau ' +
    'inc incorporated ltd limited llc corp corporation co gmbh ag plc sa bv oy ab'
  ).split(' '),
)
const articles = new Set(['the', 'a', 'an'])

const betweenWords = /[^\p{L}\p{N}\p{M}]+/u
const capitals = /^(?:\p{Lu}\.?\s?){2,6}$/u
const numbering = /^(?:[ivx]{2,}|jr|sr|junior|senior)$/
/** An initial, or a Roman number where it comes last: "Elizabeth I". */
const shortNumbering = /^[ivx]$/

export function readName(name: string): ReadName {
  const all = foldName(splitCamelCase(name.replaceAll(/['’]/g, '')))
    .split(betweenWords)
    .filter((word) => word !== '')
  return {
    letters: all.join(''),
    words: withoutTitles(all),
    numbers: all.flatMap((word, i) => numbersIn(word, i > 0 && i === all.length - 1)).join(' '),
    mayBeInitials: capitals.test(name),
  }
}

/** "checkoutService" is "checkout Service". */
const splitCamelCase = (name: string) => name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

function withoutTitles(all: readonly string[]): readonly string[] {
  const words = all.length > 1 && articles.has(all[0]!) ? all.slice(1) : all
  const [first = '', ...more] = words
  // "Mr. Olympia" is no other form of "Olympia", "Tesla, Inc." one of "Tesla".
  const untitled = more.length > 1 && titles.has(first) ? more : words
  const last = untitled.at(-1) ?? ''
  return untitled.length > 1 && titles.has(last) ? untitled.slice(0, -1) : untitled
}

function numbersIn(word: string, isLast: boolean): string[] {
  if (numbering.test(word) || (isLast && shortNumbering.test(word))) return [word]
  return word.match(/\p{N}+/gu) ?? []
}

/** The first letters of the words of a name: "us" of "United States". */
export const initialsOf = (words: readonly string[]): string => words.map((word) => [...word][0]).join('')
