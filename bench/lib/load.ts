import autocannon from 'autocannon'
import { median } from './report.ts'

/** A call to repeat; `body` creates a new body each time. */
export type LoadCall = { method: string; path: string; headers: Record<string, string>; body?: () => string }

const connections = Number(process.env.CONN ?? 10)

/** Successful requests per second over several connections, each waiting for its response. */
export async function rateOf(url: string, { body, ...call }: LoadCall, seconds: number): Promise<number> {
  const renew =
    body === undefined ? {} : { setupRequest: (request: object) => ({ ...request, body: body() }) }
  const { requests, duration, errors, non2xx } = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ ...call, ...renew }],
  })
  if (errors + non2xx > 0)
    throw new Error(`${call.method} ${call.path}: ${errors} errors, ${non2xx} refusals`)
  return requests.total / duration
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
