/** `npm run check`: types, lint, format, import rules, links, cards and unused code, as many checks at a time as processors. */
import { exec } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(exec)

/** Longest first. */
const projects = ['server', 'scripts', 'web', 'client', 'contract', 'graph-engine']
const checks = [
  'biome check --error-on-warnings .',
  // Several checkers of one project infer the same types, and take almost twice the processor time of one.
  ...projects.map((project) => `tsc -p ${project} --checkers 1`),
  'knip',
  'node scripts/check-walls.ts',
  'node scripts/check-links.ts',
  'node scripts/check-cards.ts',
  'node scripts/weight.ts',
]

const waiting = checks.values()

async function runWaiting(): Promise<void> {
  for (const check of waiting) {
    await run(check, { maxBuffer: Number.POSITIVE_INFINITY }).catch(({ stdout, stderr }) => {
      console.error(`${check}\n${stdout}${stderr}`)
      process.exitCode = 1
    })
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
