import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * For the environment of programs that a test starts in another home: they find the code that earlier ones compiled.
 * Compiling it takes more than half of a short run.
 */
export const compiledCode = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME || join(homedir(), '.cache') }
