import autocannon from 'autocannon'
import type { ServerProcess } from '../../server/test/server-process.ts'
import { processorMsOf } from './process-use.ts'
import { median } from './report.ts'

/** A call to repeat; `path` and `body` are asked anew for each. */
export type LoadCall = {
  method: string
  path: () => string
  headers: Record<string, string>
  body?: () => string
}

const usualConnections = Number(process.env.CONN ?? 10)
type Load = { duration: number } | { amount: number; connections?: number }

/** Successful requests per second over several connections, each waiting for its response. */
export async function rateOf(url: string, call: LoadCall, seconds: number): Promise<number> {
  const { requests, duration } = await send(url, call, { duration: seconds })
  return requests.total / duration
}

/** Microseconds of processor time that the server's process, all its threads, uses for one of `amount` calls. */
export async function costOf(
  { url, pid }: ServerProcess,
  call: LoadCall,
  amount: number,
  connections = usualConnections,
): Promise<number> {
  const before = processorMsOf(pid)
  const { requests } = await send(url, call, { amount, connections })
  return ((processorMsOf(pid) - before) * 1_000) / requests.total
}

async function send(url: string, { method, path, headers, body }: LoadCall, load: Load) {
  const setupRequest = (request: object) => ({ ...request, path: path(), body: body?.() })
  const requests = [{ method, headers, setupRequest }]
  const result = await autocannon({ url, connections: usualConnections, ...load, requests })
  const { errors, non2xx } = result
  if (errors + non2xx > 0) throw new Error(`${method} ${path()}: ${errors} errors, ${non2xx} refusals`)
  return result
}

/**
 * Median results of alternatives, which are interleaved so that background load affects them equally. A first round
 * is not counted: it compiles the code.
 */
export async function takeTurns<Way extends string>(
  rounds: number,
  ways: Record<Way, () => Promise<number>>,
): Promise<Record<Way, number>> {
  const entries = Object.entries<() => Promise<number>>(ways) as [Way, () => Promise<number>][]
  const results = new Map<Way, number[]>(entries.map(([way]) => [way, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [way, run] of entries) {
      const result = await run()
      if (round > 0) results.get(way)!.push(result)
    }
  }
  return Object.fromEntries([...results].map(([way, values]) => [way, median(values)])) as Record<Way, number>
}
