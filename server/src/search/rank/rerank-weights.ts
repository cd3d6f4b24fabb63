/**
 * One weight per feature, in the order of `featureNames` (rerank.ts): the share of its score that an observation gains
 * if the feature is 1. Printed by `npm run bench:train-reranker`, which describes how they were learned.
 */
export const learnedWeights: readonly number[] = [-0.122, -0.167, 0.901, 0.28, -0.107, -0.154]
