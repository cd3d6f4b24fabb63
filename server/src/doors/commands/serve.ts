import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../app.ts'
import { removeInterruptedBackup } from '../../features/backups/write-backup.ts'
import { removeAbandonedSpools } from '../../features/imports/open-import-file.ts'
import { findClaimLink } from '../../features/users/claim-link.ts'
import { findLocalActor, findOrCreateLocalAccount } from '../../features/users/local-actor.ts'
import {
  type Config,
  ConfigError,
  listUnknownVariables,
  publicAddress,
  readConfig,
} from '../../ground/config/config.ts'
import { lockDirectory } from '../../ground/directory-lock.ts'
import { isLoopback } from '../../ground/lib/networks.ts'
import { secondMs } from '../../ground/lib/time.ts'
import { removeAbandonedParts } from '../../ground/lib/write-whole.ts'
import { requireMemory } from '../../ground/memory-limit.ts'
import { recordAddress } from '../../ground/server-address.ts'
import { version } from '../../ground/version.ts'
import { closeContext, createLog, openContext } from '../../open-context.ts'
import { shutDown, waitForStop } from '../../shutdown.ts'
import { withReserve } from '../../store/disk-reserve.ts'
import { databaseFileName } from '../../store/open.ts'
import { sizeOf, wasNotClosed } from '../../store/sqlite-file.ts'
import { transact } from '../../store/transact.ts'
import type { Context } from '../../tenancy/context.ts'
import { answerHooks } from '../mcp/answer-hooks.ts'
import { followHere } from './follow-here.ts'
import { localTarget } from './turn-sink.ts'

/** A process whose server has stopped ends by itself, or after this time. */
const lingerMs = 2 * secondMs

/** Runs the server until it is asked to stop, then shuts it down in order. */
export async function serve(): Promise<void> {
  const stop = waitForStop()
  requireMemory()
  const config = readConfig()
  const { problem } = config.tracing ?? {}
  if (problem !== undefined) throw new ConfigError(`The configuration is not valid:\n  ${problem}`)
  const log = createLog(config)
  const lock = config.databaseUrl === undefined ? lockDirectory(config) : undefined
  if (lock !== undefined) {
    requireMemory({ databaseBytes: sizeOf(join(config.dataDir, databaseFileName)) })
    await removeLeftovers(config.dataDir)
  }
  const mustCheck =
    config.databaseUrl === undefined && isWorthChecking(join(config.dataDir, databaseFileName))
  const ctx = await openContext(config, log)
  if (mustCheck) await checkFile(ctx)
  if (!(await ctx.dialect.reserveDisk())) log.warn('the disk of the database is full')
  const app = await buildApp(ctx)
  try {
    // Node listens on `fd` if there is one; Fastify's types do not know it.
    const { port, host, listeningSocket: fd } = config
    const where = fd === undefined ? { port, host } : { fd, host }
    await app.listen(where)
  } catch (error) {
    await app.close()
    await closeContext(ctx)
    throw new ConfigError(reasonNotListening(error, config), { cause: error })
  }
  const port = portOf(app, config.port)
  const forgetAddress = lock && recordAddress(config.dataDir, publicAddress(config, port))
  tellStart(ctx, port)
  process.stdout.write(await greeting(ctx, port))
  const follower = followHere({ ...config, remoteUrl: undefined }, log, async () =>
    localTarget(ctx, await findLocalActor(ctx)),
  )
  const hooks = answerHooks(ctx, log, () => findLocalActor(ctx))
  await stop.asked
  await Promise.all([follower.close(), hooks.close()])
  forgetAddress?.()
  const isInOrder = await shutDown(app, ctx, stop.hurry)
  lock?.release()
  // Anything still running would keep the process alive.
  if (!isInOrder) process.exit(1)
  setTimeout(() => process.exit(), lingerMs).unref()
}

/** Logs the facts about this process that readers of the log need later. */
function tellStart(ctx: Context, port: number): void {
  const { config, dialect, log } = ctx
  const line = {
    version,
    node: process.version,
    database: dialect.name,
    billing: config.billing,
    embedder: ctx.embeddings.current?.embedder.model ?? 'none',
    signUp: config.signUp,
    metrics: config.metricsToken !== undefined,
    traces: config.tracing !== undefined,
    listening: `${config.host}:${port}`,
    address: publicAddress(config, port),
  }
  for (const name of listUnknownVariables()) {
    log.warn(`Loci has no variable ${name}, so it has no effect; "loci serve --help" lists them all`)
  }
  log.info(line, 'started')
}

/** Removes the leftovers of killed processes. */
async function removeLeftovers(dataDir: string): Promise<void> {
  await removeInterruptedBackup(dataDir)
  await removeAbandonedParts(dataDir)
  await removeAbandonedSpools(dataDir)
}

/** Checking a larger file would delay the start too long; its damage shows when it is read. */
const checkedBytesMax = 256 * 1024 * 1024

/** True after a crash or a power cut, which may have a bad disk as its cause. */
function isWorthChecking(file: string): boolean {
  return wasNotClosed(file) && sizeOf(file) <= checkedBytesMax
}

/** A damaged database is still served, as far as it can be read. */
async function checkFile({ db, dialect, log }: Context): Promise<void> {
  const found = await dialect.checkFile(db, 'quick')
  if (found.length > 0) log.error({ found }, 'the database file is damaged; nothing more is stored in it')
}

function reasonNotListening(error: unknown, { port, host, listeningSocket: socket }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (socket !== undefined) return `The socket that LISTEN_FDS promises cannot be used: ${message}`
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Set PORT to another one, or stop what runs there.`
  if (code === 'EACCES') return `Port ${port} on ${host} may not be used by this user.`
  return `The server cannot listen on ${host}:${port}: ${message}`
}

/** The actual port, which the system chooses for 0. */
function portOf(app: FastifyInstance, fallback: number): number {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : fallback
}

/** The link to claim memory without an account. A full or damaged database is served without one. */
async function makeClaimLink(ctx: Context, port: number): Promise<string | undefined> {
  try {
    await withReserve(() => transact(ctx, findOrCreateLocalAccount))
    return await findClaimLink(ctx, publicAddress(ctx.config, port))
  } catch (error) {
    ctx.log.error({ err: error }, 'the link for taking over memory that has no account could not be created')
    return undefined
  }
}

const claimNote = `
       The link works once. What agents of this machine store without a key is then yours.`

async function greeting(ctx: Context, port: number): Promise<string> {
  const { config } = ctx
  const here = publicAddress(config, port)
  const data = config.databaseUrl === undefined ? config.dataDir : 'PostgreSQL (DATABASE_URL)'
  const warning =
    isLoopback(config.publicUrl === undefined ? config.host : new URL(here).hostname) ||
    here.startsWith('https:')
      ? ''
      : `\n  Warning: passwords and keys travel to this server unencrypted. Put a TLS proxy in front and set LOCI_PUBLIC_URL\n  to its https address, unless you trust the whole network.\n`
  const claimLink = await makeClaimLink(ctx, port)
  return `
  Loci is running.

  Web app   ${here}
  Data      ${data}

  Next
    1. Create an account:    ${claimLink ?? `${here}/signup`}${claimLink === undefined ? '' : claimNote}
    2. Connect Claude Code:  claude mcp add -s user --transport http loci ${here}/mcp --header "Authorization: Bearer <your API key>"
       Your key, and the lines for other agents, are on ${here}/settings.
${warning}
`
}
