import type { Question } from './recall-sets.ts'

const cutoffs = [5, 10, 20] as const
const sessionCutoffs = [5, 10] as const

/** Sums over questions; recall counts pieces of evidence, and the entities ("sessions") that contain them. */
export type Tally = {
  asked: number
  recall: number[]
  reciprocal: number
  sessionRecall: number[]
  anySession: number
  ms: number[]
  /** Questions that were also asked for the text shown, the share of their evidence in it, and whether it has any. */
  shown: { asked: number; share: number; any: number }
}

export function newTally(): Tally {
  const shown = { asked: 0, share: 0, any: 0 }
  return { asked: 0, recall: [0, 0, 0], reciprocal: 0, sessionRecall: [0, 0], anySession: 0, ms: [], shown }
}

/** Adds the answer to one question: ids of evidence, best first, '' for hits that are no evidence. */
export function addAnswer(
  tally: Tally,
  { evidence }: Question,
  found: readonly string[],
  sessionOf: ReadonlyMap<string, string>,
  ms: number,
): void {
  const wanted = new Set(evidence)
  const toSessions = (ids: Iterable<string>) => [...new Set([...ids].map((id) => sessionOf.get(id) ?? ''))]
  const sessions = toSessions(found)
  const wantedSessions = new Set(toSessions(evidence))
  tally.asked += 1
  cutoffs.forEach((k, i) => {
    tally.recall[i]! += share(found, wanted, k)
  })
  sessionCutoffs.forEach((k, i) => {
    tally.sessionRecall[i]! += share(sessions, wantedSessions, k)
  })
  const first = found.findIndex((id) => wanted.has(id))
  if (first >= 0) tally.reciprocal += 1 / (first + 1)
  if (sessions.slice(0, 5).some((session) => wantedSessions.has(session))) tally.anySession += 1
  tally.ms.push(ms)
}

/** Adds the share of a question's evidence that was shown. */
export function addShown({ shown }: Tally, part: number): void {
  shown.asked += 1
  shown.share += part
  if (part > 0) shown.any += 1
}

function share(ranked: readonly string[], wanted: ReadonlySet<string>, k: number): number {
  return new Set(ranked.slice(0, k).filter((id) => wanted.has(id))).size / wanted.size
}

export type Figures = Record<string, string | number>

/** Percentages, except for the milliseconds. */
export function toFigures(tally: Tally): Figures {
  const { asked, recall, reciprocal, sessionRecall, anySession, ms, shown } = tally
  const percent = (sum: number, of = asked) => Number(((100 * sum) / Math.max(1, of)).toFixed(1))
  return {
    questions: asked,
    ...Object.fromEntries(cutoffs.map((k, i) => [`R@${k}`, percent(recall[i]!)])),
    MRR: percent(reciprocal),
    ...Object.fromEntries(sessionCutoffs.map((k, i) => [`sR@${k}`, percent(sessionRecall[i]!)])),
    'any s@5': percent(anySession),
    ...(shown.asked === 0
      ? {}
      : { shown: percent(shown.share, shown.asked), 'any shown': percent(shown.any, shown.asked) }),
    'p50 ms': quantile(ms, 0.5),
    'p95 ms': quantile(ms, 0.95),
  }
}

/** The nearest rank, rounded to a tenth. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1))
}
