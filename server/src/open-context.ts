import pino, { type Logger } from 'pino'
import { requireNoMove } from './features/moves/moves.service.ts'
import type { Config } from './ground/config/config.ts'
import { EmbeddingsHost } from './ground/embedders/embeddings.ts'
import { createCallQueue } from './ground/lib/call-queue.ts'
import { createIdMaker } from './ground/lib/ids.ts'
import { toReadableLine } from './ground/lib/readable-line.ts'
import { createSigner, type SecretBox } from './ground/lib/secrets.ts'
import { findSecret } from './ground/secret.ts'
import { createChangeDispatcher } from './memory/log/dispatcher.ts'
import { renewIndexes } from './search/store/rebuild-index.ts'
import type { Db } from './store/db.ts'
import { openDatabase } from './store/open.ts'
import { createBurstLimit, noBurstLimit } from './tenancy/auth/burst-limit.ts'
import type { Context } from './tenancy/context.ts'
import { acceptSecret, openSecret } from './tenancy/open-secret.ts'
import { UsageMeter } from './tenancy/usage/meter.ts'
import { waitingCallsMax } from './tenancy/usage/run-operation.ts'

type OpenOptions = {
  now?: () => number
  mayMigrate?: boolean
  /** Opens a database that cannot be written, too. */
  mayOnlyRead?: boolean
  /** Makes the current secret the database's secret, whatever was used before. */
  acceptsSecret?: boolean
}

/** Opens the outside world for a process: database, secrets, clock, log. Close it with `closeContext`. */
export async function openContext(
  config: Config,
  log: Logger,
  { now = Date.now, mayMigrate = true, mayOnlyRead = false, acceptsSecret = false }: OpenOptions = {},
): Promise<Context> {
  findSecret(config)
  const embeddings = new EmbeddingsHost(config, now)
  // Reports an unusable model at start.
  embeddings.current
  const { db, dialect } = await openDatabase(config, { mayMigrate, mayOnlyRead })
  const secretBox = await requireNoMove(db)
    .then(() => takeSecret(config, db, acceptsSecret))
    .catch(async (error) => {
      await db.destroy()
      throw error
    })
  await embeddings.refresh(secretBox)
  if (mayMigrate && !dialect.isReadOnly) await renewIndexes({ db, dialect }, log, now)
  const burstLimit = config.burstLimit ? createBurstLimit(now) : noBurstLimit
  const changes = createChangeDispatcher({ db, dialect, log })
  const bounds = { atOnce: dialect.callsAtOnce, waitingPerCallerMax: waitingCallsMax }
  return {
    config,
    db,
    dialect,
    log,
    now,
    newId: createIdMaker(now),
    secretBox,
    signer: createSigner(findSecret(config)!),
    burstLimit,
    callQueue: createCallQueue(bounds, now, burstLimit.charge),
    usage: new UsageMeter({ config, db, dialect, now, log, changes }),
    changes,
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
