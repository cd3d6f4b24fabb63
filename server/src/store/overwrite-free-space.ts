import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { minuteMs } from '../ground/lib/time.ts'

const program = fileURLToPath(new URL('./overwrite-program.ts', import.meta.url))

/**
 * Empties the write-ahead log of a database file, and overwrites what deleted and moved rows have left in unused parts
 * of its pages. Each table keeps writers waiting while it is read. Returns false if others used the log all the time, for
 * `patienceMs`.
 *
 * In a process of its own, since closing a file releases all locks that its process has on it (fcntl), those of
 * SQLite's connections included.
 */
export async function overwriteFreeSpace(file: string, patienceMs = minuteMs): Promise<boolean> {
  const child = spawn(process.execPath, ['--no-warnings', program, file, String(patienceMs)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
  })
  const failed = new Promise<never>((_resolve, reject) => child.on('error', reject))
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [outcome, problem] = await Promise.race([printed, failed])
  if (outcome === 'done' || outcome === 'busy') return outcome === 'done'
  throw new Error(`What was erased could not be overwritten in the file: ${problem.trim()}`)
}
