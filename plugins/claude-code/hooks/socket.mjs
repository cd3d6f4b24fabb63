// Where the Loci of this machine answers hooks (server/src/doors/mcp/answer-hooks.ts listens there).
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Of the data directory that a program without variables opens. */
export function socketOf(env, platform = process.platform) {
  const folder = resolve(env.LOCI_DATA_DIR || join(homedir(), '.loci'))
  if (platform !== 'win32') return join(folder, 'hooks.sock')
  return `\\\\.\\pipe\\loci-${createHash('sha256').update(folder.toLowerCase()).digest('hex').slice(0, 32)}`
}
