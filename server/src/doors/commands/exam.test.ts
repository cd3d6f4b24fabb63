import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { runLoci } from '../../../test/loci-command.ts'
import { storeTurns } from '../../features/conversations/store-turns.ts'
import { createNamedEntities } from '../../features/memories/memories.service.ts'
import { findLocalActor } from '../../features/users/local-actor.ts'
import { readConfig } from '../../ground/config/config.ts'
import { closeContext, openContext } from '../../open-context.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

const reference = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-exam-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Works on the memory without an account in a data directory. */
async function withMemory(
  dataDir: string,
  work: (ctx: Context, actor: Actor) => Promise<void>,
): Promise<void> {
  const config = readConfig({ LOCI_DATA_DIR: dataDir })
  const ctx = await openContext(config, pino({ level: 'silent' }))
  await work(ctx, await findLocalActor(ctx))
  await closeContext(ctx)
}

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
  expect((await runLociInProcess(['import', memory], { env })).code).toBe(0)
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
  // Nobody wanted to know.
  await withMemory(env.LOCI_DATA_DIR!, async ({ db }) =>
    expect(await db.selectFrom('recalls').select('question').execute()).toEqual([]),
  )
})

test('saves a run and compares another one with it, in words', async () => {
  const { file, env } = await setUp()
  const saved = join(folder, 'run.json')
  expect((await runLociInProcess(['exam', file, '--save', saved], { env })).code).toBe(0)
  expect(JSON.parse(await readFile(saved, 'utf8')).scores).toHaveLength(3)
  const { stdout } = await runLociInProcess(['exam', file, '--compare', saved, '--tokens', '1'], { env })
  expect(stdout).toContain('0 questions better, 3 worse, 0 the same')
  expect(stdout).toContain('in 25.0 % of cases')
})

test('makes questions of the conversations and facts of a memory, the same each time', async () => {
  const env = { LOCI_DATA_DIR: join(folder, 'data'), DATABASE_URL: '', LOCI_URL: '', LOCI_API_KEY: '' }
  const run = (...args: string[]) => runLociInProcess(['exam', ...args], { env })
  expect((await run('--from-conversations')).stderr).toContain('There is no memory in')
  await withMemory(env.LOCI_DATA_DIR, async () => {})
  const empty = await run('--from-conversations')
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('nothing to ask about yet')])
  await withMemory(env.LOCI_DATA_DIR, async (ctx, actor) => {
    const say = async (externalId: string, day: number, text: string, files?: string[]) => {
      const conversation = { agent: 'codex', externalId }
      const turn = { externalId: '1', at: `2026-0${day}-01T10:00:00.000Z`, role: 'person' as const, text }
      const turns = [{ ...turn, ...(files && { files }) }]
      return (await storeTurns(ctx, actor, { conversation, turns })).conversationId
    }
    const first = await say('a', 1, 'Let us decide how tolls are rounded')
    const later = await say('b', 2, 'Why is the toll of this night a cent too high?', ['/shop/src/toll.ts'])
    await say('c', 3, '/clear')
    await say('d', 4, 'What is for lunch, and who pays for it?')
    await createNamedEntities(ctx, actor, [
      {
        name: 'Toll',
        entityType: 'project',
        observations: [
          {
            content: 'Rounds once, at the end',
            source: { conversationId: first },
            files: [{ path: 'src/toll.ts' }],
          },
          { content: 'Was rewritten by Grace on 12 March 2026', source: { conversationId: later } },
          'Has no price',
        ],
      },
    ])
  })
  const [made, again] = [join(folder, 'made.jsonl'), join(folder, 'again.jsonl')]
  const { code, stdout, stderr } = await run('--from-conversations', '--write', made, '--json')
  expect([code, stderr]).toEqual([0, ''])
  const questions = (await readFile(made, 'utf8')).trim().split('\n')
  expect(questions.map((line) => JSON.parse(line))).toEqual([
    {
      question: 'Why is the toll of this night a cent too high?',
      evidence: ['Rounds once, at the end'],
      kind: 'conversations',
    },
    {
      question: 'What do Toll and Grace have to do with each other?',
      evidence: ['Was rewritten by Grace on 12 March 2026'],
      kind: 'names',
    },
    {
      question: 'When was this, of Toll: Was rewritten by Grace on',
      evidence: ['Was rewritten by Grace on 12 March 2026'],
      kind: 'dates',
    },
  ])
  expect(JSON.parse(stdout).runs[0].kinds).toMatchObject({
    conversations: { questions: 1, found: 1 },
    names: { questions: 1, found: 1 },
    dates: { questions: 1, found: 1 },
  })
  await run('--from-conversations', '--write', again)
  expect(await readFile(again, 'utf8')).toBe(await readFile(made, 'utf8'))
  expect((await run()).stderr).toContain('Give a file with questions, or --from-conversations.')
  expect((await run(made, '--from-conversations')).code).toBe(2)
})

test('ends with 2 for what it cannot ask', async () => {
  const { file, env } = await setUp()
  const run = (...args: string[]) => runLociInProcess(['exam', ...args], { env })
  expect((await run(join(folder, 'none.jsonl'))).code).toBe(2)
  await writeFile(join(folder, 'bad.jsonl'), '{"question":"Why?"}\n')
  const bad = await run(join(folder, 'bad.jsonl'))
  expect([bad.code, bad.stderr]).toEqual([
    2,
    expect.stringContaining('bad.jsonl:1 is no question: evidence: '),
  ])
  for (const option of ['--save', '--write']) {
    const { code, stderr } = await run(file, option, folder)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${folder} cannot be written: EISDIR`)])
  }
  const none = await run(file, '--against', 'exit 3')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('does not answer over MCP')])
})
