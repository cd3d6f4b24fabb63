// Prints the last line of `npm test`: how many tests passed and failed in both runners together. Runs on any
// Node >= 20.
import { readFileSync } from 'node:fs'

const read = (file) => JSON.parse(readFileSync(`.cache/${file}`, 'utf8'))

const vitest = read('vitest.json')
const { stats: playwright } = read('playwright.json')
const passed = vitest.numPassedTests + playwright.expected + playwright.flaky
const failed = vitest.numFailedTests + playwright.unexpected
const skipped = vitest.numPendingTests + playwright.skipped
if (playwright.flaky > 0) console.log(`Passed at the second attempt: ${playwright.flaky}`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
