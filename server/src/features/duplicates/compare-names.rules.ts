import { editDistance } from '../../search/analyse/vocabulary.ts'
import { nicknamesOf } from './nicknames.ts'
import { initialsOf, type ReadName, readName } from './read-name.rules.ts'

export type Named = { name: string; type: string; aliases?: readonly string[] | undefined }

/** How strongly two entities' names suggest the same thing, 0 to 1, and why, in words. */
export type NameComparison = { score: number; reason: string; isAlias: boolean }

/** Most other names compared per entity. */
const aliasesMax = 20

/** Returns undefined if the names are those of different things. */
export function compareNames(one: Named, other: Named): NameComparison | undefined {
  const [names, others] = [one, other].map(({ name, aliases = [] }) => [
    name,
    ...aliases.slice(0, aliasesMax),
  ])
  const words = new Set([one.type, other.type].flatMap((type) => readName(type).words))
  const arePersons = [one, other].every(({ type }) => readName(type).letters === 'person')
  let best: NameComparison | undefined
  for (const [i, a] of names!.entries()) {
    for (const [j, b] of others!.entries()) {
      const match =
        a === b ? sameName : compareTwo(readName(a), readName(b), { typeWords: words, arePersons })
      if (match === undefined || match.score <= (best?.score ?? 0)) continue
      const isAlias = i > 0 || j > 0
      best = { score: match.score, reason: isAlias ? aliasReason(a, b, match) : match.reason, isAlias }
    }
  }
  return best
}

type Match = Omit<NameComparison, 'isAlias'>
const sameName: Match = { score: 0.95, reason: 'The names are the same' }

const quoted = (name: string) => `"${name.length > 80 ? `${name.slice(0, 79)}…` : name}"`.toWellFormed()
const aliasReason = (a: string, b: string, { reason }: Match) =>
  a === b
    ? `${quoted(a)} is an alias of one and the name of the other`
    : `${reason} (${quoted(a)}, ${quoted(b)})`

type About = {
  /** Words of the two entities' types, which a name can include: "Loci project". */
  typeWords: ReadonlySet<string>
  arePersons: boolean
}

/** With one of these words, order carries meaning: "Vienna to Prague". */
const directions = new Set('to from of for by in on over under before after into vs versus than'.split(' '))

function compareTwo(a: ReadName, b: ReadName, about: About): Match | undefined {
  if (a.letters === '' || b.letters === '' || a.marks !== b.marks) return undefined
  if (a.letters === b.letters)
    return { score: 0.95, reason: 'The names differ only in capitals, spaces or punctuation' }
  if (a.words.join(' ') === b.words.join(' '))
    return { score: 0.9, reason: 'The names differ only in a title or an article' }
  const [onlyA, onlyB] = [without(a.words, b.words), without(b.words, a.words)]
  if (onlyA.length === 0 && onlyB.length === 0)
    return {
      score: a.words.some((word) => directions.has(word)) ? 0.3 : 0.8,
      reason: 'The names have the same words in another order',
    }
  if (onlyA.length === 0) return compareLonger(b.words, onlyB, a.words.length, about)
  if (onlyB.length === 0) return compareLonger(a.words, onlyA, b.words.length, about)
  return (
    compareAbbreviation(a, b) ??
    compareAbbreviation(b, a) ??
    compareInitials(a.words, b.words) ??
    compareOneWord(onlyA, onlyB, a.words.length > 1) ??
    compareSplit(a, b)
  )
}

/** "IMF" and "International Monetary Fund". Short abbreviations stand for many things. */
function compareAbbreviation(short: ReadName, long: ReadName): Match | undefined {
  const stands = short.mayBeInitials && long.words.length > 1 && initialsOf(long.words) === short.letters
  if (!stands) return undefined
  const { length } = short.letters
  const score = length > 3 ? 0.6 : length === 3 ? 0.5 : 0.4
  return { score, reason: 'One name is the initials of the other' }
}

const isInitial = (word: string) => [...word].length === 1

/** The longer name has all words of the shorter one, plus these. */
function compareLonger(
  longer: readonly string[],
  extra: readonly string[],
  words: number,
  { typeWords, arePersons }: About,
): Match | undefined {
  if (extra.every((word) => typeWords.has(word)))
    return { score: 0.85, reason: 'The names differ only in a word that is the type' }
  const [initial] = extra
  const isInside = longer[0] !== initial && longer.at(-1) !== initial
  if (extra.length === 1 && isInitial(initial!))
    return words > 1 && (arePersons || isInside)
      ? { score: 0.75, reason: 'The names differ only in an initial' }
      : undefined
  if (extra.some(isInitial)) return undefined
  const part = { reason: 'One name is a part of the other' }
  if (arePersons) return { score: words > 1 ? 0.6 : 0.5, ...part }
  return { score: words > 1 && extra.length === 1 ? 0.4 : 0.3, ...part }
}

const abbreviatedMin = 3

/** "J. Smith" and "John Smith", "U.S. Navy" and "United States Navy": word by word. */
function compareInitials(a: readonly string[], b: readonly string[]): Match | undefined {
  const stands = (short: string, long: string) =>
    isInitial(short) && [...long].length >= abbreviatedMin && long.startsWith(short)
  const isShared = (word: string, i: number) => word === b[i] && !isInitial(word) && !/\p{N}/u.test(word)
  const fits =
    a.length === b.length &&
    a.some(isShared) &&
    a.every((word, i) => word === b[i] || stands(word, b[i]!) || stands(b[i]!, word))
  return fits ? { score: 0.7, reason: 'One name has initials for words of the other' } : undefined
}

/** Each has one word that the other lacks; `isRest` if they share others. */
function compareOneWord(
  onlyA: readonly string[],
  onlyB: readonly string[],
  isRest: boolean,
): Match | undefined {
  if (onlyA.length !== 1 || onlyB.length !== 1) return undefined
  const [a, b] = [onlyA[0]!, onlyB[0]!]
  if (nicknamesOf(a).includes(b))
    return {
      score: isRest ? 0.75 : 0.5,
      reason: `${capitalized(a)} and ${capitalized(b)} are forms of one name`,
    }
  // "Maria" and "Mario" are two names.
  const areGiven = nicknamesOf(a).length > 0 && nicknamesOf(b).length > 0
  return areGiven ? undefined : compareSpelling(a, b, isRest)
}

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

function compareSpelling(a: string, b: string, isRest: boolean): Match | undefined {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (`${short}s` === long && short.length > 3)
    return { score: 0.6, reason: 'One name is the plural of the other' }
  if (!isMisspelt(a, b)) return undefined
  const reason = 'The names differ by a letter'
  // "Nigeria" and "Nigerian", "Olympia" and "Olympic": they differ only in the ending.
  const differAtEnd = short.slice(0, -1) === long.slice(0, short.length - 1)
  if (differAtEnd) return { score: isRest ? 0.45 : 0.35, reason }
  if (isRest) return { score: short.length >= 6 ? 0.75 : 0.5, reason }
  return { score: short.length >= 9 ? 0.6 : short.length >= 7 ? 0.5 : 0.4, reason }
}

/** "data base" and "databse". */
function compareSplit(a: ReadName, b: ReadName): Match | undefined {
  const isSplit = a.words.length !== b.words.length && ![...a.words, ...b.words].some(isInitial)
  const isLong = Math.min(a.letters.length, b.letters.length) >= 8
  return isSplit && isLong && isMisspelt(a.letters, b.letters)
    ? { score: 0.6, reason: 'The names differ by a letter' }
    : undefined
}

/** In shorter words one letter makes another word, as in "cat" and "car"; a number is never a typo. */
const oneSlipMin = 5
const twoSlipsMin = 10
const comparedMax = 80

function isMisspelt(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  const allowed = length >= twoSlipsMin ? 2 : length >= oneSlipMin ? 1 : 0
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed || length > comparedMax) return false
  return editDistance(a, b) <= allowed
}

/** The words of `words` that `others` lacks, counting repeats. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return words.filter((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
