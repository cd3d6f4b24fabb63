import { analyseName } from '../analyse/analyser.ts'
import { foldName, lettersOf } from '../analyse/name-letters.ts'
import { editDistance } from '../analyse/vocabulary.ts'

const separators = [' ', '_', '-', '']
const oneSlipLengthMin = 3
const twoSlipsLengthMin = 8

/** Variants of a name that differ in case, spaces, underscores and hyphens. */
export function variantsOf(name: string): string[] {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
  const cases = [
    words,
    words.map((word) => word.toLowerCase()),
    words.map(capitalized),
    words.map((word) => word.toUpperCase()),
  ]
  const variants = cases.flatMap((written) => separators.map((separator) => written.join(separator)))
  return [...new Set(variants)].filter((variant) => variant !== name)
}

function capitalized(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('').toLowerCase()
}

/**
 * How likely `asked` means `name`, 0 to 1: 1 if they differ only in case, accents and punctuation; less if words are
 * misspelt or one has extra words; 0 if each has words that the other lacks.
 */
export function nearnessOf(asked: string, name: string): number {
  if (lettersOrSigns(asked) === lettersOrSigns(name)) return 1
  const [words, others] = [wordsOf(asked), wordsOf(name)]
  return Math.max(coverage(words, others), coverage(others, words))
}

/** What {@link nearnessOf} says if each of `few` is a word of `many`, of which there are at least as many; otherwise 0. */
function coverage(few: readonly Word[], many: readonly Word[]): number {
  if (few.length === 0 || few.length > many.length) return 0
  let slips = 0
  for (const word of few) {
    const least = Math.min(...many.map((other) => slipsBetween(word, other)))
    if (least === Number.POSITIVE_INFINITY) return 0
    slips += least
  }
  return (0.9 * few.length) / many.length / (1 + slips)
}

const lettersOrSigns = (name: string) => lettersOf(name) || foldName(name)

const wordsOf = (name: string) => analyseName(name).tokens.map(({ term, surface }) => ({ term, surface }))
type Word = ReturnType<typeof wordsOf>[number]

/** Number of wrong letters in a word; infinite for a different word. A changed digit makes a different word. */
function slipsBetween(a: Word, b: Word): number {
  if (a.term === b.term) return 0
  const length = Math.min(a.surface.length, b.surface.length)
  const longest = Math.max(a.surface.length, b.surface.length)
  const allowed =
    length >= twoSlipsLengthMin ? 2 : longest > oneSlipLengthMin && length >= oneSlipLengthMin ? 1 : 0
  if (allowed === 0 || longest - length > allowed || /\p{N}/u.test(a.surface + b.surface)) {
    return Number.POSITIVE_INFINITY
  }
  const distance = editDistance(a.surface, b.surface)
  return distance <= allowed ? distance : Number.POSITIVE_INFINITY
}
