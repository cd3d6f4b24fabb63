import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-weight-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function weigh(...mechanisms: { mechanism: string; files: string[]; lines: number }[]) {
  const list = join(folder, 'weight.json')
  const rows = mechanisms.map((row) => ({ ...row, cost: '1 us', earns: 'a figure', measured: 'today' }))
  await writeFile(list, JSON.stringify({ Search: rows }))
  return new Promise<{ code: unknown; printed: string; faults: string }>((resolve) => {
    execFile('node', ['scripts/weight.ts', list], (error, printed, faults) =>
      resolve({ code: error?.code ?? 0, printed, faults }),
    )
  })
}

test('a mechanism is shown with the lines that it has now, without its tests', async () => {
  const text = await readFile('server/src/search/analyse/porter2.ts', 'utf8')
  const now = text.split('\n').length - 1
  const files = ['server/src/search/analyse/porter2*.ts']
  const { code, printed } = await weigh({ mechanism: 'stems', files, lines: now - 300 })
  expect(code).toBe(0)
  expect(printed).toContain(`| stems | ${now} | 1 us | a figure | today |\n`)
})

test('a file that does not exist fails', async () => {
  const { code, faults } = await weigh({ mechanism: 'stems', files: ['server/src/no-such.ts'], lines: 1 })
  expect([code, faults]).toEqual([1, 'stems: server/src/no-such.ts does not exist\n'])
})

test('a file of two mechanisms fails', async () => {
  const row = { files: ['package.json'], lines: 200 }
  const { code, faults } = await weigh({ mechanism: 'one', ...row }, { mechanism: 'other', ...row })
  expect([code, faults]).toEqual([1, 'package.json is listed for one and for other\n'])
})

test('a mechanism that grew by more than 300 lines fails', async () => {
  const { code, faults } = await weigh({ mechanism: 'lock', files: ['package-lock.json'], lines: 10 })
  expect(code).toBe(1)
  expect(faults).toMatch(/^lock has \d+ lines instead of 10: /)
})
