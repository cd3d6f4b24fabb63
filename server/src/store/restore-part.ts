import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../ground/config/config.ts'
import { ownCommand } from '../ground/lib/own-command.ts'

/** The working directory of a restore inside the data directory, deleted when the restore is done. */
export const restorePartName = 'restore.part'

/** Throws {@link ConfigError} if a restore of the data directory was not finished. */
export function requireRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, restorePartName))) return
  throw new ConfigError(
    `A restore into ${dataDir} is under way or was interrupted. Run "${ownCommand('restore')}" again, then start.`,
  )
}
