/** Each weight has its reason in docs/decisions/020-search.md. */
export const weights = {
  /** BM25 saturation and length normalisation, as is usual for short passages. */
  k1: 0.9,
  b: 0.4,
  /** Each step away from a passage counts this part of the one before, three steps far. */
  neighbour: 0.4,
  /** The same after a question, which what follows it is likely to answer. */
  answer: 0.6,
  neighboursMax: 3,
  /** A neighbour counts less the longer ago it was told, falling to 1/e in six hours. */
  neighbourFadeMs: 6 * 3_600_000,
  /** A word in a field of the passage's entity, beside 1 for a word in the passage. */
  name: 0.5,
  /** Two words of the question close together in a passage (`count-words.ts`), of the rarer one's weight. */
  pair: 0.8,
  /** The part of the score that hangs on how much of the question the passage has. */
  coverage: 0.2,
  entity: 0.4,
  /** The passage's entity, or the subject that its text opens with, is named in the question. */
  named: 0.2,
  /** The passage is about an entity that is named in the question and has facts of its own: those come first. */
  asked: 1,
  /** The passage's entity is what the question is about, by the square of how much of the question it is. */
  subject: 0.8,
  /** Taken off for each doubling of the passages of an observation, which has as many tries; three times at most. */
  pieces: 0.05,
  doublingsMax: 3,
  /** Told in the month, week or day that the question names; in the season or year. */
  shortTime: 0.5,
  /** The passage holds a date or a number, and that is asked for. */
  kind: 0.2,
  /** Taken off a passage that does nothing but ask, up to ten words: it is no answer. Longer ones tell something too. */
  question: 0.2,
  questionLengthMax: 10,
  longTime: 0.25,
  /** What the graph reaches best from the first hits, beside a text score of at most 1. */
  graph: 0.8,
}

/** BM25's weight of a word by how rare it is (Robertson and Zaragoza 2009, never below zero). */
export function inverseFrequency(count: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - count) + 0.5) / (count + 0.5))
}
