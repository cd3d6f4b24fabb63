/** Words of these letters are corrected, completed and linked to related words; numbers and codes are not. */
const correctable =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]{3,40}$/u

export function isVocabularyWord(word: string): boolean {
  return correctable.test(word)
}

const withEnds = (word: string) => `^${word}$`

/** The trigrams of a word, with its start and end marked. */
export function gramsOf(word: string): string[] {
  const marked = withEnds(word)
  const grams = new Set<string>()
  for (let i = 0; i + 3 <= marked.length; i += 1) grams.add(marked.slice(i, i + 3))
  return [...grams]
}

/** Number of these trigrams that a word contains. */
export function countShared(word: string, grams: readonly string[]): number {
  const marked = withEnds(word)
  let shared = 0
  for (const gram of grams) if (marked.includes(gram)) shared += 1
  return shared
}

/** Distinguishes trigrams of words from terms of passages; the marks are characters that the index keeps. */
export const toGramTerm = (gram: string) => `-${gram.replace('^', '_').replace('$', '_')}`

/** The terms that find a word from similar spellings, separated by spaces. */
export function gramTermsOf(word: string): string {
  const marked = `_${word}_`
  let terms = ''
  for (let i = 0; i + 3 <= marked.length; i += 1) {
    const gram = marked.slice(i, i + 3)
    // A set would take four times as long.
    if (marked.indexOf(gram) === i) terms += i === 0 ? `-${gram}` : ` -${gram}`
  }
  return terms
}

/** The letters of vocabulary words, without diacritics, by script. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяєіђјљњћџґ',
  'αβγδεζηθικλμνξοπρστυφχψως',
  'ءابتثجحخدذرزسشصضطظعغفقكلمنهويپچژکگی',
  'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
]

/**
 * All words one edit away: a letter inserted, deleted, replaced, or swapped with the next
 * (https://norvig.com/spell-correct.html). A few hundred.
 */
export function oneEditFrom(word: string): string[] {
  const letters = alphabets.find((alphabet) => [...word].some((letter) => alphabet.includes(letter))) ?? ''
  const edits = new Set<string>()
  for (let i = 0; i <= word.length; i += 1) {
    const before = word.slice(0, i)
    const rest = word.slice(i)
    for (const letter of letters) edits.add(before + letter + rest)
    if (rest === '') continue
    edits.add(before + rest.slice(1))
    for (const letter of letters) edits.add(before + letter + rest.slice(1))
    if (rest.length > 1) edits.add(before + rest[1] + rest[0] + rest.slice(2))
  }
  edits.delete(word)
  return [...edits]
}

/** The words that the commonest slips of a hand make this one of: two letters swapped, one too many, one not doubled. */
export function commonEditsFrom(word: string): string[] {
  const edits = new Set<string>()
  for (let i = 0; i < word.length; i += 1) {
    const [before, letter, rest] = [word.slice(0, i), word[i]!, word.slice(i + 1)]
    if (rest !== '') edits.add(before + rest[0] + letter + rest.slice(1))
    edits.add(before + rest)
    edits.add(before + letter + letter + rest)
  }
  edits.delete(word)
  return [...edits]
}

/**
 * Number of letters to insert, delete, replace or swap with the next to turn one word into the other
 * (Damerau); of words further than `most` apart, any greater number.
 */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  let leastBefore = 0
  let [twoBack, previous, current] = distances
  for (let j = 0; j <= b.length; j += 1) previous[j] = j
  for (let i = 1; i <= a.length; i += 1) {
    current[0] = i
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, twoBack[j - 2]! + 1)
      }
      current[j] = best
      if (best < least) least = best
    }
    // A swap continues from the row before.
    if (least > most && leastBefore >= most) return least
    leastBefore = least
    ;[twoBack, previous, current] = [previous, current, twoBack]
  }
  return previous[b.length]!
}

/** Rows of the table, kept from word to word: creating them takes longer than filling them. */
const distances: [number[], number[], number[]] = [[], [], []]

/** True if two adjacent letters are swapped and nothing else differs. */
export function areSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i += 1
  return a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2) && a !== b
}
