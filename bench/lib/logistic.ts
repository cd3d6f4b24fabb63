import { solve } from './listwise-softmax.ts'

export type LabelledExample = { features: readonly number[]; isKept: boolean; weight: number }

const newtonSteps = 15

/**
 * Logistic regression by Newton's method, with `penalty` times half the square of each weight
 * (https://en.wikipedia.org/wiki/Logistic_regression). The bias costs nothing.
 */
export function learnLogistic(examples: readonly LabelledExample[], penalty: number) {
  const rows = examples.map((example) => ({ ...example, features: [...example.features, 1] }))
  const size = rows[0]!.features.length
  const penalties = Array.from({ length: size }, (_, i) => (i === size - 1 ? 0 : penalty))
  let weights = penalties.map(() => 0)
  for (let step = 0; step < newtonSteps; step += 1) {
    const gradient = weights.map((weight, i) => penalties[i]! * weight)
    const curvature = penalties.map((value, i) => penalties.map((_, j) => (i === j ? value : 0)))
    for (const { features, isKept, weight } of rows) {
      const likely = 1 / (1 + Math.exp(-features.reduce((sum, value, i) => sum + value * weights[i]!, 0)))
      features.forEach((value, i) => {
        if (value === 0) return
        gradient[i]! += weight * (likely - Number(isKept)) * value
        features.forEach((other, j) => {
          curvature[i]![j]! += weight * likely * (1 - likely) * value * other
        })
      })
    }
    const change = solve(curvature, gradient)
    weights = weights.map((weight, i) => weight - change[i]!)
  }
  return { weights: weights.slice(0, -1), bias: weights.at(-1)! }
}
