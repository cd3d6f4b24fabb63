import { type Config, publicAddress } from '../../ground/config/config.ts'
import { hourMs, secondMs } from '../../ground/lib/time.ts'
import { type Finding, failed, ok } from './finding.ts'

const behindMaxSeconds = hourMs / secondMs
const patienceMs = 10 * secondMs
const line = /^loci_job_behind_seconds\{job="([^"]+)"\} (\S+)$/gm

/** Asks the running server how long its background jobs, such as folding the search index, have had work. */
export async function examineJobs(config: Config, running: string | undefined): Promise<Finding> {
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
