/**
 * How long `loci import` takes for many transcripts, and when the first question about the newest is answered. Copies
 * the sessions in a folder with other ids and other words until they are large enough.
 * `npm run bench:import-transcripts -- FOLDER 1000` (MB). Linux only: processor time is read from `/proc`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { searchTurns } from '../server/src/features/conversations/search-turns.ts'
import { findLocalActor } from '../server/src/features/users/local-actor.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { print } from './lib/report.ts'

const [folder = '', megabytes = '1000'] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const sessions = join(home, 'sessions')
const dataDir = join(home, 'data')
const env = { ...process.env, HOME: home, LOCI_DATA_DIR: dataDir, DATABASE_URL: '', LOCI_URL: '' }
const ticksPerSecond = 100

/** Every seventh longer word gets an ending of its own; keys and single values are left as they are. */
function varied(text: string, copy: number): string {
  let seen = 0
  return text
    .replace(
      /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      (id) => id.slice(0, -6) + copy.toString(16).padStart(6, '0'),
    )
    .replace(/\b[a-z]{6,}\b(?!")/g, (word) =>
      seen++ % 7 === 0 ? word + ((copy * 31 + seen) % 5_000).toString(36) : word,
    )
}

function writeSessions(): number {
  mkdirSync(sessions, { recursive: true })
  const samples = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  let written = 0
  for (let copy = 0; written < Number(megabytes) * 1e6; copy++)
    for (const name of samples) {
      const text = varied(readFileSync(join(folder, name), 'utf8'), copy)
      const path = join(sessions, `${copy}-${name}`)
      writeFileSync(path, text)
      utimesSync(path, 1_700_000_000 + copy, 1_700_000_000 + copy)
      written += Buffer.byteLength(text)
    }
  const last = {
    type: 'user',
    uuid: 'newest',
    sessionId: 'newest',
    timestamp: new Date().toISOString(),
    cwd: '/shop',
  }
  const message = { content: 'Why did the zanzibar build fail?' }
  writeFileSync(join(sessions, 'newest.jsonl'), `${JSON.stringify({ ...last, message })}\n`)
  return written
}

/** User and system time of a process in seconds; undefined once it has ended. */
function cpuOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}

const bytes = writeSessions()
const ctx = await openContext(readConfig({ ...env, LOCI_LOG_LEVEL: 'silent' }), pino({ level: 'silent' }))
try {
  const actor = await findLocalActor(ctx)
  const main = join(import.meta.dirname, '../server/bin/loci.js')
  const began = performance.now()
  const child = spawn(process.execPath, [main, 'import', sessions], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let ended: number | undefined
  child.on('close', () => (ended = performance.now()))
  const first: { seconds?: number; cpu?: number } = {}
  let cpu = 0
  while (ended === undefined) {
    cpu = cpuOf(child.pid!) ?? cpu
    if (first.seconds === undefined) {
      const { turns } = await searchTurns(ctx, actor, {
        query: 'why did the zanzibar build fail',
        limit: 1,
        context: 0,
      })
      if (turns[0]?.text.includes('zanzibar') === true)
        Object.assign(first, { seconds: (performance.now() - began) / 1000, cpu })
    }
    await delay(200)
  }
  const seconds = (ended - began) / 1000
  print(`${Math.round(bytes / 1e6)} MB of transcripts`, [
    {
      'seconds on the clock': seconds.toFixed(0),
      'of processor time': cpu.toFixed(0),
      'processor s/MB': (cpu / (bytes / 1e6)).toFixed(3),
      'first question answered after': `${first.seconds?.toFixed(1)} s (${first.cpu?.toFixed(1)} s of processor time)`,
    },
  ])
} finally {
  await closeContext(ctx)
  rmSync(home, { recursive: true, force: true })
}
