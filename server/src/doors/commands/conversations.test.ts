import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Conversation } from '@loci/contract/conversations'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { type DialectName, testConfig } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'

let home: string
let env: Record<string, string>
let remove: () => Promise<void>

const line = (n: number, text = `said ${n}`) =>
  `${JSON.stringify({ type: 'user', uuid: `u${n}`, sessionId: 's1', timestamp: '2026-11-01T10:00:00Z', cwd: '/shop', message: { content: text } })}\n`

describe.each<DialectName>(['sqlite', 'postgres'])('conversations of this machine (%s)', (dialect) => {
  let path: string
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'loci-conversations-'))
    const database = await testConfig(dialect)
    remove = database.remove
    path = join(home, '.claude/projects/-shop/s1.jsonl')
    mkdirSync(join(path, '..'), { recursive: true })
    env = { HOME: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', LOCI_URL: '', LOCI_API_KEY: '' }
    env = { ...env, ...environmentOf(database.config) }
  })
  afterEach(async () => {
    rmSync(home, { recursive: true, force: true })
    await remove()
  })

  const loci = async (...args: string[]) => {
    const end = await runLociInProcess(args, { env })
    expect(end.stderr).toBe('')
    return end.stdout
  }
  const listed = async (...args: string[]) =>
    (await loci('conversations', 'list', '--json', ...args))
      .split('\n')
      .filter(Boolean)
      .map((json): Conversation => JSON.parse(json))

  test('are stored here without a server, once, and are listed and deleted', async () => {
    const odd = JSON.parse(line(3, 'odd \u0000 \ud800'))
    writeFileSync(path, `${line(0)}${line(1)}${JSON.stringify({ ...odd, timestamp: 'never' })}\n`)
    expect(await loci('watch', '--once')).toContain('Stored 3 turns (0 were there already)')
    appendFileSync(path, line(2))
    expect(await loci('watch', '--once', 'claude-code')).toContain('Stored 1 turns (0 were there already)')
    expect(await loci('import', join(home, '.claude'))).toContain('0 turns, and 4 that were there already')
    expect(await listed()).toMatchObject([
      { agent: 'claude-code', externalId: 's1', project: { name: 'shop' }, title: 'said 0', turns: 4 },
    ])
    expect(await loci('conversations', 'list')).toMatch(
      /^ID +LAST TURN[\s\S]+ claude-code +shop +4 +said 0\n$/,
    )
    expect(await listed('--project', 'blog')).toEqual([])
    expect((await runLociInProcess(['conversations', 'delete'], { env })).stderr).toContain('or use --all')
    expect((await runLociInProcess(['conversations', 'delete', '--all'], { env })).stderr).toContain(
      'Add --yes',
    )
    expect(await loci('conversations', 'delete', '--project', 'shop', '--yes')).toBe(
      'Deleted 1 conversation.\n',
    )
    expect(await listed()).toEqual([])
  })

  test.runIf(dialect === 'sqlite')(
    'leave no sentence in the file when they are erased',
    { timeout: 120_000 },
    async () => {
      const words = (n: number) => `zanzibar${n} ${`kilimanjaro${n} meru `.repeat(n % 7 === 0 ? 900 : 20)}`
      const turns = Array.from({ length: 400 }, (_, n) => line(n, words(n)))
      writeFileSync(path, turns.join(''))
      await loci('watch', '--once')
      const dataDir = env.LOCI_DATA_DIR!
      const inFiles = () =>
        readdirSync(dataDir)
          .filter((name) => name.startsWith('loci.db'))
          .filter((name) => /zanzibar\d+ kilimanjaro/.test(readFileSync(join(dataDir, name), 'latin1')))
      expect(inFiles()).not.toEqual([])
      const erased = await runLoci(['conversations', 'erase', '--all', '--yes'], { env })
      expect(erased).toEqual({ code: 0, stdout: 'Erased 1 conversation.\n', stderr: '' })
      expect(inFiles()).toEqual([])
    },
  )
})
