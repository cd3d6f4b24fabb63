import { type Analysis, analyse, type Token } from './analyser.ts'

/** A text, or a part of a long one, as the index keeps it. */
export type PassageTerms = {
  /** Terms in the order of the text; those that stand for a whole identifier start with `+`. */
  terms: string[]
  /** Number of words that count. */
  length: number
}

/** How a passage is marked whose text asks something: what comes next is likely to be the answer. */
export const questionMark = '?'

const wordsPerPassage = 100
const sentenceEnd = /[.!?\n。！？؟]/
const question = /[?？؟]/
const questionTailLength = 80

/** Splits a text in passages of at most 100 words, at the ends of sentences where it can. */
export function toPassages(content: string, analysis: Analysis = analyse(content)): PassageTerms[] {
  const { tokens } = analysis
  return [...spansOf(content, tokens)].map(({ from, to, textStart, textEnd }) => {
    const tail = content.slice(Math.max(textStart, textEnd - questionTailLength), textEnd)
    return toPassage(analysis, from, to, question.test(tail))
  })
}

/** The texts of the passages that {@link toPassages} makes, as they were written. */
export function toPassageTexts(content: string): string[] {
  const spans = spansOf(content, analyse(content).tokens)
  return [...spans].map(({ textStart, textEnd }) => content.slice(textStart, textEnd).trim())
}

type Span = { from: number; to: number; textStart: number; textEnd: number }

/** Where each passage begins and ends: by tokens, and in the text. */
function* spansOf(content: string, tokens: readonly Token[]): Generator<Span, void> {
  let from = 0
  do {
    const to = endOfPassage(content, tokens, from)
    yield { from, to, textStart: tokens[from]?.start ?? 0, textEnd: tokens[to]?.start ?? content.length }
    from = to
  } while (from < tokens.length)
}

function endOfPassage(content: string, tokens: readonly Token[], from: number): number {
  const hardEnd = from + wordsPerPassage
  if (tokens.length <= hardEnd) return tokens.length
  for (let end = hardEnd; end > from + wordsPerPassage / 2; end -= 1) {
    if (sentenceEnd.test(content.slice(tokens[end - 1]!.end, tokens[end]!.start))) return end
  }
  return hardEnd
}

function toPassage({ tokens, wholes }: Analysis, from: number, to: number, asks: boolean): PassageTerms {
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
      terms.push(`+${wholes[nextWhole]!.term}`)
    }
  }
  if (asks) terms.push(questionMark)
  return { terms, length }
}

/** The terms of a stored passage as they are searched. */
export function searchedTerms(terms: readonly string[]): string[] {
  const searched: string[] = []
  for (const term of terms) {
    if (term === questionMark || term === '') continue
    searched.push(term.length > 1 && term.startsWith('+') ? term.slice(1) : term)
  }
  return searched
}

/** How the terms of an entity's name and type are told from those of its observations. */
export const nameMark = '@'

/** The terms of an entity's name and type; function words count, since names are made of them too. */
export function toNameTerms(name: Analysis, type: Analysis): string[] {
  const terms = [name, type].flatMap(({ tokens, wholes }) =>
    [...tokens, ...wholes].map(({ term }) => nameMark + term),
  )
  return [...new Set(terms)]
}
