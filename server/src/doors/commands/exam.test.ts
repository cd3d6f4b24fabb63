import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLoci } from '../../../test/loci-command.ts'

const reference = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-exam-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const entity = (name: string, ...observations: string[]) =>
  JSON.stringify({ type: 'entity', name, entityType: 'service', observations })
const question = (text: string, kind: string, ...evidence: string[]) =>
  JSON.stringify({ question: text, kind, evidence })

async function setUp(): Promise<{ file: string; env: Record<string, string> }> {
  const [memory, file] = [join(folder, 'memory.json'), join(folder, 'exam.jsonl')]
  const facts = ['Falls back to OSRM after 800 ms', 'Is written in "Rust"\nand Go']
  await writeFile(
    memory,
    [entity('route-planner', ...facts), entity('invoices', 'Are sent on Mondays')].join('\n'),
  )
  await writeFile(
    file,
    [
      question(
        'When does the route planner fall back to OSRM?',
        'numbers',
        'falls back to OSRM after 800 ms',
      ),
      question('Which languages is route-planner written in?', 'words', 'Is written in "Rust"\nand Go'),
      question('route-planner', 'names', 'Falls back to OSRM after 800 ms', 'nobody wrote this'),
    ].join('\n'),
  )
  const env = {
    LOCI_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: '',
    MEMORY_FILE_PATH: memory,
    LOCI_URL: '',
  }
  expect((await runLoci(['import', memory], { env })).code).toBe(0)
  return { file, env }
}

test('asks Loci and the reference memory server the same questions, and compares them', async () => {
  const { file, env } = await setUp()
  const against = `"${process.execPath}" "${reference}"`
  const { code, stdout, stderr } = await runLoci(['exam', file, '--against', against, '--json'], { env })
  expect([code, stderr]).toEqual([0, ''])
  const { runs, comparisons } = JSON.parse(stdout)
  const [loci, other] = runs
  expect(loci.kinds.numbers).toMatchObject({ questions: 1, found: 1, shown: 1 })
  expect(loci.kinds.words).toMatchObject({ found: 1 })
  expect(loci.kinds.names.found).toBe(0.5)
  // It looks for the whole question in the texts.
  expect(other.kinds).toMatchObject({ numbers: { found: 0 }, words: { found: 0 }, names: { found: 0.5 } })
  expect(comparisons).toEqual([{ with: against, better: 2, worse: 0, same: 1, chance: 0.5 }])
})

test('saves a run and compares another one with it, in words', async () => {
  const { file, env } = await setUp()
  const saved = join(folder, 'run.json')
  expect((await runLoci(['exam', file, '--save', saved], { env })).code).toBe(0)
  expect(JSON.parse(await readFile(saved, 'utf8')).scores).toHaveLength(3)
  const { stdout } = await runLoci(['exam', file, '--compare', saved, '--tokens', '1'], { env })
  expect(stdout).toContain('0 questions better, 3 worse, 0 the same')
  expect(stdout).toContain('in 25.0 % of cases')
})

test('ends with 2 for what it cannot ask', async () => {
  const { file, env } = await setUp()
  const run = (...args: string[]) => runLoci(['exam', ...args], { env })
  expect((await run(join(folder, 'none.jsonl'))).code).toBe(2)
  await writeFile(join(folder, 'bad.jsonl'), '{"question":"Why?"}\n')
  const bad = await run(join(folder, 'bad.jsonl'))
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('bad.jsonl:1 is no question')])
  const none = await run(file, '--against', 'exit 3')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('does not answer over MCP')])
})
