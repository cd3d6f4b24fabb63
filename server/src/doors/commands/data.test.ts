import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { execLociInProcess } from '../../../test/command-in-process.ts'
import { runLoci } from '../../../test/loci-command.ts'

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'loci-commands-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const environmentOf = (dataDir: string) => ({ LOCI_DATA_DIR: join(dir, dataDir), DATABASE_URL: '' })
const loci = (dataDir: string, ...args: string[]) => execLociInProcess(args, { env: environmentOf(dataDir) })
const program = (dataDir: string, ...args: string[]) => runLoci(args, { env: environmentOf(dataDir) })

function writeNotes(): string {
  const notes = join(dir, 'notes')
  mkdirSync(join(notes, 'people'), { recursive: true })
  mkdirSync(join(notes, '.hidden'), { recursive: true })
  writeFileSync(join(notes, '.hidden', 'secret.md'), 'Not a note')
  writeFileSync(
    join(notes, 'people', 'ada.md'),
    [
      '---',
      'title: Ada Lovelace',
      'type: person',
      'tags: [math, history]',
      'created: 1843-07-10',
      '---',
      '# About',
      'Wrote the first program',
      'for the [[Engine|Analytical Engine]].',
      '',
      '- knew [[Babbage]]',
      '  1. and [[missing note#part]]',
      '',
      '```',
      '- no [item]',
      '',
      'code',
      '```',
    ].join('\n'),
  )
  writeFileSync(join(notes, 'Engine.md'), 'A machine. See [[people/ada]].\r\n')
  writeFileSync(join(notes, 'babbage.md'), '---\n: : broken [\n---\nA person.\n')
  return notes
}

test('a folder of notes is imported, and exported to a backup and a new database', async () => {
  const notes = writeNotes()
  const { stdout: preview } = await loci('one', 'import', notes, '--dry-run')
  expect(preview).toMatch(/^Would import \(markdown\)\n +entities +3 new/)
  expect(preview).toContain('babbage.md:1: The front matter is not valid YAML')
  expect(preview).toMatch(/Nothing was stored\.\n$/)
  const imported = await program('one', 'import', notes)
  expect(imported.stdout).toContain('3 new')
  expect(imported.stdout).toContain('babbage.md:1: The front matter is not valid YAML')
  expect(imported.stdout).toContain('people/ada.md:12: The relation names missing note, which is not there')

  await loci('one', 'export', join(dir, 'memory.jsonl'), '--format', 'mcp-memory')
  const lines = readFileSync(join(dir, 'memory.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { type: 'entity', name: 'Engine', entityType: 'note', observations: ['A machine. See [[people/ada]].'] },
    { type: 'entity', name: 'babbage', entityType: 'note', observations: ['A person.'] },
    {
      type: 'entity',
      name: 'Ada Lovelace',
      entityType: 'person',
      observations: [
        'Wrote the first program\nfor the [[Engine|Analytical Engine]].',
        'knew [[Babbage]]',
        'and [[missing note#part]]',
        '```\n- no [item]\n\ncode\n```',
      ],
    },
    { type: 'relation', from: 'Engine', to: 'Ada Lovelace', relationType: 'links_to' },
    { type: 'relation', from: 'Ada Lovelace', to: 'Engine', relationType: 'links_to' },
    { type: 'relation', from: 'Ada Lovelace', to: 'babbage', relationType: 'links_to' },
  ])

  await loci('one', 'export', join(dir, 'vault-out'), '--format', 'markdown')
  expect(readFileSync(join(dir, 'vault-out', 'person', 'Ada Lovelace.md'), 'utf8')).toContain(
    '- links_to:: [[Engine]] %% ',
  )
  await expect(loci('one', 'export', join(dir, 'vault-out'), '--format', 'csv')).rejects.toMatchObject({
    stderr: expect.stringContaining('the folder is not empty'),
  })

  const backup = join(dir, 'one.backup')
  await loci('one', 'backup', backup)
  await loci('two', 'restore', backup)
  const { stdout } = await program('two', 'export')
  expect(stdout).toContain('"metadata":{"tags":["math","history"],"created":"1843-07-10"}')
  expect(stdout).toContain('"createdAt":"1843-07-10T00:00:00.000Z"')
  expect((await loci('two', 'check')).stdout).toBe('No differences found.\n')
  await expect(loci('one', 'backup', backup)).rejects.toMatchObject({
    stderr: expect.stringContaining('is there already'),
  })
})

test('an import reads only regular files of its folder and follows no links', async () => {
  const vault = join(dir, 'vault')
  mkdirSync(vault)
  mkdirSync(join(dir, 'elsewhere'))
  writeFileSync(join(dir, 'elsewhere', 'secret.md'), 'A secret of another folder')
  symlinkSync(join(dir, 'elsewhere', 'secret.md'), join(vault, 'linked.md'))
  symlinkSync(join(dir, 'elsewhere'), join(vault, 'folder'))
  execFileSync('mkfifo', [join(vault, 'pipe.md')])
  writeFileSync(join(vault, 'plain.md'), 'A note')
  const { stdout, stderr } = await loci('vault-data', 'import', vault)
  expect(stdout).toMatch(/entities +1 new/)
  expect(stderr).toBe(
    'Not read, since they are links or hold nothing of this kind:\n  folder\n  linked.md\n  pipe.md\n',
  )
  await expect(loci('vault-data', 'import', join(vault, 'pipe.md'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is no regular file'),
  })
})

test('observations carry the date of their note, and links in code and pictures are ignored', async () => {
  const vault = join(dir, 'dated')
  mkdirSync(vault)
  const code = '```js\nconst a = [[index]]\n```\nand `[[inline]]`, ![[photo.png]], ![[Other.md]]'
  writeFileSync(join(vault, 'Day.md'), `---\ncreated: 2023-04-05 06:07\n---\n${code}`)
  writeFileSync(join(vault, 'Other.md'), '---\ndate: 2023-02-30\n---\nNever')
  const imported = await loci('dated-data', 'import', vault).catch((error) => error)
  expect(imported.stdout).toContain('1 problem\n  Other.md:1: The date is not a date\n')
  expect(imported.stdout).toMatch(/relations +1 new/)
  const { stdout } = await loci('dated-data', 'export', '-')
  const day = stdout.split('\n').find((line) => line.includes('"Day"'))!
  expect(day.match(/"createdAt":"2023-04-05T06:07:00.000Z"/g)).toHaveLength(3)
})

test('a command reports errors without a stack trace', async () => {
  await expect(loci('one', 'import', join(dir, 'nowhere'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^[^\n]*nowhere cannot be read[^\n]*\n$/),
  })
  await expect(loci('one', 'export', '--account', 'nobody@example.com')).rejects.toMatchObject({
    code: 1,
    stderr: 'There is no user nobody@example.com in this database.\n',
  })
})

test('memory that belongs to no account has no limits', async () => {
  const file = join(dir, 'large.jsonl')
  const entities = Array.from({ length: 1_100 }, (_, i) => ({
    ...{ type: 'entity', name: `Thing ${i}`, entityType: 'thing', observations: [] },
  }))
  writeFileSync(file, entities.map((entity) => JSON.stringify(entity)).join('\n'))
  const { stdout } = await loci('unlimited', 'import', file)
  expect(stdout).toMatch(/^Imported\.\n +entities +1100 new/)
})
