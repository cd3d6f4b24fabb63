import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { runLoci } from '../../../test/loci-command.ts'

const main = join(import.meta.dirname, '../../../bin/loci.js')
const patience = { timeout: 40_000, interval: 50 }

let home: string
let path: string
let processes: ReturnType<typeof spawn>[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loci-follow-here-'))
  path = join(home, '.claude/projects/-shop/s1.jsonl')
  mkdirSync(join(path, '..'), { recursive: true })
  processes = []
})
afterEach(async () => {
  for (const child of processes.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(home, { recursive: true, force: true })
})

const environment = () => ({
  ...{ HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', LOCI_URL: '', LOCI_API_KEY: '', DATABASE_URL: '' },
  ...{ LOCI_DATA_DIR: join(home, 'data'), PORT: '0', LOCI_LOG_LEVEL: 'silent' },
})

function start(command: 'serve' | 'mcp' | 'watch') {
  const child = spawn(process.execPath, [main, command], {
    env: { ...process.env, ...environment() },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  processes.push(child)
  return child
}

const line = (n: number) =>
  `${JSON.stringify({ type: 'user', uuid: `u${n}`, sessionId: 's1', timestamp: '2026-11-01T10:00:00Z', cwd: '/shop', message: { content: `said ${n}` } })}\n`
const connect = (...args: string[]) => runLociInProcess(['connect', ...args, '--yes'], { env: environment() })
const expected = (count: number) => Array.from({ length: count }, (_, n) => `said ${n}`)

/** The texts of all turns, in the order in which they were stored. */
function texts(): string[] {
  const file = join(home, 'data/loci.db')
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 })
  try {
    return database
      .prepare('select text from turns order by id')
      .all()
      .map(({ text }) => String(text))
  } finally {
    database.close()
  }
}

test.each(['serve', 'mcp'] as const)(
  'loci %s follows what the person allowed, and nothing else',
  async (command) => {
    writeFileSync(path, line(0))
    start(command)
    await vi.waitFor(() => {
      expect(existsSync(join(home, 'data/loci.db'))).toBe(true)
      expect(texts()).toEqual([])
    }, patience)
    expect((await connect('codex', '--dry-run')).stdout).toContain('Nothing was written')
    expect((await connect('claude-code', '--no-follow')).code).toBe(0)
    const told = await runLociInProcess(['connect', 'claude-code', '--dry-run'], { env: environment() })
    expect(told.stdout).toMatch(
      /change .*data\/follow\/claude-code\.json +\(yes to following its conversations: 1 file, 1 kB so far, kept on this machine, without secrets\)/,
    )
    expect(texts()).toEqual([])
    expect((await connect('claude-code')).code).toBe(0)
    await vi.waitFor(() => expect(texts()).toEqual(expected(1)), patience)
    appendFileSync(path, line(1))
    await vi.waitFor(() => expect(texts()).toEqual(expected(2)), patience)
    const second = await runLoci(['watch', '--once'], { env: environment() })
    expect(second.stdout).toContain('Another process follows the conversations already.')
    expect((await connect('claude-code', '--remove')).stdout).toContain('Disconnected Claude Code')
    // It no longer holds the lock once it has noticed.
    await vi.waitFor(async () => {
      const { stdout } = await runLociInProcess(['watch', '--once', 'codex'], { env: environment() })
      expect(stdout).toContain('Stored 0 turns')
    }, patience)
    appendFileSync(path, line(2))
    expect((await runLociInProcess(['import', path], { env: environment() })).stdout).toContain(
      '1 turn, and 2 that were',
    )
    expect(texts()).toEqual(expected(3))
  },
)

test('each turn is stored once and in order through 20 kills of processes that store by themselves', {
  timeout: 300_000,
}, async () => {
  writeFileSync(path, '')
  await connect('claude-code')
  let written = 0
  const write = () => appendFileSync(path, line(written++))
  for (let kill = 0; kill < 20; kill++) {
    for (let n = 0; n < 5; n++) write()
    const stored = texts().length
    const child = start(kill % 2 === 0 ? 'watch' : 'mcp')
    await vi.waitFor(() => expect(texts().length).toBeGreaterThan(stored), patience)
    write()
    await new Promise((resolve) => setTimeout(resolve, kill % 7))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  expect((await runLoci(['watch', '--once'], { env: environment() })).code).toBe(0)
  expect(texts()).toEqual(expected(written))
  expect(written).toBe(120)
})
