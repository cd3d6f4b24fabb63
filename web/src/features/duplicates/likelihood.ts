const veryLikelyMin = 0.85
const likelyMin = 0.7

/** A score in words. */
export function likelihoodOf(score: number): string {
  if (score >= veryLikelyMin) return 'Very likely the same'
  return score >= likelyMin ? 'Likely the same' : 'Possibly the same'
}
