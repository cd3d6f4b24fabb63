import { analyse } from '../analyse/analyser.ts'
import { tellsOfChange } from './change-words.ts'

/** A number in a text. */
export type Count = {
  value: string
  /** What it counts, if that follows it: of "150 commits" the term of the second word. */
  counted: string | undefined
  /** The terms of its clause, without function words and numbers. */
  terms: ReadonlySet<string>
  /** Whether its clause tells of a change. */
  tells: boolean
}

/** Before "which" the clause goes on: "the commits, which have now reached 165". */
const clauseEnd = /[.!?;](?=\s|$)|\n|,\s(?!which\b|who\b|that\b)/u
/** Not amounts of money, percentages, versions, times of day or parts of names. */
const numeral = /(?<![\p{L}\p{N}.,/:_$€£-])(\d{1,3}(?:,\d{3})+|\d+)(?![\p{L}\p{N}%$€£/:_-]|[.,]\d)/gu
const month = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?\s$/i
const year = /^(?:19|20)\d\d$/
const hasDigit = /\d/

export function readCounts(text: string): Count[] {
  return hasDigit.test(text) ? text.split(clauseEnd).flatMap(readClause) : []
}

function readClause(clause: string): Count[] {
  const found = [...clause.matchAll(numeral)].filter(
    ({ 0: value, index }) => !year.test(value) && !month.test(clause.slice(0, index)),
  )
  if (found.length === 0) return []
  const { tokens } = analyse(clause)
  const isContent = ({ isStop, term }: (typeof tokens)[number]) => !isStop && !hasDigit.test(term)
  const terms = new Set(tokens.filter(isContent).map(({ term }) => term))
  const tells = tellsOfChange(clause)
  return found.map(({ 0: value, index }) => {
    const next = tokens.find(({ start }) => start >= index + value.length)
    const counted = next !== undefined && isContent(next) ? next.term : undefined
    return { value: value.replaceAll(',', ''), counted, terms, tells }
  })
}

/** What was counted, and one more word. */
const sharedMin = 2

/**
 * Whether a text tells that what an earlier one counted has come to another number: "150 commits were merged", "commits
 * merged have now reached 165". A number that counts something itself ("3 new commits") may be beside the other.
 */
export function givesNewCount(later: readonly Count[], earlier: readonly Count[]): boolean {
  const isNewer = (one: Count, other: Count) =>
    other.counted !== undefined &&
    other.value !== one.value &&
    one.terms.has(other.counted) &&
    one.terms.intersection(other.terms).size >= sharedMin
  return later.some(
    (one) => one.tells && one.counted === undefined && earlier.some((other) => isNewer(one, other)),
  )
}
