/**
 * Runs all benchmarks one after the other, at sizes that take about half an hour in total. Each can be run
 * alone with other sizes; the options are listed at the top of its file.
 * Usage: npm run bench
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const runs: [program: string, ...args: string[]][] = [
  ['tools', '1000,10000,100000', '4'],
  ['rest', '1000', '2'],
  ['mcp', '2'],
  ['import', '100000'],
  ['size', '100000'],
  ['search', '--observations', '100000'],
  ['relations'],
  ['recall', '--every', '20', '--by', 'rest,reference-words'],
  ['realtime', '200', '10'],
  ['webhooks'],
  ['transcripts', '200', '5000'],
  ['hooks', '20', '100', '10000'],
  ['conversations'],
  ['graph-engine'],
  ['graph-page', '10000'],
  ['fairness'],
  ['undo'],
  ['large-entity'],
  ['flood'],
  ['idle'],
  ['start'],
  ['start-plugin'],
  ['check'],
  ['load', '10'],
]

const failed: string[] = []
for (const [name, ...args] of runs) {
  const program = new URL(`./${name}.ts`, import.meta.url).pathname
  if (!existsSync(program)) continue
  process.stdout.write(`\n## ${name}\n\n`)
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' })
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) {
  process.stderr.write(`\nNot finished: ${failed.join(', ')}\n`)
  process.exitCode = 1
}
