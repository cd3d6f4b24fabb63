import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entityNameMax } from '@loci/contract/entities'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOfFile } from './import-progress.ts'
import { originOf, readUnits, weightOf } from './read-units.ts'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'read-units-'))
})
afterAll(() => rm(dir, { recursive: true }))

async function read(content: string | Buffer) {
  const path = join(dir, 'file.jsonl')
  await writeFile(path, content)
  await using file = await open(path)
  const units = []
  for await (const unit of readUnits(file, startOfFile)) units.push(unit)
  return units
}
const problemsOf = async (content: string | Buffer) =>
  (await read(content)).flatMap(({ problems }) => problems.map(({ message }) => message))
const line = (value: object) => JSON.stringify(value)
const ada = (more: object = {}) =>
  line({ type: 'entity', name: 'Ada', entityType: 'person', observations: [], ...more })

describe('a line', () => {
  test.each([
    ['that was cut off', '{"type":"entity","name":"Ada","entityType":"per', 'The line is not valid JSON'],
    ['of two objects', `${ada()}${ada()}`, 'The line is not valid JSON'],
    ['with a comma after the last member', '{"type":"relation",}', 'The line is not valid JSON'],
    ['in single quotes', "{'type':'entity'}", 'The line is not valid JSON'],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'The line is too long, or not UTF-8'],
  ])('%s is a problem: %s', async (_, content, message) => {
    expect(await problemsOf(content)).toEqual([message])
  })

  test.each([
    'null',
    '7',
    '"text"',
    '[]',
    '{}',
    line({ type: 'entity' }),
    ada({ name: '' }),
    ada({ name: 'x'.repeat(entityNameMax + 1) }),
  ])('%.40s is one problem and no entity', async (content) => {
    const [unit, ...others] = await read(content)
    expect([unit?.problems.length, unit?.entity, others]).toEqual([1, undefined, []])
  })

  test('of 65,536 characters in an observation is read, one more is a problem and the others are kept', async () => {
    const observations = ['x'.repeat(65_536), 'y'.repeat(65_537), 'z']
    const [unit] = await read(ada({ observations }))
    expect(unit?.observations?.items.map(({ content }) => content[0])).toEqual(['x', 'z'])
    expect(unit?.problems).toEqual([
      { line: 1, message: 'An observation is not a text of 1 to 65,536 characters' },
    ])
  })

  test('that is empty, or spaces, is skipped without a problem', async () => {
    expect(await problemsOf('\n  \n\t\n\r\n')).toEqual([])
  })

  test('behind a byte order mark and with ends of Windows is read', async () => {
    const units = await read(`\ufeff${ada()}\r\n${ada({ name: 'Bob' })}\r\n`)
    expect(units.flatMap(({ entity }) => entity?.name ?? [])).toEqual(['Ada', 'Bob'])
  })

  test('keeps an emoji, a name in any script, and a prototype as mere data', async () => {
    const [unit] = await read(
      `{"type":"entity","name":"Zoë 🧠 日本 \\u202e","entityType":"person","observations":["\\ud83e\\udde0"],"metadata":{"__proto__":{"x":1}}}`,
    )
    expect(unit?.entity?.name).toBe('Zoë 🧠 日本 \u202e')
    expect(unit?.observations?.items[0]?.content).toBe('🧠')
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('with times that are none is stored without them, and says so', async () => {
    const [unit] = await read(
      ada({ createdAt: 'yesterday', observations: [{ content: 'a', createdAt: '2024-02-30T00:00:00Z' }] }),
    )
    expect(unit?.entity?.createdAt).toBeUndefined()
    expect(unit?.problems.map(({ message }) => message)).toEqual([
      'createdAt is not an ISO-8601 date-time and was ignored',
      'createdAt is not an ISO-8601 date-time and was ignored',
    ])
  })

  test('of nested JSON without end is a problem, not a crash', async () => {
    expect(await problemsOf(`${'['.repeat(100_000)}`)).toHaveLength(1)
  })

  test('after a bad one is read, and knows its number', async () => {
    const units = await read(['bad', '', ada(), 'worse'].join('\n'))
    expect(units.map(({ at }) => at.line)).toEqual([1, 2, 3, 4])
    expect(units[2]?.entity?.name).toBe('Ada')
  })
})

describe('a long line', () => {
  const observations = (count: number) => Array.from({ length: count }, (_, i) => `fact ${i}`)

  test.each([
    [0, [0]],
    [1, [1]],
    [200, [200]],
    [201, [200, 1]],
    [450, [200, 200, 50]],
  ])('of %i observations comes in parts of %j', async (count, parts) => {
    const units = await read(ada({ observations: observations(count) }))
    expect(units.map((unit) => unit.observations?.items.length)).toEqual(parts)
    expect(units.map((unit) => unit.observations?.isMore)).toEqual(parts.map((_, i) => i > 0))
    expect(units.filter(({ entity }) => entity !== undefined)).toHaveLength(1)
    expect(units.map(weightOf)).toEqual(parts.map((part) => part + 1))
  })

  test('can be continued at each of its parts, and leads to the next line', async () => {
    await writeFile(
      join(dir, 'long.jsonl'),
      `${ada({ observations: observations(450) })}\n${ada({ name: 'Bob' })}`,
    )
    await using file = await open(join(dir, 'long.jsonl'))
    const from = async (position: typeof startOfFile) => {
      const contents = []
      for await (const { observations: read } of readUnits(file, position))
        contents.push(...(read?.items ?? []).map(({ content }) => content))
      return contents
    }
    expect(await from({ ...startOfFile, item: 400 })).toEqual(observations(450).slice(400))
    expect(await from({ ...startOfFile, item: 200 })).toHaveLength(250)
  })
})

test.each([
  [{ line: 7 }, {}, { line: 7 }],
  [{ line: 7 }, { file: 'a.md' }, { line: 1, file: 'a.md' }],
  [{ line: 7 }, { file: 'a.md', line: 3 }, { line: 3, file: 'a.md' }],
  [{ line: 7 }, { file: 'a.json', item: 2, line: 3 }, { item: 2, file: 'a.json' }],
  [{ line: 7 }, { item: 2 }, { item: 2 }],
])('a problem at %j of %j is told at %j', (at, origin, told) => {
  expect(originOf(at, origin)).toEqual(told)
})

test('names with line breaks and control characters are put on one line, and that is a problem each', async () => {
  const entity = ada({ name: 'Ada\n\n# Lovelace', entityType: 'per\u0085son', aliases: ['A\tL', 'AAL'] })
  const more = line({
    type: 'observations',
    entity: 'Ada\n\n# Lovelace',
    observations: ['Likes tea\nand milk'],
  })
  const relation = line({
    type: 'relation',
    from: 'Ada\n\n# Lovelace',
    to: 'Bob',
    relationType: 'knows\u2028of',
  })
  const units = await read([entity, more, relation].join('\n'))
  expect(units[0]?.entity).toMatchObject({
    name: 'Ada # Lovelace',
    entityType: 'per son',
    aliases: ['A L', 'AAL'],
  })
  expect(units[1]?.observations).toMatchObject({
    name: 'Ada # Lovelace',
    items: [{ content: 'Likes tea\nand milk' }],
  })
  expect(units[2]?.relation).toMatchObject({ from: 'Ada # Lovelace', to: 'Bob', relationType: 'knows of' })
  const replaced = (field: string) =>
    `${field} has line breaks or control characters; a space was stored instead`
  expect(units.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
    [replaced('name'), replaced('entityType'), replaced('aliases')],
    [replaced('entity')],
    [replaced('from'), replaced('relationType')],
  ])
})
