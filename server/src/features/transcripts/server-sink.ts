import { spaceHeader } from '@loci/contract/spaces'
import { z } from 'zod'
import { toStorable } from './storable-batch.ts'
import type { TurnSink } from './turn-batches.ts'

const Outcome = z.object({ stored: z.number(), known: z.number(), redacted: z.number() })

const patienceMs = 60_000

/** The server cannot store turns, now or ever: the key may not, it keeps no conversations, the plan is full. */
export class TurnsRefused extends Error {}

/** The server cannot be reached or is busy: what was not stored is sent again later. */
export class TurnsUnavailable extends Error {}

/** Posts turns to a server. Rejects with {@link TurnsUnavailable} or {@link TurnsRefused}. */
export function serverSink(address: string, apiKey: string, space?: string): TurnSink {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...(space && { [spaceHeader]: encodeURIComponent(space) }),
  }
  return async (batch) => {
    const request = fetch(`${address}/api/conversations/turns`, {
      method: 'POST',
      headers,
      body: JSON.stringify(toStorable(batch)),
      signal: AbortSignal.timeout(patienceMs),
    })
    const response = await orUnavailable(request)
    if (response.ok) return Outcome.parse(await orUnavailable(response.json()))
    const words = await messageOf(response)
    if (response.status >= 500 || response.status === 429 || response.status === 408)
      throw new TurnsUnavailable(words)
    throw new TurnsRefused(words)
  }
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new TurnsUnavailable('The server cannot be reached.', { cause })
  }
}

/** What another server's answer lacks is not worth an error of its own. */
async function messageOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  const told = /"message":"((?:[^"\\]|\\.){1,300})"/.exec(text)?.[1]
  if (told) return told
  return response.status === 404
    ? 'This server keeps no conversations.'
    : `The server answered ${response.status}.`
}
