/** The ranking for one question: a row of columns per result, and which rows are answers. */
export type RankedList = { rows: readonly (readonly number[])[]; answers: readonly number[]; weight: number }

const newtonSteps = 12

/**
 * Learns a weight for each column so that answers get the greater part of the softmax over their list
 * (ListNet, Cao and others 2007), by Newton's method. Columns are scaled to a deviation of 1. Each costs
 * `penalty` times half the square of its scaled weight, except the first column, which is the existing score.
 */
export function learnWeights(lists: readonly RankedList[], penalty: number): number[] {
  const centred = lists.filter(({ answers }) => answers.length > 0).map(centre)
  const scales = toScales(centred)
  const scaled = centred.map((list) => ({
    ...list,
    rows: list.rows.map((row) => row.map((value, column) => value / scales[column]!)),
  }))
  const penalties = scales.map((_, column) => (column === 0 ? 0 : penalty))
  let weights = scales.map((_, column) => Number(column === 0))
  for (let step = 0; step < newtonSteps; step += 1) {
    const { gradient, curvature } = differentiate(scaled, weights, penalties)
    const change = solve(curvature, gradient)
    weights = weights.map((weight, column) => weight - change[column]!)
  }
  return weights.map((weight, column) => weight / scales[column]!)
}

function centre(list: RankedList): RankedList {
  const means = list.rows[0]!.map((_, column) => mean(list.rows.map((row) => row[column]!)))
  return { ...list, rows: list.rows.map((row) => row.map((value, column) => value - means[column]!)) }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function toScales(lists: readonly RankedList[]): number[] {
  const total = lists.reduce((sum, { weight }) => sum + weight, 0)
  return lists[0]!.rows[0]!.map((_, column) => {
    const squares = lists.map(({ rows, weight }) => weight * mean(rows.map((row) => row[column]! ** 2)))
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / total) || 1
  })
}

function differentiate(
  lists: readonly RankedList[],
  weights: readonly number[],
  penalties: readonly number[],
): { gradient: number[]; curvature: number[][] } {
  const size = weights.length
  const gradient = weights.map((weight, column) => penalties[column]! * weight)
  const curvature = weights.map((_, row) =>
    weights.map((_, column) => (row === column ? penalties[row]! : 0)),
  )
  for (const { rows, answers, weight } of lists) {
    const parts = softmax(rows.map((row) => row.reduce((sum, value, i) => sum + value * weights[i]!, 0)))
    const expected = new Float64Array(size)
    const products = new Float64Array(size * size)
    for (const [i, row] of rows.entries()) addProducts(row, parts[i]!, expected, products)
    for (let a = 0; a < size; a += 1) {
      gradient[a]! += weight * (expected[a]! - mean(answers.map((answer) => rows[answer]![a]!)))
      for (let b = 0; b < size; b += 1) {
        curvature[a]![b]! += weight * (products[a * size + b]! - expected[a]! * expected[b]!)
      }
    }
  }
  return { gradient, curvature }
}

function addProducts(row: readonly number[], part: number, sums: Float64Array, products: Float64Array): void {
  for (let a = 0; a < row.length; a += 1) {
    const share = part * row[a]!
    sums[a]! += share
    for (let b = 0; b < row.length; b += 1) products[a * row.length + b]! += share * row[b]!
  }
}

function softmax(scores: readonly number[]): number[] {
  const max = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - max))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}

/** Solves a symmetric positive definite system by elimination, which needs no pivoting. */
export function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, values[i]!])
  rows.forEach((pivot, i) => {
    for (const row of rows) {
      if (row === pivot) continue
      const factor = row[i]! / pivot[i]!
      for (let column = i; column < row.length; column += 1) row[column]! -= factor * pivot[column]!
    }
  })
  return rows.map((row, i) => row[values.length]! / row[i]!)
}
