/** A passage as the index keeps it; `terms` are in the order of the text, those that stand for a whole identifier start with `+`. */
export type Passage = {
  id: number
  observationId: string
  entityId: string
  /** Place among the observations of the entity, in the order they were added. */
  position: number
  createdAt: number
  length: number
  terms: string[]
}

/** One word of the query: any of its terms counts as the word, by its weight. */
export type QueryWord = { terms: Map<string, number>; df: number; isPrefix?: boolean }

export type Statistics = { passages: number; averageLength: number }

/** Saturation and length normalisation of BM25 (Robertson and Zaragoza 2009), as everybody uses them. */
export const params = { k1: 1.2, b: 0.75 }

export function inverseFrequency(df: number, total: number): number {
  return Math.log(1 + (total - df + 0.5) / (df + 0.5))
}

export const weights = {
  neighbour: 0.35,
  bigram: 0.5,
}

function weightIn(word: QueryWord, term: string): number {
  return word.terms.get(term) ?? 0
}

/** BM25 of a passage, with pairs of query words that stand side by side in it as further terms. */
export function scorePassage(words: readonly QueryWord[], passage: Passage, statistics: Statistics): number {
  const frequencies = new Float64Array(words.length)
  const pairs = new Float64Array(words.length)
  let previous: string | undefined
  for (const item of passage.terms) {
    const isWhole = item.charCodeAt(0) === 43
    const term = isWhole ? item.slice(1) : item
    for (let i = 0; i < words.length; i += 1) {
      const weight = weightIn(words[i]!, term)
      if (weight === 0) continue
      frequencies[i]! += weight
      if (!isWhole && i > 0 && previous !== undefined && weightIn(words[i - 1]!, previous) > 0) pairs[i]! += 1
    }
    if (!isWhole) previous = term
  }
  const norm = params.k1 * (1 - params.b + (params.b * passage.length) / (statistics.averageLength || 1))
  let score = 0
  let before = 0
  for (let i = 0; i < words.length; i += 1) {
    const idf = inverseFrequency(words[i]!.df, statistics.passages)
    const tf = frequencies[i]!
    score += (idf * tf * (params.k1 + 1)) / (tf + norm)
    const pair = pairs[i]!
    if (pair > 0) score += (weights.bigram * Math.min(idf, before) * pair * (params.k1 + 1)) / (pair + norm)
    before = idf
  }
  return score
}
