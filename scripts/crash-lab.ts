// Runs all tests of crashes, one after the other and each time with another seed, until the minutes are over; then prints how
// often each thing happened, and ends with 1 if anything was found: `npm run crash-lab -- --minutes 60`. After each crash the
// tests compare what was acknowledged with what is there, and run `loci check`. `--times 5` takes the most frequent crashes
// five times as often in a run, which spares time for the start of the tests; `--only killed` takes only the crashes whose
// name contains the word.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** `times` crashes in one run of a command. */
type Trial = { crash: string; times: number; command: string[]; env?: Record<string, string> }

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    times: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const vitest = (file: string, ...more: string[]) => ['node_modules/.bin/vitest', 'run', file, ...more]
function crashes(place: string, kills: number, env: Record<string, string> = {}): Trial {
  const times = kills * Number(values.times)
  const command = vitest('server/test/crash.test.ts', '-t', place)
  return { crash: `server ${place}`, times, command, env: { CRASH_KILLS: String(times), ...env } }
}

const all: Trial[] = [
  crashes('killed, sqlite', 20),
  crashes('cut from power, sqlite', 10),
  crashes('killed while its clock jumps, sqlite', 10, { CRASH_CLOCK: 'jumps' }),
  {
    crash: 'follower and importer of conversations killed',
    times: 30,
    command: ['node_modules/.bin/node', 'bench/follow-kills.ts', '30'],
  },
  crashes('killed, postgres', 10),
  {
    crash: 'PostgreSQL restarted',
    times: 3,
    command: vitest('server/test/database-outage.test.ts'),
    env: { OUTAGES: '3' },
  },
  { crash: 'loci mcp killed', times: 1, command: vitest('server/src/doors/mcp/stdio.test.ts', '-t', 'kill') },
  {
    crash: 'server killed among proposals',
    times: 1,
    command: vitest('server/src/features/proposals/killed.test.ts'),
  },
  { crash: 'disk full', times: 1, command: vitest('server/test/full-disk.test.ts') },
  { crash: 'database file damaged', times: 1, command: vitest('server/test/damaged-file.test.ts') },
]
const trials = all.filter(({ crash }) => crash.includes(values.only))

const end = Date.now() + Number(values.minutes) * 60_000
const counts = new Map(trials.map(({ crash }) => [crash, { happened: 0, failed: 0 }]))

/** Its output is kept if it fails. */
function succeeds({ crash, command, env = {} }: Trial, seed: number): Promise<boolean> {
  const [program, ...args] = command
  const child = spawn(join(root, program!), args, {
    cwd: root,
    env: { ...process.env, CRASH_SEED: String(seed), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece))
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0) {
        const file = join(tmpdir(), `crash-lab-${seed}.log`)
        writeFileSync(file, Buffer.concat(output))
        console.error(`${crash} failed with CRASH_SEED=${seed}: ${file}`)
      }
      resolve(code === 0)
    })
  })
}

for (let round = 0; Date.now() < end; round++) {
  const trial = trials[round % trials.length]!
  const count = counts.get(trial.crash)!
  const seed = Math.floor(Math.random() * 1_000_000)
  if (await succeeds(trial, seed)) count.happened += trial.times
  else count.failed++
  console.log(`${new Date().toISOString()} ${trial.crash}: ${count.happened}, failed runs: ${count.failed}`)
}
console.table(Object.fromEntries(counts))
if ([...counts.values()].some(({ failed }) => failed > 0)) process.exitCode = 1
