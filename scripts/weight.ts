/**
 * `npm run weight`: the mechanisms of search, store, webhooks, imports, queues and caches with their lines, their cost
 * per call and the figure that each earns. Fails if a listed file does not exist or is listed twice, or if a mechanism
 * has grown by more than `growthMax` lines since its row was written.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'

type Mechanism = {
  mechanism: string
  files: string[]
  /** When the row was written. */
  lines: number
  cost: string
  earns: string
  measured: string
}
type Row = Mechanism & { now: number }

const growthMax = 300
const [, , list = new URL('./weight.json', import.meta.url)] = process.argv

const areas = JSON.parse(readFileSync(list, 'utf8')) as Record<string, Mechanism[]>
const owners = new Map<string, string>()
const faults: string[] = []
for (const [area, mechanisms] of Object.entries(areas)) {
  const rows = await Promise.all(mechanisms.map(weigh))
  print(area, rows)
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

async function weigh(row: Mechanism): Promise<Row> {
  const found = await Promise.all(row.files.map((pattern) => findFiles(row.mechanism, pattern)))
  const now = found.flat().reduce((sum, file) => sum + linesOf(file), 0)
  if (now > row.lines + growthMax) {
    faults.push(
      `${row.mechanism} has ${now} lines instead of ${row.lines}: measure what it earns and write its row anew`,
    )
  }
  return { ...row, now }
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length
}

/** The files of a pattern but for tests. */
async function findFiles(mechanism: string, pattern: string): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob(pattern)) if (!file.endsWith('.test.ts')) found.push(file)
  if (found.length === 0) faults.push(`${mechanism}: ${pattern} does not exist`)
  for (const file of found) {
    const owner = owners.get(file)
    if (owner !== undefined) faults.push(`${file} is listed for ${owner} and for ${mechanism}`)
    owners.set(file, mechanism)
  }
  return found
}

function print(area: string, rows: Row[]): void {
  const lines = rows.reduce((sum, { now }) => sum + now, 0)
  console.log(`\n## ${area}: ${lines} lines\n`)
  console.log('| mechanism | lines | cost per call | earns | measured |\n| --- | --- | --- | --- | --- |')
  for (const { mechanism, now, cost, earns, measured } of rows.toSorted((a, b) => b.now - a.now)) {
    console.log(`| ${[mechanism, now, cost, earns, measured].join(' | ')} |`)
  }
}
