/**
 * A weight for each of `featureNames` (rerank.ts), in their order: the share of its score that an observation gains
 * where the feature is 1. Printed by `npm run bench:train-reranker`, which tells how they were learned.
 */
export const learnedWeights: readonly number[] = [-0.122, -0.167, 0.901, 0.28, -0.107, -0.154]
