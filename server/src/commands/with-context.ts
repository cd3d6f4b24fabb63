import { ConfigError, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { ownCommand } from '../lib/own-command.ts'
import { closeContext, createLog, openContext } from '../open-context.ts'

/** Opens the configured database for a command, also while a server runs, and closes it afterwards. */
export async function withContext(
  work: (ctx: Context) => Promise<void>,
  options?: { acceptsSecret?: boolean },
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

/** What was committed before stays stored, so running the command again is safe. */
function whyUnavailable({ dialect }: Context, error: unknown): string {
  if (dialect.isFull(error))
    return 'The disk of the database is full. Free some space, then run the command again.'
  if (dialect.isTooSlow(error)) return 'The database took too long to answer. Run the command again.'
  return 'The connection to the database was lost. Run the command again.'
}
