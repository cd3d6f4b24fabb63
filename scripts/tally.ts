// The last line of `npm test`: how many tests passed and failed in both runners together.
import { readFileSync } from 'node:fs'

const read = <T>(file: string): T => JSON.parse(readFileSync(`.cache/${file}`, 'utf8'))

const vitest = read<{ numPassedTests: number; numFailedTests: number; numPendingTests: number }>(
  'vitest.json',
)
const { stats } = read<{ stats: { expected: number; unexpected: number; flaky: number; skipped: number } }>(
  'playwright.json',
)
const passed = vitest.numPassedTests + stats.expected
const failed = vitest.numFailedTests + stats.unexpected + stats.flaky
const skipped = vitest.numPendingTests + stats.skipped
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
