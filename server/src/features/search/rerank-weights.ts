/**
 * A weight for each of `featureNames` (rerank.ts), in their order: the share of its score that an observation gains
 * where the feature is 1. Printed by `npm run bench:train-reranker`, which tells how they were learned.
 */
export const learnedWeights: readonly number[] = [-0.139, -0.203, 0.66, 0.039, 0.344, -0.162, 0.079, -0.214]
