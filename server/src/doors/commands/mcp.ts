import { findClaimLink } from '../../features/users/claim-link.ts'
import { findLocalActor } from '../../features/users/local-actor.ts'
import { readConfig } from '../../ground/config/config.ts'
import { tryLockDirectory } from '../../ground/directory-lock.ts'
import { findAddress } from '../../ground/server-address.ts'
import { closeContext, createLog, openContext } from '../../open-context.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { answerHooks } from '../mcp/answer-hooks.ts'
import { serveMcpOverStdio } from '../mcp/stdio.ts'
import { onSpace } from './account-option.ts'
import { followHere } from './follow-here.ts'
import { localTarget, remoteTarget } from './turn-sink.ts'

/** MCP on standard input and output: connected to the server at LOCI_URL, or on the database of this machine. */
export async function mcp({ space }: { space?: string } = {}): Promise<void> {
  const config = readConfig()
  const log = createLog({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel })
  if (config.remoteUrl !== undefined) {
    // Agents wait for the start, so each branch loads only what it needs.
    const { runBridge } = await import('../mcp/bridge.ts')
    if (config.memoryFile !== undefined)
      say(`MEMORY_FILE_PATH is ignored: the server at ${config.remoteUrl} keeps the memory.\n`)
    const follower = followHere(config, log, async () => remoteTarget(config, space))
    return runBridge(config.remoteUrl, config.apiKey, log, space).finally(follower.close)
  }
  const ctx = await openContext(config, log, {
    mayMigrate: config.databaseUrl !== undefined || !serverRuns(config.dataDir),
  })
  try {
    const actor = await onSpace(ctx, await findLocalActor(ctx), space)
    if (actor.kind === 'local') await tellClaimLink(ctx)
    const stop = new AbortController()
    const ready = takeOver(ctx, actor, stop.signal)
    const follower = followHere(config, log, async () => localTarget(ctx, actor))
    // Hooks have no variables, so a key or a space is not theirs.
    const isOfHooks = config.apiKey === undefined && space === undefined
    const hooks = isOfHooks ? answerHooks(ctx, log, async () => actor) : undefined
    await serveMcpOverStdio(ctx, actor, ready).finally(async () => {
      await Promise.all([follower.close(), hooks?.close()])
    })
    stop.abort()
    await ready
  } finally {
    await closeContext(ctx)
  }
}

/** Tells people who stored memory without an account how to claim it. */
async function tellClaimLink(ctx: Context): Promise<void> {
  const link = await findClaimLink(ctx, findAddress(ctx.config))
  if (link === undefined) return
  say(
    `This memory belongs to nobody yet. To take it over, start the server and open this link, once:\n  ${link}\n`,
  )
}

/** Runs during the handshake; the agent's calls wait for it. */
async function takeOver(ctx: Context, actor: Actor, signal: AbortSignal): Promise<void> {
  const { memoryFile } = ctx.config
  if (memoryFile === undefined) return
  const { takeOverMemoryFile } = await import('./memory-file.ts')
  say(await takeOverMemoryFile(ctx, actor, memoryFile, signal))
}

/** For the log of the agent's program; standard output belongs to the protocol. */
const say = (text: string) => process.stderr.write(text)

/** Whether a server uses the data directory; it would not know a newer schema. */
function serverRuns(dataDir: string): boolean {
  const lock = tryLockDirectory(dataDir)
  lock?.release()
  return lock === undefined
}
