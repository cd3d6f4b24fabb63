import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type MoveProgress, moveInstallation } from '../../features/moves/moves.service.ts'
import { type Config, ConfigError, readConfig } from '../../ground/config/config.ts'
import { lockDirectory } from '../../ground/directory-lock.ts'
import { secretFileName } from '../../ground/secret.ts'
import { createLog } from '../../open-context.ts'
import { openMoveSource, type SourceTable } from '../../store/move-source.ts'
import { databaseFileName, openDatabase } from '../../store/open.ts'
import { startProgressBar } from './progress-bar.ts'

const barFormat = '{bar} {percentage} % | {step} | {value} of {total} rows | {eta_formatted} left'

/** `loci move sqlite-to-postgres`. */
export function registerMoveCommand(program: Command): void {
  program
    .command('move')
    .description('move an installation to another database')
    .command('sqlite-to-postgres')
    .description('copy everything from the SQLite file to the empty PostgreSQL database at DATABASE_URL')
    .option('--from <directory>', 'data directory to move; LOCI_DATA_DIR if omitted')
    .addHelpText(
      'after',
      '\nStop the server first. The source is not changed. After an interruption, run the same command to resume.',
    )
    .action(moveToPostgres)
}

async function moveToPostgres({ from }: { from?: string }): Promise<void> {
  const config = { ...readConfig(), statementTimeoutMs: 0 }
  const dataDir = from === undefined ? config.dataDir : resolve(from)
  if (config.databaseUrl === undefined) {
    throw new ConfigError('Set DATABASE_URL to the PostgreSQL database to move to.')
  }
  if (!existsSync(join(dataDir, databaseFileName)))
    throw new ConfigError(`There is no database in ${dataDir}.`)
  const lock = lockDirectory({ dataDir })
  try {
    await bringUpToDate({ ...config, dataDir })
    const { outcome, tables } = await move(config, dataDir)
    process.stdout.write(`${summaryOf(outcome, tables)}${adviceOn(dataDir)}`)
  } finally {
    lock.release()
  }
}

/** Migrates both sides to the schema of this program. */
async function bringUpToDate(config: Config): Promise<void> {
  const { db } = await openDatabase({ ...config, databaseUrl: undefined })
  await db.destroy()
}

async function move(config: Config, dataDir: string) {
  const source = openMoveSource(join(dataDir, databaseFileName))
  const target = await openDatabase(config)
  const bar = startProgressBar(barFormat, 1, { step: 'copying' })
  const onProgress = ({ step, rows, of }: MoveProgress) => {
    bar?.setTotal(Math.max(of, 1))
    bar?.update(rows, { step })
  }
  try {
    const options = { log: createLog({ ...config, logLevel: 'warn' }), now: Date.now, onProgress }
    return { outcome: await moveInstallation(source, target, options), tables: source.tables }
  } finally {
    bar?.stop()
    source.close()
    await target.db.destroy()
  }
}

function summaryOf(outcome: 'moved' | 'moved before', tables: readonly SourceTable[]): string {
  if (outcome === 'moved before') return 'This installation was moved there before. Nothing was changed.\n'
  const rows = tables
    .filter((table) => table.rows > 0)
    .map(({ name, rows }) => `  ${name.padEnd(24)}${String(rows).padStart(12)}\n`)
  return `Moved, and compared row by row.\n${rows.join('')}`
}

function adviceOn(dataDir: string): string {
  const file = join(dataDir, secretFileName)
  const secret = existsSync(file)
    ? `the secret that these data were stored with, LOCI_SECRET="$(cat ${file})"`
    : 'the LOCI_SECRET that these data were stored with'
  return `\nNext\n  Start the server with this DATABASE_URL and ${secret}.\n  Keep ${dataDir} until you have seen that all is there.\n`
}
