import { describe, expect, test } from 'vitest'
import { executionsOf } from './executions.ts'
import { addExecutions, type FileCoverage } from './file-coverage.ts'
import { roomOf, tableOfRooms } from './rooms.ts'

const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count })

test('the innermost range says how often code ran, in whatever order ranges come', () => {
  const executions = executionsOf({
    functions: [{ ranges: [range(10, 50, 3), range(20, 30, 0)] }, { ranges: [range(0, 100, 1)] }],
  })
  expect([0, 10, 20, 29, 30, 50, 99, 100].map(executions)).toEqual([1, 3, 0, 0, 3, 1, 1, 0])
})

describe('executions in another process', () => {
  const source = 'if (a)\n  b()\n'
  const file = (): FileCoverage => ({
    path: 'x.ts',
    statementMap: { 0: { start: { line: 1, column: 0 } }, 1: { start: { line: 2, column: 2 } } },
    fnMap: {},
    branchMap: {
      0: {
        loc: { start: { line: 1, column: 0 } },
        locations: [{ start: { line: 2, column: 2 } }, { start: {} }],
      },
    },
    s: { 0: 1, 1: 0 },
    f: {},
    b: { 0: [0, 1] },
  })

  test('are added to statements and to both branches, written or not', () => {
    const added = file()
    const executions = executionsOf({ functions: [{ ranges: [range(0, 12, 5), range(7, 12, 2)] }] })
    addExecutions(added, source, executions)
    expect(added.s).toEqual({ 0: 6, 1: 2 })
    expect(added.b).toEqual({ 0: [2, 4] })
  })

  test('that did not happen change nothing', () => {
    const added = file()
    addExecutions(added, source, () => 0)
    expect(added).toEqual(file())
  })
})

test.each([
  ['server/src/features/keys/keys.repo.ts', 'server/src/features/keys'],
  ['server/src/app.ts', 'server/src'],
  ['server/src/doors/mcp/tools/add.ts', 'server/src/doors/mcp'],
  ['web/src/ui/card.tsx', 'web/src/ui'],
  ['contract/src/errors.ts', 'contract/src'],
])('%s is in the room %s', (path, room) => {
  expect(roomOf(path)).toBe(room)
})

test('a room sums up its files, and the last line all rooms', () => {
  const covered = (path: string, counts: number[]) => ({
    path,
    statementMap: {},
    fnMap: {},
    branchMap: {},
    s: Object.fromEntries(counts.entries()),
    f: {},
    b: {},
  })
  const lines = tableOfRooms([
    covered('server/src/ground/lib/a.ts', [1, 0]),
    covered('server/src/ground/lib/b.ts', [1, 1]),
    covered('client/src/c.ts', [0]),
  ])
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'room statements branches functions',
    'client/src 0.0 % – –',
    'server/src/ground/lib 75.0 % – –',
    'all 60.0 % – –',
  ])
})
