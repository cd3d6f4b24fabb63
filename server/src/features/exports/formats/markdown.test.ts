import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrayOf } from '../../../../test/array-of.ts'
import { type GivenEntity, graphInMemory } from '../../../../test/graph-in-memory.ts'
import { linesOfExport } from '../../../../test/source-files.ts'
import { toId } from '../../../ground/lib/ids.ts'
import { writeMarkdown } from './markdown.ts'
import { folderNameOf, nameNotes } from './note-names.ts'

const notesOf = async (...parameters: Parameters<typeof graphInMemory>) => {
  const notes: Record<string, string> = {}
  for await (const { path, content } of writeMarkdown(graphInMemory(...parameters))) {
    notes[path] = (await arrayOf(content as AsyncIterable<string>)).join('')
  }
  return notes
}
/** What the import of the written notes makes of them. */
const readBack = async (...parameters: Parameters<typeof graphInMemory>) =>
  linesOfExport(await notesOf(...parameters))
const contentOf = async (content: string) => {
  const [line] = await readBack([{ name: 'A', pages: [[{ content }]] }])
  return line!.observations
}

describe('a note', () => {
  test('shows observations and relations as a person would write them', async () => {
    const entity = {
      name: 'Ada',
      type: 'person',
      metadata: { born: 1815 },
      pages: [[{ content: 'Wrote notes' }]],
    }
    const related = [{ from: 'Ada', type: 'works on', to: 'Engine' }]
    expect((await notesOf([entity, { name: 'Engine' }], related))['person/Ada.md']).toBe(
      [
        '---',
        'loci: 1',
        'title: "Ada"',
        'type: "person"',
        'created: 2024-05-01T10:00:00.000Z',
        'updated: 2024-05-01T10:00:00.000Z',
        'born: 1815',
        '---',
        '',
        '## Observations',
        '',
        '- Wrote notes %% 2024-05-01T10:00:00.000Z %%',
        '',
        '## Relations',
        '',
        '- works on:: [[Engine]] %% 2024-05-01T10:00:00.000Z %%',
        '',
      ].join('\n'),
    )
  })

  test('has no empty sections', async () => {
    expect((await notesOf([{ name: 'A' }]))['thing/A.md']).not.toContain('##')
  })

  test('comes back with its name, aliases, metadata and times', async () => {
    const metadata = {
      born: 1815,
      'a b': 'x: y',
      title: 'Countess',
      list: [1, null, { deep: true }],
      _x: '[[A]]',
    }
    const createdAt = '2020-01-01T00:00:00.000Z'
    const [line] = await readBack([
      {
        name: 'Ada: "A"',
        aliases: ['Countess'],
        type: 'a/b',
        metadata,
        createdAt,
      },
    ])
    expect(line).toMatchObject({
      name: 'Ada: "A"',
      aliases: ['Countess'],
      entityType: 'a/b',
      metadata,
      createdAt: '2020-01-01T00:00:00.000Z',
      updatedAt: '2024-05-01T10:00:00.000Z',
    })
  })

  test.each([
    'null',
    'Null',
    'true',
    'False',
    'TRUE',
    'yes',
    'k'.repeat(1_100),
    '<<',
    'a:b',
    'größe',
    'NaN',
    '__proto__',
  ])('comes back with the metadata key %s', async (key) => {
    const metadata = `{${JSON.stringify(key)}:1}`
    const [line] = await readBack([{ name: 'A', metadata: JSON.parse(metadata) }])
    expect(JSON.stringify(line!.metadata)).toBe(metadata)
    expect(line).not.toHaveProperty('problem')
  })
})

describe('an observation comes back unchanged', () => {
  test.each([
    'plain',
    '',
    ' spaces around ',
    'a %% comment %%',
    'ends like ours %% 2024-01-01T00:00:00.000Z %%',
    'two\nlines',
    '\nbegins with a break',
    'ends with a break\n',
    'a\n\n\nb',
    '- item\n  - below',
    '```\ncode\n```',
    '## Relations\nknows:: [[Ada]]',
    '## Observations',
    '---\nloci: 1\n---',
    'windows\r\nline',
    'end\r',
    '\u2028separator\u0085',
    '😀'.repeat(3),
  ])('%j', async (content) => {
    expect(await contentOf(content)).toEqual(
      content === '' ? [] : [expect.objectContaining({ content, createdAt: '2024-05-01T10:00:00.000Z' })],
    )
  })

  test('whatever it contains', async () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '- ',
      '## Relations',
      '%% ',
      ' %%',
      '{',
      '}',
      '"',
      '[[A]]',
      '::',
      '\r',
      '2024-01-01T00:00:00.000Z',
      '```',
    )
    const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (contents) => {
        const [line] = await readBack([{ name: 'A', pages: [contents.map((content) => ({ content }))] }])
        const read = line!.observations.map(({ content }: { content: string }) => content)
        expect(read).toEqual(contents)
      }),
      { numRuns: 150 },
    )
  })

  test('with its metadata and the time of its correction', async () => {
    const metadata = { quote: '100 %% "sure" %%', nested: { list: [1] } }
    const observation = {
      content: 'A fact',
      metadata,
      updatedAt: '2024-06-01T00:00:00.000Z',
    }
    const [line] = await readBack([{ name: 'A', pages: [[observation], [{ content: 'next' }]] }])
    expect(line!.observations).toMatchObject([
      { content: 'A fact', metadata, updatedAt: '2024-06-01T00:00:00.000Z' },
      { content: 'next' },
    ])
  })
})

test.each(['works_at', 'works at', 'a:: b', '"quoted"', 'a]] b', '## Relations', 'ist größer', '%%', '-'])(
  'a relation of type %j comes back',
  async (type) => {
    const names: GivenEntity[] = [{ name: 'A' }, { name: 'B [[x]] | y' }]
    const lines = await readBack(names, [{ from: 'A', type, to: 'B [[x]] | y' }])
    expect(lines.filter((line) => line.type === 'relation')).toEqual([
      expect.objectContaining({
        from: 'A',
        to: 'B [[x]] | y',
        relationType: type,
        createdAt: '2024-05-01T10:00:00.000Z',
      }),
    ])
  },
)

describe('the file of a note', () => {
  const namesOf = async (...names: string[]) => {
    const nameOf = await nameNotes(graphInMemory(names.map((name) => ({ name }))))
    return names.map((name, index) => nameOf({ id: toId('ent', index + 1), name }))
  }

  test.each([
    ['Ada Lovelace', /^Ada Lovelace$/],
    ['größe 大きさ', /^größe 大きさ$/],
    ['a/b: c?', /^a b c \(\w+\)$/],
    ['..hidden. ', /^hidden \(\w+\)$/],
    ['???', /^note \(\w+\)$/],
    ['CON', /^CON \(\w+\)$/],
    ['nul.txt', /^nul\.txt \(\w+\)$/],
    ['console', /^console$/],
    ['n'.repeat(81), /^n{80} \(\w+\)$/],
    [`${'n'.repeat(79)}😀`, /^n{79}\ufffd \(\w+\)$/],
  ])('of %j is named %s', async (name, file) => {
    expect((await namesOf(name))[0]).toMatch(file)
  })

  test('has the id in its name if another differs only in case', async () => {
    const [one, other, third] = await namesOf('Tea', 'TEA', 'Coffee')
    expect(one).toMatch(/^Tea \(\w+\)$/)
    expect(other).toMatch(/^TEA \(\w+\)$/)
    expect(third).toBe('Coffee')
  })

  test.each([
    ['person', 'person'],
    ['a/b', 'a b'],
    ['...', 'other'],
    ['aux', 'other'],
    ['Größe', 'Größe'],
  ])('of type %s lies in %s', (type, folder) => {
    expect(folderNameOf(type)).toBe(folder)
  })
})
