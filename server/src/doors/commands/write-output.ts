import { writeFileSync } from 'node:fs'
import { ConfigError } from '../../ground/config/config.ts'

/** Writes a file that the caller asked for. Throws {@link ConfigError}. */
export function writeOutput(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (cause) {
    throw new ConfigError(`${path} cannot be written: ${(cause as Error).message}`, { cause, exitCode: 2 })
  }
}
