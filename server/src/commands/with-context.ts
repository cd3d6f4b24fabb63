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
    if (ctx.dialect.isDamaged(error)) {
      const words = `The database file is damaged. Run "${ownCommand('check')}", and restore a backup.`
      throw new ConfigError(words, { cause: error })
    }
    throw error
  } finally {
    await closeContext(ctx)
  }
}
