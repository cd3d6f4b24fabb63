import { describe, expect, test } from 'vitest'
import { linesOfExport, readExport } from '../../../../test/source-files.ts'

const entitiesOf = async (files: Parameters<typeof linesOfExport>[0]) =>
  (await linesOfExport(files)).filter(({ type }) => type === 'entity')
const relationsOf = async (files: Record<string, string>) =>
  (await linesOfExport(files))
    .filter(({ type }) => type === 'relation')
    .map(({ from, relationType, to }) => `${from} ${relationType} ${to}`)

describe('the name of a note', () => {
  test('is its title, or else its file name', async () => {
    const entities = await entitiesOf({ 'a.md': '---\ntitle: Ada\n---\n', 'b/Charles.markdown': 'x' })
    expect(entities.map(({ name }) => name)).toEqual(['Ada', 'Charles'])
  })

  test('is the name or title in its properties, else its first heading if that is of the first level', async () => {
    const entities = await entitiesOf({
      'a.md': '---\nname: Staging database\ntitle: Where we test\n---\n# Other',
      'b.md': 'Before\n\n# 1. Use `PostgreSQL` #\n\n## Status',
      'c.md': '## Second level\n\n# First',
      'd.md': '```\n# comment\n```\nText',
      '2025-03-01.md': '# A day',
    })
    expect(entities.map(({ name }) => name)).toEqual([
      'Staging database',
      '1. Use `PostgreSQL`',
      'c',
      'd',
      '2025-03-01',
    ])
    expect(entities[0]?.metadata).toEqual({ title: 'Where we test' })
  })

  test('is its path if another note has the title', async () => {
    const entities = await entitiesOf({ 'a/Plan.md': 'x', 'b/Plan.md': 'y', 'c.md': '---\ntitle: Plan\n---' })
    expect(entities.map(({ name }) => name)).toEqual(['Plan', 'b/Plan', 'c'])
  })
})

describe('the type of a note', () => {
  test.each([
    ['loose.md', '', 'note'],
    ['people/ada.md', '', 'person'],
    ['01 Projects/deep/er.md', '', 'project'],
    ['Organisations/acme.md', '', 'company'],
    ['Recipes/soup.md', '', 'recipes'],
    ['2024/soup.md', '', 'note'],
    ['constructor/soup.md', '', 'constructor'],
    ['Geräte & Möbel/tisch.md', '', 'geräte & möbel'],
    ['people/ada.md', '---\ntype: mathematician\n---', 'mathematician'],
    ['people/2024-05-01.md', '', 'daily note'],
    ['2024-13-01.md', '', 'note'],
  ])('%s with %j is %s', async (path, text, type) => {
    const [entity] = await entitiesOf({ [path]: text })
    expect(entity?.entityType).toBe(type)
  })
})

test('a daily note dates itself and its observations', async () => {
  const [entity] = await entitiesOf({ 'journal/2024-05-01.md': 'Met [[Ada]]' })
  expect(entity).toMatchObject({
    createdAt: '2024-05-01T00:00:00.000Z',
    observations: [{ content: 'Met [[Ada]]', createdAt: '2024-05-01T00:00:00.000Z' }],
  })
})

test('the date in its properties takes precedence over the day in its name', async () => {
  const [entity] = await entitiesOf({ '2024-05-01.md': '---\ncreated: 2024-04-30\n---' })
  expect(entity?.createdAt).toBe('2024-04-30T00:00:00.000Z')
})

describe('a link leads to', () => {
  const vault = {
    'people/Ada.md': '---\ntitle: Ada Lovelace\naliases: [Countess, Ada Lovelace]\n---\n',
    'Engine.md': 'x',
  }
  test.each([
    ['the title', '[[Ada Lovelace]]', 'links_to Ada Lovelace'],
    ['the file name', '[[ada]]', 'links_to Ada Lovelace'],
    ['the path', '[[people/Ada.md]]', 'links_to Ada Lovelace'],
    ['an alias', 'wrote for:: [[countess]]', 'wrote_for Ada Lovelace'],
    ['a relative path', '[her](../people/Ada.md)', 'links_to Ada Lovelace'],
    ['nothing that is there', '[[Babbage]]', 'links_to Babbage'],
  ])('%s', async (_, text, relation) => {
    expect(await relationsOf({ ...vault, 'log/today.md': text })).toEqual([`today ${relation}`])
  })

  test('a title before an alias of another note', async () => {
    const files = {
      'a.md': '---\ntitle: A\naliases: [B]\n---',
      'b.md': '---\ntitle: B\n---',
      'c.md': '[[b]]',
    }
    expect(await relationsOf(files)).toEqual(['c links_to B'])
  })

  test('another note, once per type', async () => {
    const text = '[[Engine]] [[engine]]\nuses:: [[Engine]]\n[[self]]'
    expect(await relationsOf({ ...vault, 'self.md': text })).toEqual([
      'self links_to Engine',
      'self uses Engine',
    ])
  })
})

test('an alias equal to the name is left out', async () => {
  const [entity] = await entitiesOf({ 'a.md': '---\ntitle: Ada\naliases: [Ada, Countess]\n---' })
  expect(entity?.aliases).toEqual(['Countess'])
})

test('a text file has one observation per line and no properties', async () => {
  const lines = await linesOfExport({ 'facts.txt': 'One fact\r\n\r\n  - another #tag [[Ada]]\n---\n' })
  expect(lines).toEqual([
    {
      type: 'entity',
      name: 'facts',
      entityType: 'note',
      metadata: {},
      observations: [{ content: 'One fact' }, { content: '- another #tag [[Ada]]' }, { content: '---' }],
      file: 'facts.txt',
      line: 1,
    },
  ])
})

test('a problem in the front matter is reported with the file', async () => {
  const [entity] = await entitiesOf({ 'a.md': '---\n: [\n---\nA fact' })
  expect(entity).toMatchObject({ problem: ['The front matter is not valid YAML'], file: 'a.md' })
})

test('relations report the file and line of their link', async () => {
  const lines = await linesOfExport({ 'a.md': '---\ntitle: A\n---\n\n[[B]]' })
  expect(lines.at(-1)).toMatchObject({ type: 'relation', file: 'a.md', line: 5 })
})

test('a note of our own export comes back with the times of its contents', async () => {
  const text = [
    '---',
    'loci: 1',
    'title: "Ada"',
    'type: "person"',
    'created: 2024-05-01T10:00:00.000Z',
    'updated: 2024-05-02T10:00:00.000Z',
    '---',
    '',
    '## Observations',
    '',
    '- Wrote notes %% 2024-05-01T11:00:00.000Z {"page":1} %%',
    '',
    '## Relations',
    '',
    '- knows:: [[Babbage]] %% 2024-05-01T12:00:00.000Z %%',
  ].join('\n')
  expect(await linesOfExport({ 'person/Ada.md': text })).toMatchObject([
    {
      name: 'Ada',
      entityType: 'person',
      observations: [
        { content: 'Wrote notes', createdAt: '2024-05-01T11:00:00.000Z', metadata: { page: 1 } },
      ],
    },
    { from: 'Ada', to: 'Babbage', relationType: 'knows', createdAt: '2024-05-01T12:00:00.000Z' },
  ])
})

test.each([
  ['utf16le', [0xff, 0xfe]],
  ['utf8', [0xef, 0xbb, 0xbf]],
] as const)('a note with the byte order mark of %s is read', async (encoding, mark) => {
  const text = Buffer.from('---\ntitle: Grüße\n---\n日本 🧠', encoding)
  const [entity] = await linesOfExport({ 'a.md': Buffer.concat([Buffer.from(mark), text]) })
  expect(entity).toMatchObject({ name: 'Grüße', observations: [{ content: '日本 🧠' }] })
})

test('a text in UTF-16 of the other order is read too', async () => {
  const text = Buffer.from('\ufeffFact über Ada', 'utf16le').swap16()
  const [entity] = await linesOfExport({ 'facts.txt': text })
  expect(entity?.observations).toEqual([{ content: 'Fact über Ada' }])
})

test('files that are not notes are set apart', async () => {
  expect(await readExport({ 'a.md': 'x', 'b.json': { theme: 'dark' }, 'empty.txt': '' })).toMatchObject({
    format: 'markdown',
    unused: ['b.json', 'empty.txt'],
  })
})

describe('the date of a note', () => {
  const modifiedAt = '2025-05-05T05:05:05.000Z'
  test.each([
    ['of its properties', 'a.md', '---\ndate: 2025-01-01\n---\nDate: 2025-02-02', '2025-01-01T00:00:00.000Z'],
    ['of its line "Date:"', 'a.md', '# Use Go\n\n* **Date:** 2025-02-02\n', '2025-02-02T00:00:00.000Z'],
    ['of its file name', '2025-03-03.md', 'Slept well', '2025-03-03T00:00:00.000Z'],
    ['of its line "Date:" in words', 'a.md', '**Date:** 5 June 2022\n', '2022-06-05T00:00:00.000Z'],
    ['of its line "Date:" in other words', 'a.md', '- Date: March 1st, 2021', '2021-03-01T00:00:00.000Z'],
    ['of its line "Datum:"', 'a.md', 'Datum: 14.02.2023', '2023-02-14T00:00:00.000Z'],
    ['of its file', 'a.md', 'Date: soon', modifiedAt],
    ['of its file, if its date has two meanings', 'a.md', 'Date: 05/06/2022', modifiedAt],
    ['of its file, if a date only follows', 'a.md', 'Date: soon after 5 June 2022', modifiedAt],
  ])('is that %s', async (_, path, text, createdAt) => {
    const [entity] = await entitiesOf({ [path]: { text, modifiedAt } })
    expect(entity).toMatchObject({ createdAt })
    for (const observation of entity!.observations) expect(observation).toMatchObject({ createdAt })
  })
})

describe('a superseded decision record', () => {
  const newer = { '0002-use-mysql.md': '# 2. Use MySQL\n\nIt is here.' }
  test.each([
    ['a link', 'Superseded by [2. Use MySQL](0002-use-mysql.md)'],
    ['a link in old spelling', '* Status: Superceded by [2. Use MySQL](0002-use-mysql.md)'],
    ['a wiki link', '**Superseded by**: [[2. Use MySQL]]'],
    ['a number', 'Superseded by ADR-0002.'],
    ['a title', 'Superseded by 2. Use MySQL'],
    ['a property', '---\nsuperseded_by: 0002-use-mysql.md\n---'],
    ['a wiki link as a property', '---\nsuperseded_by: "[[0002-use-mysql]]"\n---'],
  ])('is related to the newer one by %s', async (_, text) => {
    const files = { '0001-use-postgresql.md': `${text}\n\nWe use PostgreSQL.`, ...newer }
    expect(await relationsOf(files)).toEqual(['0001-use-postgresql superseded_by 2. Use MySQL'])
  })

  test('is related to a newer one that says so, and plain words that are no record relate to nothing', async () => {
    const files = {
      '0001-use-postgresql.md': 'Superseded by events\n\nNothing supersedes [this](0002-use-mysql.md).',
      '0002-use-mysql.md': '# 2. Use MySQL\n\nSupersedes ADR 1',
    }
    expect(await relationsOf(files)).toEqual([
      '0001-use-postgresql links_to 2. Use MySQL',
      '0001-use-postgresql superseded_by 2. Use MySQL',
    ])
  })
})
