import { describe, expect, test } from 'vitest'
import { parseNote, parseYaml } from './markdown.rules.ts'

const note = (...lines: string[]) => parseNote(lines.join('\n'))
const linksOf = (...lines: string[]) =>
  note(...lines).links.map(({ relationType, target }) => `${relationType} ${target}`)

describe('the front matter', () => {
  test('gives title, type, aliases and times, and the rest as metadata', () => {
    expect(
      note(
        '---',
        'title: Ada Lovelace',
        'type: person',
        'aliases: [Countess, " AAL "]',
        'created: 2024-05-01 09:30',
        'modified: 2024-05-02T10:00:00+02:00',
        'born: 1815',
        'tags: [math]',
        '---',
        'Wrote the notes.',
      ),
    ).toMatchObject({
      title: 'Ada Lovelace',
      type: 'person',
      aliases: ['Countess', 'AAL'],
      createdAt: '2024-05-01T09:30:00.000Z',
      updatedAt: '2024-05-02T08:00:00.000Z',
      problem: undefined,
      blocks: ['Wrote the notes.'],
    })
  })

  test('is absent if the first line does not open it, or nothing closes it', () => {
    expect(note('', '---', 'title: Ada', '---')).toMatchObject({ title: undefined })
    expect(note('---', 'title: Ada')).toMatchObject({ title: undefined, blocks: ['title: Ada'] })
  })

  test('is read after a byte order mark and with Windows line endings', () => {
    expect(parseNote('\ufeff---\r\ntitle: Ada\r\n---\r\nA fact\r\n')).toMatchObject({
      title: 'Ada',
      blocks: ['A fact'],
    })
  })

  test('turns numbers into text, and empty values into nothing', () => {
    expect(note('---', 'title: 1984', 'type:', '---')).toMatchObject({ title: '1984', type: undefined })
  })

  test.each([
    ['alias: Countess', ['Countess']],
    ['aliases: Countess, AAL,, Countess', ['Countess', 'AAL']],
    ['aliases: [1815, null, ""]', ['1815']],
    ['aliases: {a: b}', []],
    ['aliases: [AAL]\nalias: Countess, AAL', ['AAL', 'Countess']],
  ])('%s gives the aliases %j', (line, aliases) => {
    expect(note('---', line, '---').aliases).toEqual(aliases)
  })

  test.each([
    ['2024-03-01', '2024-03-01T00:00:00.000Z'],
    ['2024-03-01 09:30', '2024-03-01T09:30:00.000Z'],
    ['2024-03-01T09:30:15.5', '2024-03-01T09:30:15.000Z'],
    ['2024-03-01 09:30 +01:00', '2024-03-01T08:30:00.000Z'],
    ['2024-02-30', undefined],
    ['2024-03-01 25:00', undefined],
    ['yesterday', undefined],
    ['20240301', undefined],
  ])('date %s is %s', (date, createdAt) => {
    const read = note('---', `date: ${date}`, '---')
    expect(read.createdAt).toBe(createdAt)
    expect(read.problem).toBe(createdAt === undefined ? 'The date is not a date' : undefined)
  })

  test.each([
    ['title: [', 'The front matter is not valid YAML'],
    ['- a list', 'The front matter is not a list of names and values'],
    ['just words', 'The front matter is not a list of names and values'],
  ])('%s is a problem, and the text is still read', (line, problem) => {
    expect(note('---', line, '---', 'A fact')).toMatchObject({ problem, blocks: ['A fact'] })
  })

  test('that would grow by aliases of aliases is refused', () => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const earlier = Array.from({ length: 9 }, () => (at === 0 ? 'lol' : `*a${at - 1}`))
      return `a${at}: &a${at} [${earlier.join(', ')}]`
    })
    expect(parseYaml(levels.join('\n'))).toEqual({
      value: {},
      problem: 'The front matter is not valid YAML',
    })
  })
})

describe('the text', () => {
  test('is split at blank lines, headings and list items', () => {
    expect(
      note(
        '# Heading',
        'One paragraph',
        '  of two lines.',
        '',
        'Another.',
        '## Next',
        '- item',
        '  continued',
        '* [ ] to do',
        '1. first',
        '2) second',
        '+ plus',
      ).blocks,
    ).toEqual([
      'One paragraph\nof two lines.',
      'Another.',
      'item\ncontinued',
      'to do',
      'first',
      'second',
      'plus',
    ])
  })

  test.each(['```', '~~~'])('keeps code between %s whole', (fence) => {
    expect(note('Before', `${fence}ts`, '- no item', '', '  # no heading', fence, 'After').blocks).toEqual([
      'Before',
      `${fence}ts\n- no item\n\n  # no heading\n${fence}`,
      'After',
    ])
  })

  test('keeps code that is never closed', () => {
    expect(note('```', 'a', '', 'b').blocks).toEqual(['```\na\n\nb'])
  })

  test('keeps code whole if it shows the fences of other code', () => {
    const shown = ['````md', '```ts', 'const a = [[0]]', '```', '', '````']
    expect(note(...shown, 'After [[Ada]]')).toMatchObject({
      blocks: [shown.join('\n'), 'After [[Ada]]'],
      links: [{ target: 'Ada' }],
    })
    const tilde = ['~~~', '```', '[[No]]', '```', '~~~~']
    expect(note(...tilde).blocks).toEqual([tilde.join('\n')])
  })

  test('does not end code at a fence followed by words, nor begin it at inline code', () => {
    expect(note('```', 'a', '``` b', '```', 'c').blocks).toEqual(['```\na\n``` b\n```', 'c'])
    expect(note('```not a fence``` said', '', '[[Ada]]').links).toHaveLength(1)
  })

  test.each(['---', '***', '* * *', '___', ' - - -', '-----------'])(
    'is split at the line %j, which is no text itself',
    (line) => {
      expect(note('One', line, 'Two', '', line, '').blocks).toEqual(['One', 'Two'])
    },
  )

  test.each(['--', '-*-', '*** strong', '- --- -x'])('keeps %j, which is no line across the page', (line) => {
    expect(note('', line).blocks).toHaveLength(1)
  })

  test('of only headings and blank lines has no blocks', () => {
    expect(note('# A', '', '   ', '## B').blocks).toEqual([])
  })

  test('keeps a character that stands where a text reaches the longest length', () => {
    const text = `${'a'.repeat(65_535)}😀end`
    expect(note(text).blocks.join('')).toBe(text)
  })
})

describe('tags', () => {
  const tagsOf = (...lines: string[]) => note(...lines).metadata.tags

  test('in the text join those of the front matter without repeats', () => {
    expect(tagsOf('---', 'tags: [math, "#history"]', '---', 'About #math and #work/now.')).toEqual([
      'math',
      'history',
      'work/now',
    ])
  })

  test('can be given as one text', () => {
    expect(tagsOf('---', 'tags: math, history  art', '---', '#new')).toEqual([
      'math',
      'history',
      'art',
      'new',
    ])
  })

  test.each(['Issue #12', 'a#b', '`#code`', '```\n#code\n```', 'https://example.com/#part'])(
    'are not found in %j',
    (text) => {
      expect(note(text).metadata).toEqual({})
    },
  )

  test('can have letters of any script', () => {
    expect(tagsOf('#größe #задача #日本')).toEqual(['größe', 'задача', '日本'])
  })
})

describe('links', () => {
  test.each([
    ['See [[Ada]]', ['links_to Ada']],
    ['See [[Ada#Life|her life]] and [[ Babbage ]]', ['links_to Ada', 'links_to Babbage']],
    ['works at:: [[Acme]]', ['works_at Acme']],
    ['- **Works At**:: [[Acme]], [[Globex]]', ['works_at Acme', 'works_at Globex']],
    ['She [knows:: [[Babbage]]] and met [[Ada]]', ['knows Babbage', 'links_to Ada']],
    ['(parent of:: [[Byron]], [[Ralph]])', ['parent_of Byron', 'parent_of Ralph']],
    [
      '![[picture.png]] ![[Note]] ![[Note.md]] [[paper.pdf]]',
      ['links_to Note', 'links_to Note.md', 'links_to paper.pdf'],
    ],
    ['`[[code]]` and [[Ada]]', ['links_to Ada']],
    ['``a ` [[code]]`` [[Ada]]', ['links_to Ada']],
    ['no [[]] link', []],
    ['no [[ ]] link either, nor [[#Heading]] or [[|shown]]', []],
    ['| [[Ada\\|her name]] | [[Babbage#Life\\|b]] |', ['links_to Ada', 'links_to Babbage']],
    ['[[C:\\notes]]', ['links_to C:\\notes']],
  ])('of %s are %j', (line, links) => {
    expect(linksOf(line)).toEqual(links)
  })

  test('are not read from code', () => {
    expect(linksOf('```', '[[Ada]]', '```', '[[Babbage]]')).toEqual(['links_to Babbage'])
  })

  test('of Markdown are decoded relative paths, without those that leave the notes', () => {
    const { links } = note(
      '[Ada](people/Ada%20Lovelace.md#life) [b](<../b.md>) [web](https://example.com/c.md) [bad](100%.md) [p](p.pdf)',
    )
    expect(note('[A](<my notes/Ada L.md#at home>) [c](<x (1).md>)').links).toMatchObject([
      { target: 'my notes/Ada L.md', isRelative: true },
    ])
    expect(links.map(({ target, isRelative }) => [target, isRelative])).toEqual([
      ['people/Ada Lovelace.md', true],
      ['../b.md', true],
      ['100%.md', true],
    ])
  })

  test('of the front matter have the name of their property as type', () => {
    expect(linksOf('---', 'author: "[[Ada]]"', 'Co Authors: ["[[B]]", "[[C]]"]', '---')).toEqual([
      'author Ada',
      'co_authors B',
      'co_authors C',
    ])
  })

  test('know their line', () => {
    expect(note('---', 'title: T', '---', '', '[[Ada]]').links).toMatchObject([{ target: 'Ada', line: 5 }])
  })

  test('have a type of at most 64 characters', () => {
    const [link] = note('---', `${'k'.repeat(80)}: "[[Ada]]"`, '---').links
    expect(link?.relationType).toBe('k'.repeat(64))
  })
})

test('a long line of brackets is parsed quickly', () => {
  const started = process.cpuUsage()
  for (const part of ['[[', '](', '[a](', '`', '#', '(a:: ', '[[a|']) parseNote(part.repeat(20_000))
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000)
})
