import { setTimeout as sleep } from 'node:timers/promises'
import { RealtimeClient } from '@loci/client/realtime'
import { createRestClient } from '@loci/client/rest'

export type Counts = {
  calls: number
  failed: number
  /** Of the slowest call, in milliseconds. */
  longestMs: number
  /** Entities that were stored and have not been told to each of the sockets exactly once. */
  missed: number
  stored: number
  sockets: number
  reasons: string[]
}

const callersMany = 6
const socketsMany = 4
const pauseMs = 10

/**
 * Calls a server without pause while `work` runs: creations, reads, searches and calls of tools, each told of a failure by
 * its first answer, and sockets that follow what is created.
 */
export async function withTraffic(
  baseUrl: string,
  apiKey: string,
  work: () => Promise<void>,
): Promise<Counts> {
  const counts: Counts = { calls: 0, failed: 0, longestMs: 0, missed: 0, stored: 0, sockets: 0, reasons: [] }
  const rest = createRestClient({ baseUrl, token: () => apiKey })
  const ids: string[] = []
  const followers = await Promise.all(Array.from({ length: socketsMany }, () => follow(baseUrl, apiKey)))
  const count = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    const begun = performance.now()
    counts.calls++
    try {
      return await call()
    } catch (error) {
      counts.failed++
      counts.reasons.push(String((error as Error).cause ?? error))
      return undefined
    } finally {
      counts.longestMs = Math.max(counts.longestMs, performance.now() - begun)
    }
  }
  let isOver = false
  const caller = async (name: string) => {
    for (let step = 0; !isOver; step++) {
      const body = { name: `${name} ${step}`, type: 'note', observations: [`${name} said ${step}`] }
      const made = await count(() => rest.createEntity({ body }))
      if (made !== undefined) ids.push(made.entity.id)
      if (made !== undefined) await count(() => rest.getEntity({ params: { id: made.entity.id } }))
      await count(() => rest.search({ query: { query: name } }))
      await count(() => callTool(baseUrl, apiKey, name))
      await sleep(pauseMs)
    }
  }
  const callers = Array.from({ length: callersMany }, (_, index) =>
    caller(`caller${crypto.randomUUID()} ${index}`),
  )
  await work().finally(() => {
    isOver = true
  })
  await Promise.all(callers)
  for (const follower of followers) counts.missed += await follower.missedOf(ids)
  return { ...counts, stored: ids.length, sockets: followers.length, longestMs: Math.round(counts.longestMs) }
}

async function callTool(baseUrl: string, apiKey: string, query: string): Promise<void> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'recall', arguments: { query } },
    }),
  })
  const text = await response.text()
  if (!response.ok || !text.includes('"result"')) throw new Error(`${response.status} ${text.slice(0, 200)}`)
}

const arrivalMs = 20_000

async function follow(baseUrl: string, token: string) {
  const client = new RealtimeClient({ baseUrl, token, warn: () => {} })
  const times = new Map<string, number>()
  client.on('entity_created', ({ payload: { id } }) => void times.set(id, (times.get(id) ?? 0) + 1))
  const subscribed = new Promise((resolve) => client.on('subscribed', resolve))
  client.connect()
  await subscribed
  return {
    /** How many of these came not once; waits for late ones. */
    async missedOf(ids: readonly string[]): Promise<number> {
      const wrong = () => ids.filter((id) => times.get(id) !== 1).length
      for (const end = Date.now() + arrivalMs; wrong() > 0 && Date.now() < end; ) await sleep(50)
      client.close()
      return wrong()
    },
  }
}
