/** docs/search.md explains each weight. */
export const weights = {
  /** BM25 saturation and length normalisation, with the usual values for short passages. */
  k1: 0.9,
  b: 0.4,
  /** Each step away from a passage counts this part of the previous step, for up to three steps. */
  neighbour: 0.4,
  /** The same after a question, since the following passage is likely its answer. */
  answer: 0.6,
  neighboursMax: 3,
  /** A neighbour's weight fades with the time between the two, to 1/e in six hours. */
  neighbourFadeMs: 6 * 3_600_000,
  /** A word in a field of the passage's entity, relative to a word in the passage. */
  name: 0.9,
  /** Two words of the question close together in a passage (`count-words.ts`), as a part of the rarer one's weight. */
  pair: 0.8,
  /** The part of the score that depends on how much of the question the passage covers. */
  coverage: 0.2,
  entity: 0.4,
  /** In a memory of short facts, whose passages have at most so many words on average, each stands more alone. */
  shortLengthMax: 10,
  entityOfShort: 0.2,
  neighboursOfShort: 0.6,
  /**
   * The best text and the best entity count fully only with this part of the weight of all words of the question: one
   * word of five says little, also where no passage has more.
   */
  fullTextMin: 0.5,
  fullEntityMin: 0.225,
  /** The question names the passage's entity, or the subject with which its text begins. */
  named: 0.2,
  /** The passage is about an entity that the question names and that has facts; such passages come first. */
  asked: 1,
  /** The question is about the passage's entity; times the square of the part of the question it covers. */
  subject: 0.8,
  /** Likeness of meaning weighs up to this much more where words tell less than `saidMax` of the question. */
  unsaid: 0.5,
  saidMax: 0.4,
  /** Words of the question that a passage lacks, as far as its most alike words are more alike than `alikeMin`. */
  alike: 0.8,
  alikeMin: 0.1,
  /** Deducted per doubling of an observation's passages, at most three times: each passage is a chance to match. */
  pieces: 0.05,
  doublingsMax: 3,
  /** Stored in the month, week or day that the question names; in the season or year. */
  shortTime: 0.5,
  /** The text tells a date or number, and the question asks for one. */
  kind: 0.14,
  /** The text tells a name, and the question asks for one. */
  kindOfName: 0.2,
  /** Deducted from questions of up to ten words, which are no answers. Longer ones also contain information. */
  question: 0.2,
  questionLengthMax: 10,
  longTime: 0.25,
  /** Its text names a period that meets the one of the question. */
  toldTime: 0.35,
  /** A name that the question asks about, in the facts of its entity, if at least so many were found. */
  ownName: 0.3,
  ownFactsMin: 3,
  /** The passages closest to the first hits in the graph, relative to a text score of at most 1. */
  graph: 0.8,
}

/** The weight of a word of a question: how rare it is in the memory, and in English. */
export const weightOfWord = ({ count, rarity }: { count: number; rarity: number }, total: number): number =>
  rarity * inverseFrequency(count, total)

/** BM25's normalisation of frequencies by the length of their text. */
export const lengthNorm = ({ length }: { length: number }, averageLength: number): number =>
  1 - weights.b + (weights.b * length) / averageLength

/** BM25's weight of a word by how rare it is (Robertson and Zaragoza 2009, never below zero). */
export function inverseFrequency(count: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - count) + 0.5) / (count + 0.5))
}
