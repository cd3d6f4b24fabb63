import { solve } from './listwise-softmax.ts'

/** `features`: the numbers of those that an example has, from 0. */
export type LabelledExample = { features: readonly number[]; isKept: boolean; weight: number }

const newtonSteps = 15

/**
 * Logistic regression on features that an example has or has not, by Newton's method, with `penalty` times half the square
 * of each weight (https://en.wikipedia.org/wiki/Logistic_regression). The bias costs nothing.
 */
export function learnLogistic(examples: readonly LabelledExample[], size: number, penalty: number) {
  const rows = examples.map((example) => ({ ...example, features: [...example.features, size] }))
  const penalties = Array.from({ length: size + 1 }, (_, i) => (i === size ? 0 : penalty))
  let weights = penalties.map(() => 0)
  for (let step = 0; step < newtonSteps; step += 1) {
    const gradient = weights.map((weight, i) => penalties[i]! * weight)
    const curvature = penalties.map((value, i) => penalties.map((_, j) => (i === j ? value : 0)))
    for (const { features, isKept, weight } of rows) {
      const likely = 1 / (1 + Math.exp(-features.reduce((sum, i) => sum + weights[i]!, 0)))
      for (const i of features) {
        gradient[i]! += weight * (likely - Number(isKept))
        for (const j of features) curvature[i]![j]! += weight * likely * (1 - likely)
      }
    }
    const change = solve(curvature, gradient)
    weights = weights.map((weight, i) => weight - change[i]!)
  }
  return { weights: weights.slice(0, -1), bias: weights.at(-1)! }
}
