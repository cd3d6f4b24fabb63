/**
 * What one recall costs: processor time of the whole process at the median, and statements, on SQLite, warm; through the
 * service that the tool calls. Facts are those of `sets/facts.txt`; chats are those of BENCH_DATA, or left out.
 * Usage: node bench/recall-cost.ts [facts] [turns] [large] [rounds]   (default 130, 500, 100000 and 3)
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { recallMemories } from '../server/src/features/memories/recall-memories.ts'
import { searchObservations } from '../server/src/features/search/search.service.ts'
import { importLines } from '../server/test/import-lines.ts'
import { readLives, toLifeLines } from '../server/test/lives/lives.ts'
import { statementsOf } from '../server/test/statements-of.ts'
import { openBenchAccount, startBenchServer } from './bench-server.ts'
import { findOwner } from './lib/actors.ts'
import { machine, median, print, type Row } from './lib/report.ts'
import { sampleEntity } from './lib/sample-graph.ts'
import { findSetFile, readSet, toImportLines } from './recall-sets.ts'

const [facts = 130, turns = 500, large = 100_000, rounds = 3] = process.argv.slice(2).map(Number)
const questionsMax = 60
const tool = { maxTokens: 2_200, context: 1, expand: true }
const rest = { limit: 20, context: 0, expand: false, explain: false }

type Asked = { name: string; lines: string; questions: string[] }

process.stdout.write(`${machine()}\n`)
const rows: Row[] = []
for (const asked of [shortFacts(), chat(), sample()]) if (asked !== undefined) rows.push(await measure(asked))
print('Milliseconds of processor time a call, and statements, SQLite', rows)

async function measure({ name, lines, questions }: Asked): Promise<Row> {
  const server = await startBenchServer('sqlite')
  const account = await openBenchAccount(server)
  await importLines(server, account, lines)
  const actor = await findOwner(server.ctx, account.id)
  const recall = (query: string) => recallMemories(server.ctx, actor, { ...tool, query })
  const calls: Record<string, (query: string) => Promise<unknown>> = {
    recall,
    'without expand': (query) => recallMemories(server.ctx, actor, { ...tool, query, expand: false }),
    'REST observations': (query) => searchObservations(server.ctx, actor, { ...rest, query }),
  }
  const row: Row = { memory: name }
  for (const [call, run] of Object.entries(calls)) {
    const taken: number[] = []
    for (let round = 0; round <= rounds; round++) {
      for (const question of questions) {
        await new Promise(setImmediate)
        const before = process.cpuUsage()
        await run(question)
        const { user, system } = process.cpuUsage(before)
        if (round > 0) taken.push((user + system) / 1_000)
      }
    }
    const statements: number[] = []
    for (const question of questions.slice(0, 20))
      statements.push((await statementsOf(() => run(question))).length)
    row[`${call}, ms`] = median(taken).toFixed(2)
    row[`${call}, statements`] = median(statements)
  }
  await server.close()
  return row
}

/** The first facts of the set, with the questions that they answer. */
function shortFacts(): Asked {
  const { entities, questions } = readLives([join(import.meta.dirname, 'sets', 'facts.txt')])
  let left = facts
  const kept = entities.flatMap((entity) => {
    const observations = entity.observations.slice(0, left)
    left -= observations.length
    return observations.length === 0 ? [] : [{ ...entity, observations }]
  })
  const contents = kept.flatMap(({ observations }) => observations)
  const answered = questions.filter(({ wanted }) =>
    contents.some((content) => wanted.some((part) => content.includes(part))),
  )
  return {
    name: `${contents.length} facts`,
    lines: toLifeLines({ entities: kept, relations: [], questions: [] }),
    questions: answered.slice(0, questionsMax).map(({ text }) => text),
  }
}

/** The first conversation of REALTALK, cut to as many turns. */
function chat(): Asked | undefined {
  const file = findSetFile('realtalk')
  if (file === undefined) return undefined
  const [space] = readSet(gunzipSync(readFileSync(file)).toString(), { typos: false })
  let left = turns
  const entities = space!.entities.map((entity) => {
    const observations = entity.observations.slice(0, left)
    left -= observations.length
    return { ...entity, observations }
  })
  return {
    name: `${turns - left} turns`,
    lines: toImportLines({ ...space!, entities }),
    questions: space!.questions.slice(0, questionsMax).map(({ text }) => text),
  }
}

/** The graph of the other benchmarks. */
function sample(): Asked | undefined {
  if (large === 0) return undefined
  const count = Math.ceil(large / 3)
  const entities = Array.from({ length: count }, (_, i) => sampleEntity(i, count))
  return {
    name: `${count * 3} sentences`,
    lines: entities.map((entity) => JSON.stringify({ type: 'entity', ...entity })).join('\n'),
    questions: Array.from({ length: questionsMax / 3 }, (_, i) => `what did the agent find on day ${i * 31}`),
  }
}
