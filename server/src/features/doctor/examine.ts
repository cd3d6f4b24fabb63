import { type Config, publicAddress } from '../../ground/config/config.ts'
import { hourMs, secondMs } from '../../ground/lib/time.ts'
import { importedBytesMax, memoryLimit } from '../../ground/memory-limit.ts'
import { listOutdatedSpaces } from '../../search/store/rows-to-index.repo.ts'
import { indexVersion } from '../../search/store/search-index.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { examineBackup, examineDatabase } from './database.ts'
import { type Finding, failed, inBytes, ok, warning } from './finding.ts'
import { examineAddress } from './public-address.ts'
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

/** The limit of this process, which is that of the server if both are in one container. */
function examineMemory(): Finding {
  const megabytes = memoryLimit()
  if (megabytes === undefined) return ok('memory', 'The system sets no limit.')
  const bytesMax = importedBytesMax()
  const says = `This process may use ${megabytes} MB`
  if (bytesMax === undefined) return ok('memory', `${says}.`)
  return warning(
    'memory',
    `${says}, so files of more than ${inBytes(bytesMax)} are not imported.`,
    'Raise the limit of the container or the unit to 512 MB if you import larger ones.',
  )
}

const spacesMax = 100

async function examineIndex({ db }: Context): Promise<Finding> {
  const outdated = await listOutdatedSpaces(db, indexVersion, spacesMax)
  if (outdated.length === 0) return ok('index', `The search index is of version ${indexVersion}.`)
  const many = outdated.length === spacesMax ? `${spacesMax} or more` : String(outdated.length)
  const says = `The search index of ${many} spaces is of an older version, or is being rebuilt.`
  return warning('index', says, 'A server rebuilds it when it starts ("loci serve"); see its log.')
}

const behindMaxSeconds = hourMs / secondMs
const patienceMs = 10 * secondMs
const line = /^loci_job_behind_seconds\{job="([^"]+)"\} (\S+)$/gm

/** Asks the running server how long its background jobs, such as folding the search index, have had work. */
async function examineJobs(config: Config, running: string | undefined): Promise<Finding> {
  if (config.metricsToken === undefined)
    return ok('jobs', 'Not examined: LOCI_METRICS_TOKEN is not set, so the server does not tell.')
  const address = running ?? config.publicUrl ?? publicAddress(config, config.port)
  const response = await fetch(`${address}/metrics`, {
    headers: { authorization: `Bearer ${config.metricsToken}` },
    signal: AbortSignal.timeout(patienceMs),
  })
  if (!response.ok) throw new Error(`${address}/metrics answered ${response.status}`)
  const jobs = [...(await response.text()).matchAll(line)].map(([, name, seconds]) => ({
    name,
    seconds: Number(seconds),
  }))
  const late = jobs.filter(({ seconds }) => seconds > behindMaxSeconds)
  if (late.length === 0) return ok('jobs', `None of ${jobs.length} background jobs is behind.`)
  const each = late.map(({ name, seconds }) => `${name} for ${Math.round(seconds / 60)} minutes`)
  return failed('jobs', `Some jobs have had work without finishing it: ${each.join(', ')}.`, 'See the log.')
}
