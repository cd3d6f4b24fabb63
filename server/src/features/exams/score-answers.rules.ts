import { foldName } from '../../search/analyse/name-letters.ts'

/** A question with what answers it: texts of facts, or their ids. */
export type ExamQuestion = { question: string; evidence: string[]; kind: string }

/** What an answer to a question was worth. */
export type ExamScore = {
  question: string
  kind: string
  /** The share of the evidence in the whole answer, and in the part that is read. */
  found: number
  shown: number
  tokens: number
  ms: number
}

const escapes = /\\(?:[nrt"\\/]|u[0-9a-f]{4})/gi
const between = /[^\p{L}\p{N}]+/gu
const isId = /^(?:obs|ent|rel)_[0-9a-z]{1,11}$/

/** Letters and digits, so that neither JSON nor Markdown around a text hides it. */
const lettersOf = (text: string) => foldName(text.replace(escapes, ' ')).replace(between, ' ').trim()

/** The share of the evidence that stands in a text. */
export function shareIn(text: string, evidence: readonly string[]): number {
  const words = ` ${lettersOf(text)} `
  const present = evidence.filter((one) =>
    isId.test(one) ? text.includes(one) : words.includes(` ${lettersOf(one)} `),
  )
  return evidence.length === 0 ? 0 : present.length / evidence.length
}

export type ExamSum = { questions: number; found: number; shown: number; tokens: number; ms: number }

const mean = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

export const sumOf = (scores: readonly ExamScore[]): ExamSum => ({
  questions: scores.length,
  found: mean(scores.map(({ found }) => found)),
  shown: mean(scores.map(({ shown }) => shown)),
  tokens: mean(scores.map(({ tokens }) => tokens)),
  ms: mean(scores.map(({ ms }) => ms)),
})

export type ExamComparison = { better: number; worse: number; same: number; chance: number }

/**
 * Compares two runs question by question, by what is shown. `chance`: how likely a difference at least as large is if
 * both are equally good (the exact sign test, two-sided).
 */
export function compareScores(one: readonly ExamScore[], other: readonly ExamScore[]): ExamComparison {
  const others = new Map(other.map((score) => [score.question, score]))
  const differences = one.flatMap(({ question, shown }) => {
    const against = others.get(question)
    return against === undefined ? [] : [shown - against.shown]
  })
  const better = differences.filter((difference) => difference > 0).length
  const worse = differences.filter((difference) => difference < 0).length
  return { better, worse, same: differences.length - better - worse, chance: signTest(better, worse) }
}

/** The share of all outcomes of `better + worse` fair coins that are at least as uneven. */
function signTest(better: number, worse: number): number {
  const count = better + worse
  let tail = 0
  let logChoose = 0
  for (let k = 0; k <= Math.min(better, worse); k += 1) {
    tail += Math.exp(logChoose - count * Math.LN2)
    logChoose += Math.log(count - k) - Math.log(k + 1)
  }
  return Math.min(1, 2 * tail)
}
