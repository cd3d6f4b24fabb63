import { describe, expect, test } from 'vitest'
import {
  entityLines,
  metadataOf,
  momentOf,
  nameOf,
  observationsLines,
  problemLine,
  relationLine,
} from './lines.ts'

const place = { file: 'export.json', item: 3 }
const parsed = (lines: Iterable<string>) => [...lines].map((line) => JSON.parse(line))
const entity = (more: Partial<Parameters<typeof entityLines>[0]> = {}) =>
  parsed(entityLines({ name: 'Ada', entityType: 'person', observations: [], ...more }, place))
const manyOf = (count: number, content = 'short') => Array.from({ length: count }, () => ({ content }))

describe('an entity', () => {
  test('is one line that ends with a line feed and says where it was read', () => {
    const [line, ...others] = [
      ...entityLines(
        { name: 'Ada', entityType: 'person', observations: [{ content: 'Wrote\nNotes' }] },
        place,
      ),
    ]
    expect(others).toEqual([])
    expect(line!.indexOf('\n')).toBe(line!.length - 1)
    expect(JSON.parse(line!)).toEqual({
      type: 'entity',
      name: 'Ada',
      entityType: 'person',
      observations: [{ content: 'Wrote\nNotes' }],
      file: 'export.json',
      item: 3,
    })
  })

  test('keeps aliases, metadata and times if it has them', () => {
    const times = { createdAt: '2024-05-01T10:00:00.000Z', updatedAt: '2024-05-02T10:00:00.000Z' }
    const [line] = entity({ aliases: ['Countess', 'Ada\u0000 L.'], metadata: { born: 1815 }, ...times })
    expect(line).toMatchObject({ aliases: ['Countess', 'Ada L.'], metadata: { born: 1815 }, ...times })
    expect(Object.keys(entity()[0])).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/aliases|metadata|problem|At$/)]),
    )
  })

  test('has up to 200 observations on its line and the others on lines that name it', () => {
    const lines = entity({ observations: manyOf(401) })
    expect(lines.map(({ type, observations }) => [type, observations.length])).toEqual([
      ['entity', 200],
      ['observations', 200],
      ['observations', 1],
    ])
    expect(lines[1]).toMatchObject({ entity: 'Ada', file: 'export.json', item: 3 })
  })

  test('continues on another line once the texts of one exceed two million characters', () => {
    const lines = entity({ observations: manyOf(80, 'x'.repeat(65_536)) })
    expect(lines.map(({ observations }) => observations.length)).toEqual([31, 31, 18])
    for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(2_200_000)
  })

  test('splits a text that is too long, repeating its time and metadata', () => {
    const content = `${'a'.repeat(65_536)}b`
    const createdAt = '2024-05-01T10:00:00.000Z'
    const [line] = entity({ observations: [{ content, createdAt, metadata: { page: 1 } }] })
    expect(line.observations).toEqual([
      { content: 'a'.repeat(65_536), createdAt, metadata: { page: 1 } },
      { content: 'b', createdAt, metadata: { page: 1 } },
    ])
  })

  test('never splits a surrogate pair', () => {
    const content = `${'a'.repeat(65_535)}😀end`
    const [{ observations }] = entity({ observations: [{ content }] })
    expect(observations.map((one: { content: string }) => one.content)).toEqual(['a'.repeat(65_535), '😀end'])
  })

  test('leaves out texts without a character that can be stored', () => {
    const [line] = entity({ observations: [{ content: '' }, { content: '\u0000' }, { content: 'a\u0000b' }] })
    expect(line.observations).toEqual([{ content: 'ab' }])
  })

  test.each([
    ['', 'unknown'],
    ['  \t', 'unknown'],
    ['\u0000', 'unknown'],
    ['t'.repeat(65), 't'.repeat(64)],
    ['Ort', 'Ort'],
  ])('of type %j is stored with type %j', (entityType, stored) => {
    expect(entity({ entityType })[0].entityType).toBe(stored)
  })

  test('reports its first hundred problems', () => {
    const problems = Array.from({ length: 101 }, (_, number) => `problem ${number}`)
    expect(entity({ problems })[0].problem).toEqual(problems.slice(0, 100))
    expect(entity({ problems: ['one'] })[0].problem).toEqual(['one'])
  })
})

describe('further observations', () => {
  test('name their entity as its own line does', () => {
    const name = 'n'.repeat(600)
    const [first] = entity({ name })
    const [further] = parsed(observationsLines(name, [{ content: 'later' }], place))
    expect(further.entity).toBe(first.name)
  })

  test('are followed by a line for each problem', () => {
    const lines = parsed(observationsLines('Ada', [{ content: 'a' }], place, ['odd', 'even']))
    expect(lines.map(({ type, message }) => [type, message])).toEqual([
      ['observations', undefined],
      ['problem', 'odd'],
      ['problem', 'even'],
    ])
  })

  test('are no line if there are none', () => {
    expect(parsed(observationsLines('Ada', [], place))).toEqual([])
  })
})

test.each([
  ['works_at', 'works_at'],
  ['', 'relates_to'],
  [' \n', 'relates_to'],
  ['r'.repeat(70), 'r'.repeat(64)],
])('a relation of type %j is stored with type %j', (relationType, stored) => {
  const line = JSON.parse(relationLine({ from: 'Ada', to: '', relationType }, { file: 'a.md', line: 7 }))
  expect(line).toEqual({
    type: 'relation',
    from: 'Ada',
    to: 'Untitled',
    relationType: stored,
    file: 'a.md',
    line: 7,
  })
})

test('a problem is a line with its position', () => {
  expect(JSON.parse(problemLine('It has no text', place))).toEqual({
    type: 'problem',
    message: 'It has no text',
    ...place,
  })
})

test.each([
  ['Ada', 'Ada'],
  ['', 'Untitled'],
  [' \u0000 ', 'Untitled'],
  ['Ada\u0000 Lovelace', 'Ada Lovelace'],
  ['half \ud83d', 'half \ufffd'],
  ['n'.repeat(513), 'n'.repeat(512)],
  [`${'n'.repeat(511)}😀`, `${'n'.repeat(511)}\ufffd`],
])('the name of %j is %j', (text, name) => {
  expect(nameOf(text)).toBe(name)
})

describe('metadata of another program', () => {
  test('drops empty values', () => {
    const given = { a: null, b: undefined, c: '', d: [], e: {}, f: 0, g: false, h: ['x'] }
    expect(metadataOf(given)).toEqual({ metadata: { f: 0, g: false, h: ['x'] }, problem: undefined })
  })

  test('is absent if nothing is left', () => {
    expect(metadataOf({ a: null, b: [] })).toEqual({ metadata: undefined, problem: undefined })
  })

  test.each([
    ['too large', { text: 'x'.repeat(64 * 1024) }, 'at most 64 KiB'],
    ['not storable', { text: 'a\u0000b' }, 'NUL characters'],
  ])('that is %s is left out with the reason', (_, value, reason) => {
    const { metadata, problem } = metadataOf(value)
    expect(metadata).toBeUndefined()
    expect(problem).toMatch(/^Its metadata was left out: /)
    expect(problem).toContain(reason)
  })
})

test.each<[unknown, string | undefined]>([
  [1_714_557_600, '2024-05-01T10:00:00.000Z'],
  [1_714_557_600.25, '2024-05-01T10:00:00.250Z'],
  [0, undefined],
  [-5, undefined],
  [Number.NaN, undefined],
  [1e15, undefined],
  ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01T10:00:00.123456Z', '2024-05-01T10:00:00.123Z'],
  ['2024-05-01 10:00', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01T10:00:00', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01T12:00:00+0200', '2024-05-01T10:00:00.000Z'],
  ['2024-05-01', undefined],
  ['May 1', undefined],
  ['2024-99-01T10:00:00Z', undefined],
  ['', undefined],
  [null, undefined],
  [true, undefined],
  [{ seconds: 5 }, undefined],
])('the moment of %j is %s', (value, moment) => {
  expect(momentOf(value)).toBe(moment)
})
