import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** How much longer it rests than it reads. */
const restFactor = 9

/**
 * Inlined as text, so that a bundle needs no file beside it. Each table with its indexes is one read transaction; the
 * small cache is its own, so nothing is pushed out of the server's.
 */
const program = `
  const { setPriority } = require('node:os')
  const { DatabaseSync } = require('node:sqlite')
  setPriority(19)
  const [file, restFactor] = process.argv.slice(1)
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec('pragma cache_size = -2048')
  const tables = database.prepare("select name from sqlite_schema where type = 'table' and rootpage > 0").all()
  const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  const check = (name) => {
    try {
      return database.prepare('pragma quick_check("' + name + '")').all().map((row) => Object.values(row)[0])
    } catch (error) {
      return [error.message]
    }
  }
  const found = []
  for (const { name } of tables) {
    const begin = performance.now()
    found.push(...check(name).filter((line) => line !== 'ok').map((line) => name + ': ' + line))
    rest(restFactor * (performance.now() - begin))
  }
  process.stdout.write(JSON.stringify(found.slice(0, 20)))
`

/**
 * Reads a database file table by table in a process of low priority, a tenth of the time, and returns what is damaged.
 * Ends at once when `signal` aborts; it then returns nothing.
 */
export async function checkSlowly(file: string, signal: AbortSignal): Promise<string[]> {
  const args = ['--no-warnings', '--eval', program, file, String(restFactor)]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
    signal,
    killSignal: 'SIGKILL',
  })
  child.on('error', () => {})
  const [printed, problem] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (signal.aborted) return []
  if (printed === '') throw new Error(`The database file could not be checked: ${problem.trim()}`)
  return JSON.parse(printed)
}
