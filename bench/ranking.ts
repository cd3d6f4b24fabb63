/**
 * The cost of ranking alone, in-process: 200 candidates of 100,000 passages are ranked, then ranked again
 * with their neighbours, as in a search.
 * Usage: node bench/ranking.ts [questions]
 */

import { analyse } from '../server/src/search/analyse/analyser.ts'
import { type EntityFields, noFields, toPassages } from '../server/src/search/analyse/passages.ts'
import { readQuestion } from '../server/src/search/ask/question.ts'
import { countWordsOf, type Passage } from '../server/src/search/match/count-words.ts'
import { type RankingInput, rankObservations } from '../server/src/search/rank/ranking.ts'
import { createRandom } from '../server/test/random.ts'
import { quantile } from './recall-figures.ts'
import { createCorpus } from './search-corpus.ts'

const questions = Number(process.argv[2] ?? 300)
const warmUp = 50
const candidates = 200
const seeds = 24
const reach = 3
const passagesOfSpace = 100_000

const corpus = createCorpus(1)
const random = createRandom(3)
const fields = new Map<number, EntityFields>()
const passages: Passage[] = []
for (const { name, observations } of corpus.entities(passagesOfSpace / 10)) {
  const entityId = fields.size + 1
  fields.set(entityId, { ...noFields, name: analyse(name).tokens.map((token) => token.term) })
  observations.forEach((content, position) => {
    const [{ terms, length } = { terms: [], length: 0 }] = toPassages(content)
    const id = passages.length
    passages.push({
      id,
      observationId: id,
      entityId,
      position,
      createdAt: 0,
      times: () => [],
      length,
      pieces: 1,
      terms: terms.join(' '),
    })
  })
}

const ms: number[] = []
for (let asked = 0; asked < questions + warmUp; asked += 1) {
  const words = readQuestion(
    {
      query: corpus.question(),
      typing: false,
      limit: 10,
      expand: false,
      byMeaning: false,
    },
    0,
  ).words.map(({ term }) => ({
    own: term,
    surface: term,
    terms: new Map([[term, 1]]),
    count: Math.ceil(random() * 3_000),
    rarity: 1,
  }))
  const isNear = new Set<number>()
  const found = Array.from({ length: candidates }, () => passages[Math.floor(random() * passages.length)]!)
  const space = { passages: passagesOfSpace, length: passagesOfSpace * 10 }
  const input: RankingInput = { words, space, passages: found, fields, named: new Map(), times: [] }
  const started = performance.now()
  const counter = countWordsOf(words)
  for (const { passage } of rankObservations(input, counter).slice(0, seeds)) {
    for (let step = -reach; step <= reach; step += 1) isNear.add(passage.id + step)
  }
  const all = new Set([...found, ...[...isNear].flatMap((id) => passages[id] ?? [])])
  rankObservations({ ...input, passages: [...all] }, counter)
  if (asked >= warmUp) ms.push(performance.now() - started)
}
console.table([
  {
    candidates,
    'with neighbours': candidates + seeds * 2 * reach,
    'p50 ms': quantile(ms, 0.5),
    'p95 ms': quantile(ms, 0.95),
    'p99 ms': quantile(ms, 0.99),
  },
])
