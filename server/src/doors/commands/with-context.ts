import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'
import { closeContext, createLog, openContext } from '../../open-context.ts'
import { databaseFileName } from '../../store/open.ts'
import { requireRestored } from '../../store/restore-part.ts'
import type { Context } from '../../tenancy/context.ts'

/** Opens the configured database for a command, also while a server runs, and closes it afterwards. */
export async function withContext(
  work: (ctx: Context) => Promise<void>,
  options?: { acceptsSecret?: boolean; mayOnlyRead?: boolean; mayMigrate?: boolean },
): Promise<void> {
  // A check or a repair reads whole tables.
  const config = { ...readConfig(), statementTimeoutMs: 0 }
  const ctx = await openContext(config, createLog({ ...config, logLevel: 'warn' }), options)
  try {
    await work(ctx)
  } catch (error) {
    if (error instanceof AppError) throw new ConfigError(error.message, { cause: error })
    if (ctx.dialect.isUnavailable(error)) {
      throw new ConfigError(whyUnavailable(ctx, error), { cause: error })
    }
    if (ctx.dialect.isDamaged(error)) {
      const words = `The database file is damaged. Run "${ownCommand('check')}", and restore a backup.`
      throw new ConfigError(words, { cause: error })
    }
    throw error
  } finally {
    await closeContext(ctx)
  }
}

/** The same for a command that only reads: it also works where nothing can be written, and creates nothing. */
export async function withReadContext(work: (ctx: Context) => Promise<void>): Promise<void> {
  requireDatabase()
  await withContext(work, { mayOnlyRead: true })
}

/** Opening a database that is not there would make one. Throws {@link ConfigError}. */
export function requireDatabase(): void {
  const { databaseUrl, dataDir } = readConfig()
  if (databaseUrl !== undefined || isThere(dataDir)) return
  requireRestored(dataDir)
  throw new ConfigError(`There is no memory in ${dataDir} yet: start a server first ("loci serve").`)
}

/** Throws {@link ConfigError} if this user may not look into the directory. */
function isThere(dataDir: string): boolean {
  try {
    return statSync(join(dataDir, databaseFileName), { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw new ConfigError(`The data directory ${dataDir} cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
}

/** What was committed before stays stored, so running the command again is safe. */
function whyUnavailable({ dialect }: Context, error: unknown): string {
  if (dialect.isFull(error))
    return 'The disk of the database is full. Free some space, then run the command again.'
  if (dialect.isTooSlow(error)) return 'The database took too long to answer. Run the command again.'
  return 'The connection to the database was lost. Run the command again.'
}
