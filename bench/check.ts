/**
 * The processor time of `loci check` on a database of many accounts, two thirds of them with about 100 observations,
 * the others empty. Two accounts are made through the services; the others are copies of their rows.
 * Usage: node bench/check.ts [accounts] [file]   (default 10000 accounts on SQLite; a `file` of Chrome's profile format
 * is written there if given)
 */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { databaseFileName } from '../server/src/store/open.ts'
import { makeManyAccounts } from './lib/many-accounts.ts'
import { machine, print } from './lib/report.ts'

const [accounts = '10000', profile] = process.argv.slice(2)
const entitiesPerAccount = 34
const program = fileURLToPath(new URL('../server/bin/loci.js', import.meta.url))

const memory = await makeManyAccounts(Number(accounts), entitiesPerAccount)
const file = join(memory.config.dataDir, databaseFileName)
const checked = check(memory.config.dataDir)
const megabytes = Math.round(statSync(file).size / 1024 ** 2)
memory.remove()
process.stdout.write(`${machine()}\n`)
print(`loci check of ${accounts} accounts`, [{ 'database MB': megabytes, ...checked }])

/** Runs the command; throws if it finds a difference. */
function check(dataDir: string) {
  const startedAt = performance.now()
  const out = execFileSync(
    'sh',
    ['-c', '"$@" && times', 'sh', process.execPath, ...argv(), program, 'check'],
    {
      env: { ...process.env, LOCI_DATA_DIR: dataDir },
      encoding: 'utf8',
    },
  )
  const seconds = (performance.now() - startedAt) / 1_000
  const used = [
    ...out
      .split('\n')
      .at(-2)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ]
  const processor = used.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  return { 'processor s': processor.toFixed(1), 'wall s': seconds.toFixed(1) }
}

function argv(): string[] {
  return profile === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${dirname(profile)}`, `--cpu-prof-name=${basename(profile)}`]
}
