import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { ownCommand } from '../lib/own-command.ts'

/** The directory in a data directory that a restore works in, and takes away when all is done. */
export const restorePartName = 'restore.part'

/** Throws {@link ConfigError} for a data directory that a restore has not finished. */
export function requireRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, restorePartName))) return
  throw new ConfigError(
    `A restore into ${dataDir} is under way or was interrupted. Run "${ownCommand('restore')}" again, then start.`,
  )
}
