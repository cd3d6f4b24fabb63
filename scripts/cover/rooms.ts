import type { FileCoverage } from './file-coverage.ts'

/** The folder of `src` that a file is in, or of a floor of the server. */
export function roomOf(path: string): string {
  const [room] =
    /^.*?src(\/(?:ground|tenancy|search|memory|features|doors)(?=\/[^/]+\/))?(\/[^/]+(?=\/))?/.exec(path) ?? [
      path,
    ]
  return room
}

/** A line for each room and one for all: which share of statements, branches and functions the tests execute. */
export function tableOfRooms(files: FileCoverage[]): string[] {
  const rooms = Map.groupBy(files, ({ path }) => roomOf(path))
  const sorted = [...rooms].sort(([one], [other]) => one.localeCompare(other))
  return [
    line('room', ['statements', 'branches', 'functions']),
    ...sorted.map(([room, its]) => line(room, shares(its))),
    line('all', shares(files)),
  ]
}

/** The files with the most branches that no test takes, most first. */
export function leastTested(files: FileCoverage[], most: number): string[] {
  return files
    .map((file) => ({ path: file.path, missing: branchesOf(file).filter((count) => count === 0).length }))
    .filter(({ missing }) => missing > 0)
    .sort((one, other) => other.missing - one.missing)
    .slice(0, most)
    .map(({ path, missing }) => `${String(missing).padStart(4)} ${path}`)
}

function shares(files: FileCoverage[]): string[] {
  return [
    share(files.flatMap(({ s }) => Object.values(s))),
    share(files.flatMap(branchesOf)),
    share(files.flatMap(({ f }) => Object.values(f))),
  ]
}

const branchesOf = ({ b }: FileCoverage) => Object.values(b).flat()

function share(counts: number[]): string {
  if (counts.length === 0) return '–'
  return `${((100 * counts.filter((count) => count > 0).length) / counts.length).toFixed(1)} %`
}

function line(room: string, cells: string[]): string {
  return room.padEnd(40) + cells.map((cell) => cell.padStart(12)).join('')
}
