import { functionWordMask } from '../../search-index/languages.ts'
import type { Guess } from './correct-words.ts'
import type { AskedWord } from './question.ts'

const weight = 0.5
const wordsMax = 4
const [lettersMin, lettersMax] = [2, 3]
/** Stored with numbers ("5 pm", "3 kg"), where they stand for nothing else. */
const units = new Set('am pm kg km cm mm mb gb tb ms hr'.split(' '))

/**
 * The initials of unknown words with their neighbours in the question ("blood pressure" is written "BP"). A name is not
 * abbreviated.
 */
export function guessInitials(
  asked: readonly { word: AskedWord }[],
  unknown: readonly AskedWord[],
): Map<AskedWord, Guess[]> {
  const guesses = new Map<AskedWord, Guess[]>()
  const words = asked.map(({ word }) => word)
  for (const word of unknown.slice(0, wordsMax)) {
    const initials = word.isCapitalised ? [] : initialsAround(words, words.indexOf(word))
    if (initials.length > 0) guesses.set(word, initials.map(toGuess))
  }
  return guesses
}

const toGuess = (term: string): Guess => ({ word: term, term, weight })

function initialsAround(words: readonly AskedWord[], place: number): string[] {
  const found: string[] = []
  for (let length = lettersMin; length <= lettersMax; length += 1) {
    for (let from = Math.max(0, place - length + 1); from <= place; from += 1) {
      const run = words.slice(from, from + length)
      if (run.length === length) found.push(run.map(({ surface }) => surface[0]!).join(''))
    }
  }
  return found.filter((term) => functionWordMask(term) === 0 && !units.has(term))
}
