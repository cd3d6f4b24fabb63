// Runs what `npm test` names, one step after another, each in its own process group and within its own time, so
// that a step that hangs is named instead of keeping the machine. Both test runners run whatever the other found.
// Runs on any Node >= 20.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const minute = 60_000
const steps = [
  { command: 'node scripts/setup.mjs --with-tools', limit: 15 * minute, isNeeded: true },
  { command: 'npm run --silent check', limit: 10 * minute, isNeeded: true },
  { command: 'vitest run', limit: 55 * minute },
  { command: 'playwright test -c e2e/playwright.config.ts', limit: 32 * minute },
  { command: 'node scripts/tally.mjs', limit: minute },
]

/** Runs a command to its end or its limit in milliseconds; whether it succeeded. */
function succeeds(command, limit) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: 'inherit', detached: true })
    const stop = () => process.kill(-child.pid, 'SIGKILL')
    const timer = setTimeout(() => {
      console.error(`${command}: stopped, because it took longer than ${limit / minute} minutes`)
      stop()
    }, limit)
    const interrupted = () => {
      stop()
      process.exit(1)
    }
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
    child.once('exit', (code) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
      resolve(code === 0)
    })
  })
}

for (const report of ['vitest.json', 'vitest-unhandled.json', 'playwright.json'])
  rmSync(`.cache/${report}`, { force: true })
for (const { command, limit, isNeeded } of steps) {
  if (await succeeds(command, limit)) continue
  process.exitCode = 1
  if (isNeeded) break
}
