import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import type { CommandEnd } from '../../../test/loci-command.ts'
import { askNewPassphrase, askPassphrase } from './passphrase.ts'
import { type Column, printList } from './print-list.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'loci-in-process-'))
})
beforeEach(() => {
  vi.stubEnv('LOCI_DATA_DIR', join(dir, 'data'))
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('LOCI_PASSWORD', 'correct horse battery')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const loci = (...args: string[]) => runLociInProcess(args)
const good = (stdout: unknown) => ({ code: 0, stdout, stderr: '' })
const bad = (stderr: unknown) => ({ code: 1, stdout: '', stderr })
const linesOf = ({ stdout }: CommandEnd) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test.each(['check', 'check --repair', 'account list', 'user list'])(
  'there is nothing to read before there is a memory, and "loci %s" makes none',
  async (command) => {
    expect(await loci(...command.split(' '))).toEqual(bad(expect.stringContaining('There is no memory in')))
    expect(existsSync(join(dir, 'data'))).toBe(false)
  },
)

describe('users', () => {
  test('are created once, whatever the case of their address, and listed', async () => {
    expect(await loci('user', 'create', ' Ada@Example.COM ', '--first-name', 'Ada')).toEqual(
      good(expect.stringMatching(/^Created ada@example\.com\nAPI key {3}loci_\w{46}\n$/)),
    )
    expect(await loci('user', 'create', 'ada@example.com')).toEqual(bad(expect.stringContaining('already')))
    const [ada] = linesOf(await loci('user', 'list', '--json'))
    expect(ada).toMatchObject({ email: 'ada@example.com', role: 'owner', suspended: false })
  })

  test.each([
    [['nobody'], 'Please enter a valid email address'],
    [['bob@example.com', '--first-name', ' '], 'First name is required'],
    [['bob@example.com', '--last-name', 'x'.repeat(129)], 'Last name must be at most 128 characters long'],
    [['bob@example.com', '--member-of', 'gone@example.com'], 'gone@example.com'],
  ])('are not created as %j', async (args, message) => {
    expect(await loci('user', 'create', ...args)).toEqual(bad(expect.stringContaining(message)))
    expect(linesOf(await loci('user', 'list', '--json'))).toHaveLength(1)
  })

  test('are not created with a password that is too short, which is not repeated', async () => {
    vi.stubEnv('LOCI_PASSWORD', 'short1')
    const end = await loci('user', 'create', 'bob@example.com')
    expect(end).toEqual(bad(expect.stringContaining('at least 8 characters')))
    expect(end.stderr).not.toContain('short1')
  })

  test.each(['suspend', 'resume', 'reset-password', 'reset-second-factor'])(
    'that do not exist cannot be named to %s',
    async (command) => {
      expect(await loci('user', command, 'gone@example.com')).toEqual(
        bad(expect.stringContaining('gone@example.com')),
      )
    },
  )
})

describe('keys', () => {
  test('are made, listed without being shown, and revoked once', async () => {
    const { stdout: key } = await loci('key', 'create', 'ada@example.com', 'Laptop 🧠')
    expect(key).toMatch(/^loci_\w{46}\n$/)
    const list = await loci('key', 'list', 'ada@example.com', '--json')
    expect(list.stdout).not.toContain(key.trim())
    const made = linesOf(list).find(({ name }) => name === 'Laptop 🧠')
    expect(await loci('key', 'change', 'ada@example.com', made.id, '--writes', 'propose')).toEqual(
      good(`What ${made.id} writes waits for a review now.\n`),
    )
    expect(linesOf(await loci('key', 'list', 'ada@example.com', '--json'))).toContainEqual(
      expect.objectContaining({ id: made.id, writes: 'propose' }),
    )
    expect((await loci('key', 'change', 'ada@example.com', made.id)).stderr).toContain('--writes')
    expect((await loci('key', 'change', 'ada@example.com', made.id, '--writes', 'no')).stderr).toContain(
      'Allowed choices are direct, propose',
    )
    expect(await loci('key', 'revoke', 'ada@example.com', made.id)).toEqual(good(`Revoked ${made.id}.\n`))
    expect((await loci('key', 'revoke', 'ada@example.com', made.id)).code).toBe(1)
  })

  test.each([
    [['x', '--expires-at', 'tomorrow'], 'ISO-8601'],
    [['x', '--expires-at', '2026-02-30'], 'ISO-8601'],
    [[' '], 'Name is required'],
    [['x'.repeat(129)], 'at most 128 characters'],
  ])('are not made as %j', async (args, message) => {
    expect(await loci('key', 'create', 'ada@example.com', ...args)).toEqual(
      bad(expect.stringContaining(message)),
    )
  })

  test('of nobody do not exist', async () => {
    expect(await loci('key', 'list', 'gone@example.com')).toEqual(
      bad(expect.stringContaining('gone@example.com')),
    )
  })
})

describe('spaces', () => {
  test('are made, renamed and deleted by name, and their names are unique', async () => {
    expect((await loci('space', 'create', 'Wörk 🧠')).stdout).toMatch(
      /^Created the space Wörk 🧠 \(spc_\w+\)\.\n$/,
    )
    expect((await loci('space', 'create', 'Wörk 🧠')).code).toBe(1)
    expect(await loci('space', 'rename', 'Wörk 🧠', 'Home')).toEqual(
      good('The space Wörk 🧠 is now called Home.\n'),
    )
    expect(linesOf(await loci('space', 'list', '--json')).map(({ name }) => name)).toContain('Home')
    expect(await loci('space', 'change', 'Home', '--writes', 'propose', '--auto-accept-days', '3')).toEqual(
      good(
        'What others than reviewers write in Home waits for a review; it is accepted by itself after 3 days.\n',
      ),
    )
    expect(await loci('space', 'change', 'Home', '--auto-accept-days', 'never')).toEqual(
      good('What others than reviewers write in Home waits for a review.\n'),
    )
    expect(await loci('space', 'change', 'Home')).toEqual(
      bad('Say what changes: --writes, --auto-accept-days, --reviewers.\n'),
    )
    expect((await loci('space', 'change', 'Home', '--auto-accept-days', '0')).code).toBe(1)
    expect((await loci('space', 'delete', 'Home')).stderr).toContain('Add --yes')
    expect((await loci('space', 'delete', 'Home', '--yes')).code).toBe(0)
    expect((await loci('space', 'delete', 'Home', '--yes')).code).toBe(1)
  })

  test('get the reviewers that are named by email, who are members', async () => {
    await loci('space', 'create', 'Reviewed')
    await loci('user', 'create', 'rhea@example.com', '--member-of', 'ada@example.com')
    const direct = 'What is written in Reviewed is stored at once, except by keys and apps that propose.\n'
    const change = (reviewers: string) => loci('space', 'change', 'Reviewed', '--reviewers', reviewers)
    const named = good(`${direct}Owners and admins review in Reviewed, and rhea@example.com.\n`)
    expect(await change(' Rhea@example.com')).toEqual(named)
    expect(await change('gone@example.com')).toEqual(bad('gone@example.com is no member of this account.\n'))
    expect((await loci('space', 'change', 'Reviewed', '--writes', 'propose')).code).toBe(0)
    expect(await change('none')).toEqual(
      good(
        'What others than reviewers write in Reviewed waits for a review.\nOwners and admins review in Reviewed.\n',
      ),
    )
    await loci('space', 'delete', 'Reviewed', '--yes')
    await loci('user', 'delete', 'rhea@example.com', '--yes')
  })

  test('without a name are refused', async () => {
    expect(await loci('space', 'create', ' ')).toEqual(bad('Space name is required\n'))
  })
})

describe('a memory', () => {
  const fileOf = (name: string) => join(dir, name)

  test('is looked at, imported once, exported, and found in order', async () => {
    const entity = {
      type: 'entity',
      name: 'Téa 🧠',
      entityType: 'drink',
      observations: ['hot', 'hot', 'cold'],
    }
    writeFileSync(fileOf('memory.jsonl'), `${JSON.stringify(entity)}\n{"type":"entity"}\n`)
    const preview = await loci('import', fileOf('memory.jsonl'), '--dry-run')
    expect(preview.stdout).toContain('Nothing was stored.')
    expect((await loci('export')).stdout).not.toContain('Téa')
    expect((await loci('import', fileOf('memory.jsonl'))).stdout).toMatch(/^Imported\.\n {2}entities +1 new/)
    expect((await loci('import', fileOf('memory.jsonl'))).stdout).toMatch(/entities +0 new +1 there already/)
    expect((await loci('export', fileOf('out.jsonl'), '--format', 'mcp-memory')).code).toBe(0)
    const [line] = readFileSync(fileOf('out.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(line!)).toMatchObject({ name: 'Téa 🧠', observations: entity.observations })
    expect(await loci('check')).toEqual(good(expect.stringMatching(/No differences found\.\n$/)))
  })

  test.each([
    [['import', 'missing.jsonl'], 'missing.jsonl cannot be read'],
    [['export', '--format', 'xml'], '--format must be one of loci, mcp-memory'],
    [['export', '--space', 'Gone'], 'There is no space Gone in this account.'],
    [['export', '--account', 'gone@example.com'], 'gone@example.com'],
    [['restore', 'missing.backup'], 'missing.backup was not restored'],
    [['account', 'set-plan', 'ada@example.com', 'Pro'], 'There is no plan "Pro"'],
  ])('is not touched by %j', async (args, message) => {
    expect(await loci(...args)).toEqual(bad(expect.stringContaining(message)))
  })

  test('as notes goes into a folder only if that is empty', async () => {
    mkdirSync(fileOf('notes'))
    writeFileSync(fileOf('notes/mine.txt'), 'x')
    expect(await loci('export', fileOf('notes'), '--format', 'markdown')).toEqual(
      bad(expect.stringContaining('the folder is not empty')),
    )
    expect((await loci('export', fileOf('new/notes'), '--format', 'markdown')).code).toBe(0)
  })

  test('is backed up once under a name, and says whether it is encrypted', async () => {
    expect((await loci('backup', fileOf('plain'))).stdout).toContain('It is not encrypted')
    expect(await loci('backup', fileOf('plain'))).toEqual(bad(`${fileOf('plain')} is there already.\n`))
    expect((await loci('backup', fileOf('locked'), '--encrypt')).stderr).toContain('A passphrase is needed')
  })
})

describe('a passphrase', () => {
  test('is the text of its file without the last line break, else of the environment', async () => {
    const passphraseFile = join(dir, 'passphrase')
    for (const [content, read] of [
      [' two words \r\n', ' two words '],
      ['one\n\n', 'one\n'],
    ] as const) {
      writeFileSync(passphraseFile, content)
      expect(await askPassphrase({ backupPassphrase: 'other' }, { passphraseFile })).toBe(read)
    }
    expect(await askNewPassphrase({ backupPassphrase: 'other' }, {})).toBe('other')
  })

  test('is never empty, and a file that is missing is named', async () => {
    const passphraseFile = join(dir, 'empty')
    writeFileSync(passphraseFile, '\n')
    await expect(askPassphrase({ backupPassphrase: undefined }, { passphraseFile })).rejects.toThrow(
      'is empty',
    )
    const missing = { passphraseFile: join(dir, 'gone') }
    await expect(askPassphrase({ backupPassphrase: 'x' }, missing)).rejects.toThrow('gone cannot be read')
  })
})

describe('a list', () => {
  type Row = { name: string; size: number }
  const columns: Column<Row>[] = [
    { title: 'NAME', width: 6, value: ({ name }) => name },
    { title: 'SIZE', width: 0, value: ({ size }) => size },
  ]
  const rows = [
    { name: 'a', size: 1 },
    { name: 'longer than that', size: 20 },
    { name: '\u0007', size: 3 },
    { name: '\u001b[2J\n', size: 0 },
  ]

  async function printed(json: boolean): Promise<string> {
    let text = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      text += String(chunk)
      return true
    })
    await printList(rows, columns, { json })
    return text
  }

  test('is a table in columns, which no value can break', async () => {
    const lines = (await printed(false)).split('\n')
    expect(lines.slice(0, 3)).toEqual(['NAME    SIZE', 'a       1', 'longer than that  20'])
    expect(lines.slice(3)).toEqual(['\\u0007  3', '\\u001b[2J\\u000a  0', ''])
  })

  test('is one JSON object a line, which reads as it was', async () => {
    const lines = (await printed(true)).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
  })
})
