import { describe, expect, test } from 'vitest'
import { parseOwnNote } from './own-note.rules.ts'

const at = '2024-05-01T10:00:00.000Z'
const later = '2024-05-02T10:00:00.000Z'
const front = [
  '---',
  'loci: 1',
  'title: "Ada"',
  'type: "person"',
  `created: ${at}`,
  `updated: ${later}`,
  '---',
]
const own = (...body: string[]) => parseOwnNote([...front, ...body].join('\n'))!
const observationsOf = (...body: string[]) => own('', '## Observations', '', ...body).observations
const linksOf = (...body: string[]) => own('', '## Relations', '', ...body).links

describe('a note of our own export', () => {
  test('has the properties that were written', () => {
    const text = [
      '---',
      'loci: 1',
      'title: "Ada: the \\"first\\""',
      'type: "person"',
      'aliases: ["Countess"]',
      `created: ${at}`,
      `updated: ${later}`,
      'born: 1815',
      'metadata: {"title":"Countess","a b":[1]}',
      '---',
    ]
    expect(parseOwnNote(text.join('\n'))).toEqual({
      title: 'Ada: the "first"',
      type: 'person',
      aliases: ['Countess'],
      createdAt: at,
      updatedAt: later,
      metadata: { born: 1815, title: 'Countess', 'a b': [1] },
      blocks: [],
      observations: [],
      links: [],
      problem: undefined,
    })
  })

  test.each([
    ['without our mark', '---\ntitle: "Ada"\n---\n'],
    ['with the mark of another version', '---\nloci: 2\ntitle: "Ada"\n---\n'],
    ['without a title', '---\nloci: 1\n---\n'],
    ['without front matter', 'loci: 1\ntitle: Ada\n'],
  ])('is not one %s', (_, text) => {
    expect(parseOwnNote(text)).toBeUndefined()
  })

  test('is read after an editor changed its line endings and added a byte order mark', () => {
    const text = `\ufeff${[...front, '', '## Observations', '', `- A fact %% ${at} %%`].join('\r\n')}`
    expect(parseOwnNote(text)).toMatchObject({
      title: 'Ada',
      observations: [{ content: 'A fact', createdAt: at }],
    })
  })

  test('loses aliases that somebody changed to something other than a list', () => {
    const text = ['---', 'loci: 1', 'title: Ada', 'aliases: [a, 2, null]', '---'].join('\n')
    expect(parseOwnNote(text)?.aliases).toEqual(['a'])
    expect(parseOwnNote(text.replace('[a, 2, null]', 'Countess'))?.aliases).toEqual([])
  })

  test('has no metadata from a property that somebody changed to text', () => {
    const text = ['---', 'loci: 1', 'title: Ada', 'metadata: none', 'born: 1815', '---'].join('\n')
    expect(parseOwnNote(text)?.metadata).toEqual({ born: 1815 })
  })
})

describe('an observation', () => {
  test.each([
    [`- A fact %% ${at} %%`, { content: 'A fact', createdAt: at }],
    [`- A fact %% ${at} updated ${later} %%`, { content: 'A fact', createdAt: at, updatedAt: later }],
    [
      `- A fact %% ${at} {"source":"a %% b"} %%`,
      { content: 'A fact', createdAt: at, metadata: { source: 'a %% b' } },
    ],
    [`- %% ${at} %%`, { content: '', createdAt: at }],
    ['- Added by hand', { content: 'Added by hand' }],
    ['- 50 %% of all %%', { content: '50 %% of all %%' }],
    [`- A fact %% ${at} {broken} %%`, { content: 'A fact', createdAt: at }],
  ])('%s is read', (line, observation) => {
    expect(observationsOf(line)).toEqual([expect.objectContaining(observation)])
  })

  test('of several lines has its comment on a line of its own', () => {
    expect(observationsOf('- First', '  ```', '  code', '', '  ```', `  %% ${at} %%`)).toEqual([
      expect.objectContaining({ content: 'First\n```\ncode\n\n```', createdAt: at }),
    ])
  })

  test('of several lines may end like a comment', () => {
    const [observation] = observationsOf('- First', `  last %% ${at} %%`)!
    expect(observation).toEqual({ content: `First\nlast %% ${at} %%` })
  })

  test('keeps blank lines whose indentation an editor removed', () => {
    expect(observationsOf('- First', '', '', '  Last', `  %% ${at} %%`)).toEqual([
      expect.objectContaining({ content: 'First\n\n\nLast' }),
    ])
  })

  test.each(['## Relations', '## Observations'])('may begin with %s', (heading) => {
    const { observations, links } = own(
      '',
      '## Observations',
      '',
      `- ${heading}`,
      '  knows:: [[Ada]]',
      `  %% ${at} %%`,
      '- next',
    )
    expect(observations!.map(({ content }) => content)).toEqual([`${heading}\nknows:: [[Ada]]`, 'next'])
    expect(links).toEqual([])
  })

  test('is also each paragraph and heading that somebody added', () => {
    const { observations } = own(
      'A word',
      'of mine.',
      '',
      'Another.',
      '## Observations',
      '',
      '- Stored',
      '',
      '## Ideas',
    )
    expect(observations!.map(({ content }) => content)).toEqual([
      'A word\nof mine.',
      'Another.',
      'Stored',
      '## Ideas',
    ])
  })
})

describe('a relation', () => {
  test.each([
    [`- knows:: [[people/Babbage|Babbage]] %% ${at} %%`, ['knows', 'people/Babbage', at]],
    ['- works at:: [[Acme]]', ['works at', 'Acme', undefined]],
    ['- "a:: \\"b\\"":: [[Acme]]', ['a:: "b"', 'Acme', undefined]],
  ])('%s is read', (line, [relationType, target, createdAt]) => {
    expect(linksOf(line)).toEqual([
      { line: front.length + 4, target, relationType, isRelative: false, createdAt },
    ])
  })

  test.each(['- just words', '- knows:: Babbage', '- "\\q":: [[Acme]]', '- "a\tb":: [[Acme]]'])(
    '%j that somebody broke is an observation',
    (line) => {
      const { links, observations } = own('', '## Relations', '', line)
      expect(links).toEqual([])
      expect(observations).toEqual([{ content: line.slice(2) }])
    },
  )

  test('appears only below the heading of relations', () => {
    expect(own('', '## Observations', '', '- knows:: [[Babbage]]').links).toEqual([])
  })
})
