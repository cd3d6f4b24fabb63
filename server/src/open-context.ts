import pino, { type Logger } from 'pino'
import { createBurstLimit, noBurstLimit } from './auth/burst-limit.ts'
import { createChangeDispatcher } from './changes/dispatcher.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Db } from './db/db.ts'
import { openDatabase } from './db/open.ts'
import { EmbeddingsHost } from './embeddings/embeddings.ts'
import { requireNoMove } from './features/moves/moves.service.ts'
import { createCallTurns } from './lib/call-turns.ts'
import { createIdMaker } from './lib/ids.ts'
import { toReadableLine } from './lib/readable-line.ts'
import { createSigner, type SecretBox } from './lib/secrets.ts'
import { acceptSecret, openSecret } from './open-secret.ts'
import { renewIndexes } from './search-index/index-anew.ts'
import { findSecret } from './secret.ts'
import { UsageMeter } from './usage/meter.ts'
import { waitingCallsMax } from './usage/take-turn.ts'

type OpenOptions = {
  now?: () => number
  mayMigrate?: boolean
  /** Makes the current secret the database's secret, whatever was used before. */
  acceptsSecret?: boolean
}

/** Opens the outside world for a process: database, secrets, clock, log. Close it with `closeContext`. */
export async function openContext(
  config: Config,
  log: Logger,
  { now = Date.now, mayMigrate = true, acceptsSecret = false }: OpenOptions = {},
): Promise<Context> {
  findSecret(config)
  const embeddings = new EmbeddingsHost(config, now)
  // Reports an unusable model at start.
  embeddings.current
  const { db, dialect } = await openDatabase(config, mayMigrate)
  const secretBox = await requireNoMove(db)
    .then(() => takeSecret(config, db, acceptsSecret))
    .catch(async (error) => {
      await db.destroy()
      throw error
    })
  await embeddings.refresh(secretBox)
  if (mayMigrate) await renewIndexes({ db, dialect }, log, now)
  return {
    config,
    db,
    dialect,
    log,
    now,
    newId: createIdMaker(now),
    secretBox,
    signer: createSigner(findSecret(config)!),
    burstLimit: config.burstLimit ? createBurstLimit(now) : noBurstLimit,
    callTurns: createCallTurns({ atOnce: dialect.callsAtOnce, waitingPerCallerMax: waitingCallsMax }, now),
    usage: new UsageMeter({ config, db, dialect, now, log }),
    changes: createChangeDispatcher({ db, dialect, log }),
    embeddings,
  }
}

async function takeSecret(config: Config, db: Db, accepts: boolean): Promise<SecretBox> {
  if (accepts) await acceptSecret(config, db)
  return openSecret(config, db)
}

export async function closeContext(ctx: Context): Promise<void> {
  await ctx.usage.close()
  await ctx.changes.close()
  await ctx.embeddings.close()
  await ctx.db.destroy()
}

/** Logs to standard error (standard output belongs to stdio MCP); credentials are never passed to it. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: logLevel, redact: ['req.headers', 'headers'] }
  const format = logFormat ?? (process.stderr.isTTY ? 'text' : 'json')
  if (format === 'text') {
    return pino(options, { write: (line) => void process.stderr.write(toReadableLine(line)) })
  }
  // Lines are buffered: writing each separately costs as much as the request that it reports.
  return pino(options, pino.destination({ dest: 2, sync: false, minLength: 16_000, periodicFlush: 100 }))
}
