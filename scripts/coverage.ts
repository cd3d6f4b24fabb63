// Prints which share of each room the tests execute, and the files with the most branches that no test takes.
// Measures the tests' own processes (Vitest) and all processes and threads they start (Node); not the browser.
// Usage: npm run coverage -- [parts of the names of test files]. With such parts, only rooms they name are printed.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startVitest } from 'vitest/node'
import { executionsOf, type ScriptRecording } from './cover/executions.ts'
import { addExecutions, type FileCoverage } from './cover/file-coverage.ts'
import { recordingsOfProcesses, report, root } from './cover/folders.ts'
import { leastTested, roomOf, tableOfRooms } from './cover/rooms.ts'

const parts = process.argv.slice(2)

rmSync(recordingsOfProcesses, { recursive: true, force: true })
// Programs started by tests run from the sources then, which is where their executions are counted.
rmSync(join(root, 'server/dist'), { recursive: true, force: true })
const vitest = await startVitest('test', parts, {
  root,
  watch: false,
  reporters: ['default'],
  setupFiles: [join(import.meta.dirname, 'cover/watch-processes.ts')],
  coverage: {
    enabled: true,
    provider: 'v8',
    include: ['{contract,client,graph-engine,server,web}/src/**/*.{ts,tsx}'],
    reporter: ['json'],
    reportsDirectory: report,
    reportOnFailure: true,
  },
})
await vitest.close()
print(measured())
rmSync(recordingsOfProcesses, { recursive: true })

/** All files of ours with what every process executed of them. */
function measured(): FileCoverage[] {
  const files: Record<string, FileCoverage> = readJson(join(report, 'coverage-final.json'))
  const byUrl = new Map(Object.values(files).map((file) => [pathToFileURL(file.path).href, file]))
  for (const recording of readdirSync(recordingsOfProcesses)) {
    const { result }: { result: ScriptRecording[] } = readJson(join(recordingsOfProcesses, recording))
    for (const script of result) {
      const file = byUrl.get(script.url)
      if (file) addExecutions(file, readFileSync(file.path, 'utf8'), executionsOf(script))
    }
  }
  return [...byUrl.values()].map((file) => ({ ...file, path: relative(root, file.path) }))
}

function print(files: FileCoverage[]): void {
  const asked = files.filter(
    ({ path }) => parts.length === 0 || parts.some((part) => roomOf(path).includes(part)),
  )
  console.log(
    ['', ...tableOfRooms(asked), '', 'Branches that no test takes:', ...leastTested(asked, 20)].join('\n'),
  )
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
