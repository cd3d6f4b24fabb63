import type { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { AppError } from '../../ground/errors/app-error.ts'
import { embedInBackground } from '../../search/meaning/embed-in-background.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { confirmActor } from '../../tenancy/auth/resolve-space.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAgent } from '../../tenancy/usage/record-agent.ts'
import { withClient } from './client-name.ts'
import { finishCallsBeforeClose } from './finish-calls.ts'
import { drawsAnswer } from './graph-view.ts'
import { type Answer, answerPlainCalls } from './plain-stdio-calls.ts'
import { watchResources } from './resource-updates.ts'
import { callTool, createMcpServer } from './server.ts'
import { createStdioTransport } from './stdio-transport.ts'
import { warmUp } from './warm-up.ts'

/**
 * Serves MCP on standard input and output until the input ends and all its calls are answered. Anything
 * that uses the memory waits for `ready`.
 */
export async function serveMcpOverStdio(
  ctx: Context,
  actor: Actor,
  ready: Promise<void> = Promise.resolve(),
): Promise<void> {
  const onerror = (error: unknown) => ctx.log.warn({ err: error }, 'mcp')
  const ended = endOfInput()
  const confirm = confirmationOfKey(ctx, actor)
  const confirmed = confirm === undefined ? actor : { ...actor, confirm }
  // Read before anyone can subscribe: changes after a subscription must not count as old.
  const seq = await ctx.changes.currentSeq(actor)
  let tell = (_uri: string) => {}
  // A failing database is no reason to reject anyone.
  const isAllowed = async () => {
    const refusal = await confirm?.().catch((error: unknown) => error)
    return !(refusal instanceof AppError)
  }
  let stop: (() => void) | undefined
  const watch = (after: number) => {
    stop ??= watchResources(ctx, actor, after, (uri) => tell(uri), isAllowed)
  }
  let seen: Promise<void> | undefined
  const stopWarming = new AbortController()
  let warming: Promise<void> | undefined
  /** Set when a client of an older protocol has connected and the memory can be used. */
  let older: Server | undefined
  const transport = createStdioTransport()
  const handle = serveStdio(
    ({ era }) => {
      seen = recordAgent(ctx, actor)
      warming ??= ready
        .then(() => warmUp(ctx, actor, stopWarming.signal))
        .catch((error) => {
          if (!stopWarming.signal.aborted) onerror(error)
        })
      const subscriptions = new Set<string>()
      // Reading every change costs as much as a sixth of a write, and most agents never subscribe.
      const onSubscribe = async () => watch(await ctx.changes.currentSeq(actor))
      const server = createMcpServer(ctx, confirmed, era, { subscriptions, onSubscribe, ready })
      // In protocol 2026-07-28 the SDK tracks subscriptions.
      const isWanted = (uri: string) => era === 'modern' || subscriptions.has(uri)
      if (era === 'modern') watch(seq)
      else void ready.then(() => (older = server)).catch(() => {})
      tell = (uri) => {
        if (isWanted(uri)) server.sendResourceUpdated({ uri }).catch(onerror)
      }
      return server
    },
    { transport, onerror },
  )
  const answerNow = (): Answer | undefined => {
    // Given in the handshake; until that is complete, the SDK decides.
    const client = older?.getClientVersion()
    if (client === undefined) return undefined
    const capabilities = older?.getClientCapabilities()
    return (tool, args, onGone) => {
      const call = { tool, args, isCheck: false, hasPicture: drawsAnswer(tool, capabilities) }
      return callTool(ctx, withClient(confirmed, client), call, onGone)
    }
  }
  answerPlainCalls(transport, answerNow, onerror)
  const closed = finishCallsBeforeClose(transport)
  // If no server runs, no other process makes vectors of what the agent stores.
  const embedding = embedInBackground(ctx)
  await Promise.race([ended, closed])
  stop?.()
  stopWarming.abort()
  await transport.close()
  await handle.close()
  await Promise.all([seen, warming])
  await embedding.close()
}

/** Resolves when the parent process closes our input or asks us to stop. */
export function endOfInput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/**
 * Returns a function that checks whether the key of this process is still valid; undefined if it runs
 * without a key. The function throws `not_authenticated` once the key is revoked or expired.
 */
function confirmationOfKey(ctx: Context, actor: Actor): (() => Promise<void>) | undefined {
  const { apiKey } = ctx.config
  if (apiKey === undefined) return undefined
  return async () => {
    try {
      await confirmActor(ctx, apiKey, actor)
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_authenticated' ? noLongerGood(error) : error
    }
  }
}

const noLongerGood = (cause: AppError) =>
  new AppError(
    'not_authenticated',
    'The key in LOCI_API_KEY is no longer valid. Set a valid one, then start `loci mcp` again.',
    { cause },
  )
