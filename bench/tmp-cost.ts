import { readFileSync } from 'node:fs'
import { importLines } from '../server/test/import-lines.ts'
import { createRandom } from '../server/test/random.ts'
import { openBenchAccount, startBenchServer } from './bench-server.ts'
const words = readFileSync('/tmp/distil/words.txt', 'utf8').split('\n')
const random = createRandom(7)
const word = () => words[Math.floor(20 * (words.length / 20) ** random()) % words.length]!
const fill = 'the a of to in and that it was for on with'.split(' ')
const text = () => Array.from({ length: 14 }, () => (random() < 0.4 ? fill[Math.floor(random() * fill.length)]! : word())).join(' ')
const server = await startBenchServer('sqlite')
for (const count of process.argv.slice(2).map(Number)) {
  const account = await openBenchAccount(server)
  const lines = Array.from({ length: Math.ceil(count / 20) }, (_, e) => ({ type: 'entity', name: `${word()} ${word()} ${e}`, entityType: 'note', observations: Array.from({ length: Math.min(20, count) }, () => ({ content: text() })) }))
  await importLines(server, account, lines.map((l) => JSON.stringify(l)).join('\n'))
  const questions = Array.from({ length: 400 }, () => `what did they say about the ${word()} ${word()} and the ${word()}?`)
  const run = async (on: boolean, from: number, to: number) => {
    server.ctx.config.hasWordVectors = on
    const before = process.cpuUsage()
    let meaning = 0
    for (const query of questions.slice(from, to)) { const { observations } = await account.rest.searchObservations({ query: { query, limit: '10', explain: 'true' } }); if (observations.some((o) => o.explain?.meaning)) meaning++ }
    const { user, system } = process.cpuUsage(before)
    return [((user + system) / 1e3 / (to - from)).toFixed(2), meaning]
  }
  console.log(count, 'first', await run(true, 0, 1)); await run(false, 0, 50); await new Promise((r) => setTimeout(r, count > 2000 ? 8000 : 10)); await run(true, 0, 50)
  for (let i = 0; i < 3; i++) console.log(count, 'off', await run(false, 50, 200), 'on', await run(true, 50, 200))
}
await server.close()
