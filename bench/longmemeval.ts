/**
 * LongMemEval by its retrieval measures: each question has a history of its own, which becomes one memory with an entity a
 * session, and is asked over REST. Reads `longmemeval_oracle.json`, `longmemeval_s.json` or `longmemeval_m.json` (with or
 * without `_cleaned`) from BENCH_DATA; none is part of this repository. hit@k: a session with the answer is among the first
 * k; R@5: all of them are, which the paper calls recall_all@5. Questions that cannot be answered (`_abs`) are left out, as
 * in the paper. Usage: node bench/longmemeval.ts [--file longmemeval_s] [--every 10]
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { importLines } from '../server/test/import-lines.ts'
import { type BenchServer, openBenchAccount, startBenchServer } from './bench-server.ts'
import { type History, readHistories, toHistoryLines } from './lib/longmemeval-file.ts'
import { print } from './lib/report.ts'

const { values: options } = parseArgs({
  options: { file: { type: 'string', default: 'longmemeval_s' }, every: { type: 'string', default: '1' } },
})
const answersMax = 100

type Sums = { questions: number; first: number; five: number; all: number }

const path = [`${options.file}.json`, `${options.file}_cleaned.json`]
  .map((name) => join(process.env.BENCH_DATA ?? '', name))
  .find(existsSync)
if (path === undefined) {
  console.log(`Skipped. BENCH_DATA must name a folder that holds ${options.file}.json.`)
} else {
  const histories = readHistories(readFileSync(path, 'utf8')).filter(
    (_, i) => i % Number(options.every) === 0,
  )
  print(`LongMemEval, ${options.file}, percent by session`, await measure(histories))
}

async function measure(histories: History[]) {
  const sums = new Map<string, Sums>()
  const server = await startBenchServer('sqlite')
  for (const history of histories) {
    const sessions = await askFor(server, history)
    for (const type of [history.type, 'all']) add(sums, type, sessions, history.evidence)
  }
  await server.close()
  return [...sums].map(([type, { questions, first, five, all }]) => {
    const percent = (count: number) => Number(((100 * count) / questions).toFixed(1))
    return { type, questions, 'hit@1': percent(first), 'hit@5': percent(five), 'R@5': percent(all) }
  })
}

/** The sessions of the answer, best first. */
async function askFor(server: BenchServer, history: History): Promise<string[]> {
  const account = await openBenchAccount(server)
  await importLines(server, account, toHistoryLines(history))
  const query = { query: history.question, limit: String(answersMax), context: '0' }
  const { observations } = await account.rest.searchObservations({ query })
  return [...new Set(observations.map(({ entity }) => entity.name))]
}

function add(
  sums: Map<string, Sums>,
  type: string,
  sessions: readonly string[],
  evidence: readonly string[],
) {
  const sum = sums.get(type) ?? { questions: 0, first: 0, five: 0, all: 0 }
  const five = sessions.slice(0, 5)
  sum.questions += 1
  sum.first += Number(evidence.includes(sessions[0] ?? ''))
  sum.five += Number(evidence.some((id) => five.includes(id)))
  sum.all += Number(evidence.every((id) => five.includes(id)))
  sums.set(type, sum)
}
