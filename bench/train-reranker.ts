/**
 * Learns the weights of `server/src/search/rank/rerank-weights.ts` from the question sets of BENCH_DATA:
 * runs the real search in-process and finds the weights that rank answers first. Each set counts the same,
 * whatever its size. Prints how weights learned on one half of all sets perform on the other, and then the
 * weights learned on everything, to paste. `--without time,length` leaves features out, `--penalty 1` keeps
 * the weights closer to zero.
 */
import { parseArgs } from 'node:util'
import { featureNames } from '../server/src/search/rank/rerank.ts'
import { learnWeights } from './lib/listwise-softmax.ts'
import { type Example, readExamples } from './lib/reranker-examples.ts'
import { addAnswer, newTally, toFigures } from './recall-figures.ts'
import { findSetFile } from './recall-sets.ts'

const { values: options } = parseArgs({
  options: {
    without: { type: 'string', default: '' },
    penalty: { type: 'string', default: '0.3' },
  },
})
/** The graph is searched both with and without `expand`. */
const sets = [
  { set: 'locomo', expand: false },
  { set: 'realtalk', expand: false },
  { set: 'beam', expand: false },
  { set: 'musique', expand: false },
  { set: 'musique', expand: true },
]
const left = options.without.split(',')
const used = featureNames.map((name) => (left.includes(name) ? 0 : 1))

const started = performance.now()
const examples: Example[] = []
for (const { set, expand } of sets) {
  const file = findSetFile(set)
  if (file === undefined) continue
  const ofSet = await readExamples(set, file, expand)
  examples.push(...ofSet.map((example) => ({ ...example, set: expand ? `${set} expand` : set })))
}
if (examples.length > 0) {
  console.log('\nLearned on one half, judged on the other')
  console.table(['even', 'odd'].flatMap((half) => judge(({ half: ofExample }) => ofExample === half, half)))
  console.log('\nLearned on the other sets')
  console.table(
    sets.filter(({ expand }) => !expand).flatMap(({ set }) => judge((one) => one.set.startsWith(set), 'all')),
  )
  const weights = learn(examples)
  console.log(featureNames.map((name, i) => `${name} ${weights[i]!.toFixed(3)}`).join(', '))
  console.log(
    `export const learnedWeights: readonly number[] = [${weights.map((one) => Number(one.toFixed(3)))}]`,
  )
  console.log(`${((performance.now() - started) / 1_000).toFixed(0)} s`)
}

/** Evaluates on these questions the weights learned on all others. */
function judge(isJudged: (example: Example) => boolean, half: string) {
  const weights = learn(examples.filter((example) => !isJudged(example)))
  return [...Map.groupBy(examples.filter(isJudged), ({ set }) => set)].map(([set, some]) => {
    const [before, after] = [
      measure(
        some,
        weights.map(() => 0),
      ),
      measure(some, weights),
    ]
    const columns = (['R@5', 'R@10', 'R@20', 'MRR'] as const).map((name) => [
      name,
      `${before[name]} -> ${after[name]}`,
    ])
    return { set, judged: half, questions: some.length, ...Object.fromEntries(columns) }
  })
}

/** The hand-made score is the first column; the weights of the others are shares of it. */
function learn(some: readonly Example[]): number[] {
  const countOf = Map.groupBy(some, ({ set }) => set)
  const lists = some.map(({ set, question, hits, found }) => ({
    weight: 1 / countOf.get(set)!.length / countOf.size,
    rows: hits.map(({ score, features }) => [score, ...features.map((one, i) => one * score * used[i]!)]),
    answers: hits.flatMap((_, i) => (question.evidence.includes(found[i]!) ? [i] : [])),
  }))
  const [score = 1, ...weights] = learnWeights(lists, Number(options.penalty))
  return weights.map((weight) => weight / score)
}

function measure(some: readonly Example[], weights: readonly number[]) {
  const tally = newTally()
  for (const { question, hits, found } of some) {
    const scores = hits.map(
      ({ score, features }) => score * features.reduce((sum, one, i) => sum + one * weights[i]!, 1),
    )
    const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!)
    const reordered = [...order.map((i) => found[i]!), ...found.slice(hits.length)]
    addAnswer(tally, question, reordered.slice(0, 50), new Map(), 0)
  }
  return toFigures(tally)
}
