/**
 * Kills a server at each step of proposing and of deciding: before each statement, and before the answer. Afterwards the
 * operation must be done as a whole or not at all, `loci check` must find nothing, and doing it again must do it once.
 * Prints how many steps each has; ends with 1 if something is wrong.
 * `npm run bench:proposal-kills -- [sqlite|postgres] [operation]`; both databases and every operation by default.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../server/src/ground/config/config.ts'
import { rounds } from '../server/test/killed-rounds.ts'
import { startPostgres, testSecret } from '../server/test/postgres.ts'
import { killAtSteps } from '../server/test/step-kills.ts'
import { databases } from './bench-server.ts'
import { print, type Row } from './lib/report.ts'

const [database, operation] = process.argv.slice(2)

for (const name of databases.filter((each) => database === undefined || each === database)) {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const postgres = name === 'postgres' ? await startPostgres() : undefined
  const config = readConfig({
    PORT: '0',
    LOCI_DATA_DIR: dataDir,
    LOCI_BURST_LIMIT: 'off',
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url, LOCI_SECRET: testSecret }),
  })
  const rows: Row[] = []
  try {
    for (const each of operation === undefined ? Object.keys(rounds) : [operation]) {
      // One more, after the answer.
      const all = (steps: number) => Array.from({ length: steps + 1 }, (_, i) => i + 1)
      const { steps, done, wrong } = await killAtSteps(config, each, all)
      for (const one of wrong) process.stderr.write(`${each}: ${one}\n`)
      if (wrong.length > 0) process.exitCode = 1
      rows.push({
        ...{ operation: each, steps, kills: steps + 1 },
        ...{ 'after which it was done': done.filter(Boolean).length, wrong: wrong.length },
      })
    }
  } finally {
    await postgres?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  print(`Killed at each step, ${name}`, rows)
}
