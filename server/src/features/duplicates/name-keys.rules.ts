import { nicknamesOf } from './nicknames.ts'
import { initialsOf, type ReadName, readName } from './read-name.rules.ts'

/**
 * Keys for finding similar names: a name is compared only with those that share a key with it. `close` keys are shared
 * by few other names, `loose` ones by many.
 */
export type NameKeys = { close: string[]; loose: string[] }

const misspeltLengthMin = 5
const misspeltLengthMax = 40
const looseWordMin = 3

export function keysOf(name: string): NameKeys {
  const read = readName(name)
  if (read.letters === '') return { close: [], loose: [] }
  return {
    close: [`=${read.letters}`, ...wordKeys(read), ...misspellings(read)],
    loose: looseKeys(read),
  }
}

/** The sorted words, also with each variant of the given name in first place. */
function wordKeys({ words, mayBeInitials, letters }: ReadName): string[] {
  const [first = '', ...rest] = words
  const keys = [first, ...nicknamesOf(first)].map((form) => `w${[form, ...rest].sort().join(' ')}`)
  if (mayBeInitials) keys.push(`a${letters}`)
  else if (words.length > 1) keys.push(`a${initialsOf(words)}`)
  return keys
}

/** The letters with one of them left out, so names that differ by one letter share a key. */
function misspellings({ letters }: ReadName): string[] {
  const { length } = letters
  if (length < misspeltLengthMin || length > misspeltLengthMax) return []
  const keys = [`d${letters}`]
  for (let i = 0; i < length; i += 1) {
    if (!isDigit(letters[i]!)) keys.push(`d${letters.slice(0, i)}${letters.slice(i + 1)}`)
  }
  return keys
}

/** Single words, and the last word with the initial of the first. */
function looseKeys({ words }: ReadName): string[] {
  const keys = words
    .filter((word) => word.length >= looseWordMin && !hasDigit(word))
    .map((word) => `r${word}`)
  const last = words.at(-1)
  if (words.length > 1 && last !== undefined && !hasDigit(last)) keys.push(`i${[...words[0]!][0]} ${last}`)
  return keys
}

const isDigit = (letter: string) => letter >= '0' && letter <= '9'
const hasDigit = (word: string) => /\p{N}/u.test(word)
