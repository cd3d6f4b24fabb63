/**
 * Turns are written while processes that follow them are killed, 300 times or as often as asked, at random moments; at the
 * end each turn must be stored once and in order. Prints what was found; ends with 1 if something is wrong.
 * `npm run bench:follow-kills -- 300`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { print } from './lib/report.ts'

const [asked = '300'] = process.argv.slice(2)
const kills = Number(asked)
const main = join(import.meta.dirname, '../server/bin/loci.js')
const home = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const path = join(home, '.claude/projects/-shop/s1.jsonl')
const env = {
  ...process.env,
  ...{ HOME: home, CLAUDE_CONFIG_DIR: '', LOCI_DATA_DIR: join(home, 'data'), DATABASE_URL: '', LOCI_URL: '' },
}
let written = 0

const line = (n: number) =>
  `${JSON.stringify({ type: 'user', uuid: `u${n}`, sessionId: 's1', timestamp: '2026-11-01T10:00:00Z', cwd: '/shop', message: { content: `said ${n} ${'x'.repeat(1 + ((n * 97) % 3000))}` } })}\n`

const start = (...args: string[]) =>
  spawn(process.execPath, [main, ...args], { env, stdio: ['pipe', 'ignore', 'ignore'] })

/** The numbers of the stored turns, in order. */
function stored(): number[] {
  const file = join(env.LOCI_DATA_DIR, 'loci.db')
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const rows = database.prepare(
      "select substr(text, 6, instr(substr(text, 6), ' ')) as n from turns order by id",
    )
    return rows.all().map(({ n }) => Number(n))
  } catch {
    // The first process is creating it.
    return []
  } finally {
    database.close()
  }
}

/** Waits until something has been stored, but no longer than a slow start takes. */
async function untilMore(before: number): Promise<void> {
  for (let tries = 0; tries < 500 && stored().length === before; tries++) await delay(20)
}

/** Writes 1 to 40 turns, whole or in two pieces, while a process follows, and kills it at some moment. */
async function killOnce(kill: number, before: number): Promise<void> {
  const child = start(kill % 2 === 0 ? 'watch' : 'import', ...(kill % 2 === 0 ? [] : [join(home, '.claude')]))
  const isOver = once(child, 'exit')
  const count = 1 + ((kill * 13) % 40)
  for (let n = 0; n < count; n++) {
    const text = line(written++)
    const half = (kill + n) % 3 === 0 ? Math.floor(text.length / 2) : 0
    appendFileSync(path, text.slice(0, half))
    if (n % 10 === 0) await delay(1)
    appendFileSync(path, text.slice(half))
  }
  await untilMore(before)
  await delay(Math.random() * 40)
  child.kill('SIGKILL')
  await isOver
}

try {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '')
  const moved: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const before = stored().length
    await killOnce(kill, before)
    moved.push(stored().length - before)
  }
  await once(start('watch', '--once'), 'exit')
  const found = stored()
  const isRight = found.length === written && found.every((n, i) => n === i)
  const row = {
    ...{ kills, 'turns written': written, 'turns stored': found.length },
    'each once, in order': isRight ? 'yes' : 'NO',
    'kills after which something was stored': moved.filter((count) => count > 0).length,
  }
  print('Killed while following', [row])
  if (!isRight) process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
