/**
 * One weight per feature, in the order of `featureNames` (rerank.ts): the share of its score that an observation gains
 * if the feature is 1. Learned by `npm run bench:train-reranker`; what it prints of today's ranking differs from these
 * by less than its noise on each set, except that BEAM loses 1.2 of R@10.
 */
export const learnedWeights: readonly number[] = [-0.122, -0.167, 0.901, 0.28, -0.107, -0.154]
