import type { Context } from '../../tenancy/context.ts'
import { examineBackup, examineDatabase } from './database.ts'
import { type Finding, failed, ok, warning } from './finding.ts'
import { examineJobs } from './jobs.ts'
import { examineMemory } from './memory.ts'
import { examineAddress } from './public-address.ts'
import { examineIndex } from './search-index.ts'
import { examineBooks, examineClock, examineMail, examineStripe, examineWebhooks } from './work.ts'

export type Examination = {
  /** Where a server of the data directory listens, if one is known to run. */
  running: string | undefined
  /** A backup that is to be restored as a try. */
  backup: string | undefined
  askPassphrase: () => Promise<string>
}

/** Examines everything, one thing after another. What cannot be examined has failed. */
export async function* examine(ctx: Context, options: Examination): AsyncGenerator<Finding> {
  const { running, backup, askPassphrase } = options
  const checks: [name: string, check: () => Promise<Finding | Finding[]>][] = [
    ['database', () => examineDatabase(ctx)],
    ['memory', async () => examineMemory()],
    ['clock', () => examineClock(ctx)],
    ['statistics', () => examineStatistics(ctx)],
    ['index', () => examineIndex(ctx)],
    ['webhooks', () => examineWebhooks(ctx)],
    ['mail', () => examineMail(ctx)],
    ['billing', () => examineStripe(ctx)],
    ['books', () => examineBooks(ctx)],
    ['jobs', () => examineJobs(ctx.config, running)],
    ['address', () => examineAddress(ctx.config, running)],
  ]
  if (backup !== undefined)
    checks.push(['restore', () => examineBackup(backup, ctx.config.dataDir, askPassphrase)])
  for (const [name, check] of checks) {
    try {
      yield* [await check()].flat()
    } catch (error) {
      yield failed(
        name,
        `It could not be examined: ${(error as Error).message}`,
        'See the log of the server.',
      )
    }
  }
}

async function examineStatistics({ db, dialect }: Context): Promise<Finding> {
  const tables = await dialect.tablesWithoutStatistics(db)
  if (tables.length === 0) return ok('statistics', 'The planner knows the tables.')
  const says = `The planner has no statistics of ${tables.join(', ')}, so statements can take far too long.`
  return warning('statistics', says, `Run "analyze ${tables.join(', ')}", and see that autovacuum is on.`)
}
