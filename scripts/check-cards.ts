// Checks that each folder of the server with three or more source files has a card, a README.md of at most five
// lines, and that the files and folders that cards name exist.
import { existsSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const sourcesMin = 3
const linesMax = 5
const server = 'server/src'

const sourcesOf = new Map<string, number>()
for await (const file of glob(`${server}/**/*.ts`)) {
  const folder = dirname(file).replaceAll('\\', '/')
  if (!file.endsWith('.test.ts')) sourcesOf.set(folder, (sourcesOf.get(folder) ?? 0) + 1)
}
const faults: string[] = []
for (const [folder, sources] of sourcesOf) {
  const card = join(folder, 'README.md')
  if (existsSync(card)) faults.push(...faultsOf(folder, readFileSync(card, 'utf8')))
  else if (sources >= sourcesMin) faults.push(`${folder} has no README.md that says what it is for`)
}
for (const fault of faults.sort()) console.error(fault)
if (faults.length > 0) process.exitCode = 1

function faultsOf(folder: string, card: string): string[] {
  const lines = card.split('\n').filter((line) => line !== '')
  const named = [...card.matchAll(/`([\w./-]+(?:\.(?:ts|js)|\/))`/g)].map(([, path]) => path!)
  return [
    ...(lines.length > linesMax ? [`has more than ${linesMax} lines`] : []),
    ...named.filter((path) => !isThere(folder, path)).map((path) => `names ${path}, which is not there`),
  ].map((fault) => `${folder}/README.md ${fault}`)
}

/** Paths are from the folder, the server's sources or the repository. */
function isThere(folder: string, path: string): boolean {
  return [folder, server, '.'].some((from) => existsSync(join(from, path)))
}
