/**
 * Recall through the public interfaces: imports the question sets of BENCH_DATA into the real server, asks
 * each question over REST and through the MCP tool, and asks search_nodes of the reference memory server the
 * same. One table per set. `--database sqlite` tests one database only, `--set locomo` one set, `--by
 * rest,mcp` some of the interfaces, `--every 10` each tenth question, `--half odd` the odd-numbered
 * conversations, `--model use-lite-en` compares sentences by a local model. "shown" is the share of the evidence that the tool shows at its defaults, "any shown" the
 * share of questions for which it shows any. The sets `invented`, `lives`, `lives-five`, `crowd` and `notes` need no file; `--misses` prints
 * their wrong answers.
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { LocalModelId } from '@loci/contract/embeddings'
import { importLines } from '../server/test/import-lines.ts'
import {
  type BenchServer,
  compareBy,
  type DatabaseName,
  databases,
  openBenchAccount,
  startBenchServer,
} from './bench-server.ts'
import { type Answer, type Asker, askRecallTool, askReference, askRest } from './recall-askers.ts'
import { addAnswer, addShown, newTally, type Tally, toFigures } from './recall-figures.ts'
import { isOwnSet, measureOwnSet, type Scores, toScoreRows } from './recall-own-sets.ts'
import { findSetFile, readSet, type Space, toImportLines } from './recall-sets.ts'
import { findExcerpted, type Shown, shareShown } from './recall-shown.ts'

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: databases.join(',') },
    set: { type: 'string', default: 'locomo,locomo-typos,realtalk,beam,musique,invented,notes' },
    by: { type: 'string', default: 'rest,mcp,reference,reference-words' },
    every: { type: 'string', default: '1' },
    half: { type: 'string', default: 'both' },
    model: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
const model = LocalModelId.optional().parse(options.model)
const doors = options.by.split(',')
const askedDatabases = databases.filter((known) => options.database.split(',').includes(known))

/** Recall by interface and by category of question. */
type CallCounts = Map<string, Map<string, Tally>>

for (const set of options.set.split(',')) {
  if (isOwnSet(set)) {
    await printOwnSet(set)
    continue
  }
  const file = findSetFile(set)
  if (file === undefined) continue
  const asked = options.every === '1' ? 'all' : `each ${options.every}th of the`
  console.log(`\n${set}, percent of ${asked} questions`)
  console.table(toRows(await measureSet(set, file)))
}

async function printOwnSet(set: string): Promise<void> {
  const scores: Scores = new Map()
  for (const database of askedDatabases) {
    await measureOwnSet(scores, database, { set, by: doors, every: Number(options.every), model }, (miss) => {
      if (options.misses) console.log(miss)
    })
  }
  console.log(`\n${set}, percent right`)
  console.table(toScoreRows(scores))
}

async function measureSet(set: string, file: string): Promise<CallCounts> {
  const text = gunzipSync(readFileSync(file)).toString()
  const all = keepEach(Number(options.every), readSet(text, { typos: set.endsWith('-typos') }))
  const spaces = all.filter((_, i) => options.half === 'both' || (i % 2 === 1) === (options.half === 'odd'))
  const tallies: CallCounts = new Map()
  for (const database of askedDatabases) {
    await measureServer(tallies, database, spaces, set === 'musique')
  }
  for (const space of spaces) {
    for (const door of doors.filter((known) => known.startsWith('reference'))) {
      await measureAsker(tallies, door, await askReference(space, door.endsWith('words')), space)
    }
  }
  return tallies
}

/** Counts across all spaces, since each groups its questions by kind. */
function keepEach(every: number, spaces: Space[]): Space[] {
  let asked = 0
  return spaces.map((space) => ({ ...space, questions: space.questions.filter(() => asked++ % every === 0) }))
}

async function measureServer(
  tallies: CallCounts,
  database: DatabaseName,
  spaces: Space[],
  hasGraph: boolean,
) {
  const server = await startBenchServer(database)
  for (const space of spaces) {
    const askers = await openAskers(server, space, hasGraph)
    for (const [by, asker] of Object.entries(askers)) {
      await measureAsker(tallies, `${database} ${by}`, asker, space)
    }
  }
  await server.close()
}

async function openAskers(
  server: BenchServer,
  space: Space,
  hasGraph: boolean,
): Promise<Record<string, Asker>> {
  const account = await openBenchAccount(server)
  await importLines(server, account, toImportLines(space))
  if (model !== undefined) await compareBy(model, server)
  const askers: Record<string, Asker> = {}
  for (const expand of hasGraph ? [false, true] : [false]) {
    const suffix = expand ? ', expand' : ''
    if (doors.includes('rest')) askers[`rest${suffix}`] = askRest(account, expand)
    if (doors.includes('mcp')) askers[`mcp${suffix}`] = await askRecallTool(server, account, expand)
  }
  return askers
}

async function measureAsker(tallies: CallCounts, by: string, asker: Asker, space: Space): Promise<void> {
  const [evidenceOf, sessionOf] = [new Map<string, string>(), new Map<string, string>()]
  const textOf = new Map<string, Shown>()
  for (const { name, observations } of space.entities) {
    for (const { content, evidenceId } of observations) {
      evidenceOf.set(`${name}\n${content}`, evidenceId)
      sessionOf.set(evidenceId, name)
      textOf.set(evidenceId, { entity: name, text: content })
    }
  }
  const idOf = ({ entity, content }: Answer) =>
    evidenceOf.get(`${entity}\n${content}`) ?? findExcerpted(textOf, { entity, text: content })
  for (const question of space.questions) {
    const started = performance.now()
    const answers = await asker.ask(question.text)
    const ms = performance.now() - started
    const found = answers.map((answer) => idOf(answer) ?? '')
    for (const category of ['all', question.category]) {
      addAnswer(tallyOf(tallies, by, category), question, found, sessionOf, ms)
    }
    const shown = await asker.show?.(question.text)
    if (shown === undefined) continue
    const share = shareShown(question.evidence, textOf, shown)
    for (const category of ['all', question.category]) addShown(tallyOf(tallies, by, category), share)
  }
  await asker.close()
}

function tallyOf(tallies: CallCounts, by: string, category: string): Tally {
  const ofAsker = tallies.get(by) ?? new Map<string, Tally>()
  tallies.set(by, ofAsker)
  const tally = ofAsker.get(category) ?? newTally()
  ofAsker.set(category, tally)
  return tally
}

function toRows(tallies: CallCounts) {
  const rows = [...tallies].flatMap(([by, byCategory]) =>
    [...byCategory].map(([category, tally]) => ({ category, by, ...toFigures(tally) })),
  )
  return rows.sort((a, b) => compareCategories(a.category, b.category))
}

function compareCategories(a: string, b: string): number {
  return Number(b === 'all') - Number(a === 'all') || a.localeCompare(b)
}
