import type { Executions } from './executions.ts'

/** A file of coverage-final.json, as Istanbul defines it: what there is, and how often the tests executed it. */
export type FileCoverage = {
  path: string
  statementMap: Record<string, Place>
  fnMap: Record<string, { loc: Place }>
  branchMap: Record<string, { loc: Place; locations: (Place | { start: Partial<Position> })[] }>
  s: Record<string, number>
  f: Record<string, number>
  b: Record<string, number[]>
}
type Place = { start: Position }
type Position = { line: number; column: number }

/** Adds what another process executed of the file. Stripping types moves nothing, so the offsets are those of `source`. */
export function addExecutions(file: FileCoverage, source: string, executions: Executions): void {
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const at = ({ line, column }: Position) => executions(lineStarts[line - 1]! + column)
  for (const [id, { start }] of Object.entries(file.statementMap)) file.s[id]! += at(start)
  for (const [id, { loc }] of Object.entries(file.fnMap)) file.f[id]! += at(loc.start)
  for (const [id, { loc, locations }] of Object.entries(file.branchMap)) {
    const written = locations.map(({ start }) => (isPosition(start) ? at(start) : undefined))
    // An `if` without `else`: what did not take the first branch took this one.
    const unwritten = Math.max(0, at(loc.start) - (written[0] ?? 0))
    file.b[id] = file.b[id]!.map((count, index) => count + (written[index] ?? unwritten))
  }
}

function isPosition(start: Partial<Position>): start is Position {
  return start.line !== undefined && start.column !== undefined
}
