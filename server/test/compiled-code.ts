import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where programs and threads that tests start find the code that earlier ones compiled, also in another home. Compiling
 * it takes more than half of a short run.
 */
export const compiledCode = {
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  // Threads run from the sources here, and Node keeps those without their types too.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled'),
}
