import type { Server } from 'node:http'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { secondMs } from './ground/lib/time.ts'
import { closeContext } from './open-context.ts'
import type { Context } from './tenancy/context.ts'

/** Time for running requests after the server was asked to stop. */
const finishMs = 10 * secondMs
/** Time for the rest: imports stop after a chunk, counts are stored, the database is closed. */
const closeMs = 10 * secondMs
const idleLookMs = 100
/** Callers who never pause must not keep the server from closing. */
const acceptMs = secondMs
const shortTurnMs = 1
/** Time for requests that are on their way over connections that were idle when the server was asked to stop. */
const arrivalMs = 500
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The first stop signal resolves `asked`; a second one aborts `hurry`. */
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
 * Shuts a server down in order. `/readyz` returns 503; after the configured `shutdownDelayMs` no new requests are
 * accepted; running requests get 10 seconds, idle connections half a second, then they are closed; counts are stored
 * and the database is closed. Returns false if something did not end in time. `hurry` skips the waiting.
 */
export async function shutDown(app: FastifyInstance, ctx: Context, hurry: AbortSignal): Promise<boolean> {
  app.stopping.now = true
  await sleep(ctx.config.shutdownDelayMs, undefined, { signal: hurry }).catch(() => {})
  const cut = () => app.server.closeAllConnections()
  const timer = setTimeout(cut, finishMs)
  const sweep = closeAsCallsEnd(app.server)
  hurry.addEventListener('abort', cut)
  if (hurry.aborted) cut()
  const isClosed = await endsWithin(app.close(), finishMs + closeMs)
  clearTimeout(timer)
  clearInterval(sweep)
  const isFlushed = await endsWithin(closeContext(ctx), closeMs)
  if (!isClosed || !isFlushed) ctx.log.error('the server could not be stopped cleanly')
  return isClosed && isFlushed
}

/**
 * Lets `server.close` accept the connections that wait, since closing the listener would reset them, and close idle
 * ones only half a second after that, as requests end: Node counts a connection as idle whose first request is still
 * to be read, and closing it would reset that request. Returns the timer of that.
 */
function closeAsCallsEnd(server: Server): NodeJS.Timeout {
  let idleFrom = Number.POSITIVE_INFINITY
  const close = server.close.bind(server)
  server.close = (ended) => {
    void untilNoneWaits(server).then(() => {
      idleFrom = performance.now() + arrivalMs
      close(ended)
    })
    return server
  }
  const closeIdle = server.closeIdleConnections.bind(server)
  // Closing the server calls it too.
  server.closeIdleConnections = () => {
    if (performance.now() >= idleFrom) closeIdle()
  }
  // After a long turn timers come before what has arrived: that is read first.
  return setInterval(() => setImmediate(() => server.closeIdleConnections()), idleLookMs)
}

/**
 * Each turn of the event loop accepts one connection if any has come. After a long turn one may have come since it
 * looked.
 */
async function untilNoneWaits(server: Server): Promise<void> {
  let hasCome = false
  let from: number
  const note = () => {
    hasCome = true
  }
  server.on('connection', note)
  const end = performance.now() + acceptMs
  // Turns are counted from where they look for connections.
  await immediate()
  do {
    hasCome = false
    from = performance.now()
    await immediate()
  } while ((hasCome || performance.now() - from > shortTurnMs) && from < end)
  server.off('connection', note)
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
