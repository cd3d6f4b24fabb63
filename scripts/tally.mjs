// Prints the last line of `npm test`: how many tests passed and failed in both runners together. Runs on any
// Node >= 20.
import { existsSync, readFileSync } from 'node:fs'

/** A runner's report, or `missing` counted as one failure if it was stopped before it wrote one. */
function read(file, missing) {
  if (existsSync(`.cache/${file}`)) return JSON.parse(readFileSync(`.cache/${file}`, 'utf8'))
  console.log(`No report in .cache/${file}: its runner did not finish.`)
  return missing
}

const vitest = read('vitest.json', { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 })
const { stats: playwright } = read('playwright.json', {
  stats: { expected: 0, flaky: 0, unexpected: 1, skipped: 0 },
})
const unhandled = existsSync('.cache/vitest.json') ? read('vitest-unhandled.json', []) : []
const files = vitest.testResults ?? []
// A file that does not load, or whose set-up fails, has no failed test.
const failedFiles = files.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some(({ status }) => status === 'failed'),
)
const passed = vitest.numPassedTests + playwright.expected + playwright.flaky
const failed = vitest.numFailedTests + failedFiles.length + unhandled.length + playwright.unexpected
const skipped = vitest.numPendingTests + playwright.skipped
const withFailures = files
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ failureMessages }) => failureMessages.length > 0)
  .sort((a, b) => b.status.localeCompare(a.status))
// With the failure, which may be a find of a random test that the second attempt has not met again. Those that
// failed come last, where whoever sees only the end of a long output reads them.
for (const { fullName, status, failureMessages } of withFailures)
  console.log(
    `${status === 'passed' ? 'Passed at the second attempt' : 'Failed'}: ${fullName}\n${failureMessages[0].slice(0, 2_000)}\n`,
  )
for (const { name, message } of failedFiles) console.log(`Failed, outside its tests: ${name}\n${message}\n`)
for (const error of unhandled) console.log(`Failed, in no test: ${error.slice(0, 2_000)}\n`)
if (playwright.flaky > 0) console.log(`Passed at the second attempt, in a browser: ${playwright.flaky}`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
