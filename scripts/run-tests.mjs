// Runs Vitest and Playwright side by side, since each of them leaves processors idle at times, then prints the
// tally. Playwright's output follows Vitest's. Runs on any Node >= 20.
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'

const browserLog = '.cache/playwright.log'

mkdirSync('.cache', { recursive: true })
for (const runner of ['vitest', 'playwright']) rmSync(`.cache/${runner}.json`, { force: true })

const log = openSync(browserLog, 'w')
// One worker fewer than alone.
const browserTests = run('playwright test -c e2e/playwright.config.ts --workers=2', ['ignore', log, log])
const codes = [await run('vitest run', 'inherit')]
codes.push(await browserTests)
process.stdout.write(readFileSync(browserLog))
if (codes.some((code) => code !== 0)) process.exitCode = 1
await import('./tally.mjs')

/** The exit code of a command; null if a signal ended it. */
function run(command, stdio) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { stdio, shell: true })
    child.on('error', reject)
    child.on('close', resolve)
  })
}
