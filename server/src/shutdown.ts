import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { secondMs } from './lib/time.ts'
import { closeContext } from './open-context.ts'

/** What a request under way gets after the server was asked to stop. */
const finishMs = 10 * secondMs
/** What the rest may take: imports stop after a chunk, counts are stored, the database is closed. */
const closeMs = 10 * secondMs
const idleLookMs = 100
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first signal to stop resolves it; a second one aborts `hurry`. */
export function waitForStop(): { asked: Promise<void>; hurry: AbortSignal } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hurry = new AbortController()
  let isAsked = false
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (isAsked) hurry.abort()
      isAsked = true
      resolve()
    })
  }
  return { asked: promise, hurry: hurry.signal }
}

/**
 * Ends a server in order: `/readyz` turns 503; after `shutdownDelayMs` of the configuration nothing new is taken;
 * requests under way get 10 seconds, then their connections are closed, whoever holds them open; counts are stored and
 * the database is closed. Answers false when something did not end in time. `hurry` leaves out the waiting.
 */
export async function shutDown(app: FastifyInstance, ctx: Context, hurry: AbortSignal): Promise<boolean> {
  app.stopping.now = true
  await sleep(ctx.config.shutdownDelayMs, undefined, { signal: hurry }).catch(() => {})
  const cut = () => app.server.closeAllConnections()
  const timer = setTimeout(cut, finishMs)
  // Those whose request ends meanwhile have no other.
  const sweep = setInterval(() => app.server.closeIdleConnections(), idleLookMs)
  hurry.addEventListener('abort', cut)
  if (hurry.aborted) cut()
  const isClosed = await endsWithin(app.close(), finishMs + closeMs)
  clearTimeout(timer)
  clearInterval(sweep)
  const isFlushed = await endsWithin(closeContext(ctx), closeMs)
  if (!isClosed || !isFlushed) ctx.log.error('the server could not be stopped in order')
  return isClosed && isFlushed
}

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const stop = new AbortController()
  const ended = work.then(() => true)
  try {
    return await Promise.race([ended, sleep(ms, false, { signal: stop.signal })])
  } finally {
    stop.abort()
  }
}
