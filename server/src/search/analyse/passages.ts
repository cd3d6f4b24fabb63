import { type Analysis, analyse, type Token } from './analyser.ts'
import { isFirstPerson } from './first-person.ts'
import { isLettersTerm, lettersOf, lettersPosted } from './name-letters.ts'

/** A text, or part of a long one, as terms. */
export type PassageTerms = {
  /** Terms in text order; terms for a whole identifier start with `+`, those of metadata with `=`. */
  terms: string[]
  /** Number of words that count. */
  length: number
}

/** Marks a passage that ends with a question: the next passage is probably the answer. */
export const questionMark = '?'
/** Marks a passage in which someone speaks of themselves. */
export const firstPersonMark = '!'
/** Replaces words that are not in the question; their number follows. */
export const unaskedMark = '-'
const marks: ReadonlySet<string> = new Set([questionMark, firstPersonMark])

export const wordsPerPassage = 100
const sentenceEnd = /[.!?\n。！？؟]/
const question = /[?？؟]/
const questionTailLength = 80

/** Splits a text into passages of at most 100 words, at sentence ends where possible. */
export function toPassages(content: string, analysis: Analysis = analyse(content)): PassageTerms[] {
  const { tokens } = analysis
  return [...spansOf(content, tokens)].map(({ from, to, textStart, textEnd }) => {
    const { terms, length } = toPassage(analysis, from, to)
    if (isFirstPerson(content.slice(textStart, textEnd))) terms.push(firstPersonMark)
    if (asksAtEnd(content, textStart, textEnd)) terms.push(questionMark)
    return { terms, length }
  })
}

/** The original text of each passage that {@link toPassages} returns. */
export function toPassageTexts(content: string): string[] {
  const spans = spansOf(content, analyse(content).tokens)
  return [...spans].map(({ textStart, textEnd }) => content.slice(textStart, textEnd).trim())
}

/** Whether the text between two offsets ends with a question. */
export const asksAtEnd = (text: string, start: number, end: number) =>
  question.test(text.slice(Math.max(start, end - questionTailLength), end))

type Place = Pick<Token, 'start' | 'end'>
export type Span = { from: number; to: number; textStart: number; textEnd: number }

/** Start and end of each passage, by token and by text offset. */
export function* spansOf(content: string, tokens: readonly Place[]): Generator<Span, void> {
  let from = 0
  do {
    const to = endOfPassage(content, tokens, from)
    yield { from, to, textStart: tokens[from]?.start ?? 0, textEnd: tokens[to]?.start ?? content.length }
    from = to
  } while (from < tokens.length)
}

function endOfPassage(content: string, tokens: readonly Place[], from: number): number {
  const hardEnd = from + wordsPerPassage
  if (tokens.length <= hardEnd) return tokens.length
  for (let end = hardEnd; end > from + wordsPerPassage / 2; end -= 1) {
    if (sentenceEnd.test(content.slice(tokens[end - 1]!.end, tokens[end]!.start))) return end
  }
  return hardEnd
}

function toPassage({ tokens, wholes }: Analysis, from: number, to: number): PassageTerms {
  const terms: string[] = []
  let length = 0
  let nextWhole = wholes.findIndex((whole) => whole.after >= from)
  for (let i = from; i < to; i += 1) {
    const token = tokens[i]!
    if (!token.isStop) {
      terms.push(token.term)
      length += 1
    }
    for (; nextWhole >= 0 && wholes[nextWhole]?.after === i; nextWhole += 1) {
      terms.push(wholeMark + wholes[nextWhole]!.term)
    }
  }
  return { terms, length }
}

/**
 * The terms of a passage as they are posted: those of names, types and metadata of entities share one
 * mark.
 */
export function searchedTerms(terms: readonly string[]): string[] {
  const searched: string[] = []
  for (const term of terms) {
    if (term === '' || (term.length === 1 && marks.has(term))) continue
    const field = term.length > 1 ? term[0] : undefined
    if (isLettersTerm(term)) searched.push(...lettersPosted(term))
    else if (field === wholeMark || field === valueMark) searched.push(term.slice(1))
    else if (field === typeMark || field === metadataMark || field === nameWholeMark) {
      searched.push(nameMark + term.slice(1))
    } else if (field === aliasMark) searched.push(nameMark + readAlias(term).term)
    else searched.push(term)
  }
  return searched
}

/** Precedes a term that stands for a whole identifier. */
export const wholeMark = '+'
/** Precedes a term of an observation's metadata. */
export const valueMark = '='

/**
 * Marks that distinguish the terms of an entity's name, type and metadata from those of its
 * observations and from each other.
 */
export const nameMark = '@'
const nameWholeMark = '&'
/** Precedes a term of an alias, followed by the alias's index and a full stop. */
const aliasMark = '^'
export const typeMark = '~'
export const metadataMark = '%'

/** Marks the letters of a whole name, which few names share, however many have its words. */
const fullNameMark = '@@'
const fullNameMax = 64

/** The term of a whole name with these letters. */
export const toFullNameTerm = (letters: string) => fullNameMark + letters.slice(0, fullNameMax).toWellFormed()

/** The term of a whole name; none without letters and digits. */
export function toFullNameTerms(name: string): string[] {
  const letters = lettersOf(name)
  return letters === '' ? [] : [toFullNameTerm(letters)]
}

/** A word of a name by its stem and, since the language of a name is a guess, as it is written. */
export const termsOfNameWord = ({ term, surface }: Pick<Token, 'term' | 'surface'>) =>
  term === surface || surface === '' ? [term] : [term, surface]

/**
 * The terms of an entity as a whole; function words count in names and types, since names consist of
 * them too. The same term can occur in several fields.
 */
export function toEntityTerms(name: Analysis, type: Analysis, metadata: readonly string[]): string[] {
  const terms = [
    ...name.tokens.flatMap(termsOfNameWord).map((term) => nameMark + term),
    ...name.wholes.map(({ term }) => nameWholeMark + term),
    ...[...type.tokens, ...type.wholes].map(({ term }) => typeMark + term),
    ...metadata.map((term) => metadataMark + term),
  ]
  return [...new Set(terms)]
}

/** The terms of an entity's other names, kept apart by name. */
export function toAliasTerms(aliases: readonly Analysis[]): string[] {
  const terms = aliases.flatMap(({ tokens }, place) =>
    tokens.flatMap(termsOfNameWord).map((term) => `${aliasMark}${place}.${term}`),
  )
  return [...new Set(terms)]
}

function readAlias(marked: string): { place: number; term: string } {
  const stop = marked.indexOf('.')
  return { place: Number(marked.slice(1, stop)), term: marked.slice(stop + 1) }
}

/** The searchable fields of an entity apart from its observations, as terms. */
export type EntityFields = {
  name: string[]
  /** Whole identifiers in the name ("checkoutservice" for "checkout-service"), and pairs of ideographs. */
  nameWholes: string[]
  /** The terms of each of its other names. */
  aliases: string[][]
  type: string[]
  metadata: string[]
  /** The words of its names as written (folded), by their term, where they differ. */
  written: ReadonlyMap<string, string>
  /** The term of each of its names as a whole. */
  fullNames: string[]
}

export const noFields: EntityFields = {
  name: [],
  nameWholes: [],
  aliases: [],
  type: [],
  metadata: [],
  written: new Map(),
  fullNames: [],
}
