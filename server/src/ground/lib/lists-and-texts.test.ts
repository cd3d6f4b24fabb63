import { describe, expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { chunksOf, textChunksOf } from './chunks.ts'
import { createActiveCallers } from './fair-queue.ts'
import { cspHash, html } from './html.ts'
import { readIds } from './id-lists.ts'
import { joinBuffers, joinPieces } from './join-pieces.ts'
import { jsonSize, prefixOfSize, takeFitting } from './json-size.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { compareCursors, mergePages } from './pages.ts'
import { pagesById } from './pages-by-id.ts'
import { toRankedPage } from './ranked-pages.ts'
import { estimateTokens } from './tokens.ts'
import { cosineTo, toBytes, toUnit } from './vectors.ts'
import { withoutControls } from './without-controls.ts'

describe('chunks', () => {
  test.each([
    [[], 2, []],
    [[1, 2, 3], 2, [[1, 2], [3]]],
    [[1, 2], 2, [[1, 2]]],
    [[1, 2], 9, [[1, 2]]],
  ])('of %j by %i are %j', (items, size, chunks) => {
    expect(chunksOf(items, size)).toEqual(chunks)
  })

  test('of texts end with the one that fills them', () => {
    const texts = ['aaa', 'bb', 'c', 'dddddd', 'e'].map((content) => ({ content }))
    const chunks = [...textChunksOf(texts, 5)].map((chunk) => chunk.map(({ content }) => content).join(' '))
    expect(chunks).toEqual(['aaa bb', 'c dddddd', 'e'])
  })
})

describe('joined pieces', () => {
  const joined = async (pieces: string[], length: number) => {
    async function* texts() {
      yield* pieces
    }
    async function* buffers() {
      for (const piece of pieces) yield Buffer.from(piece)
    }
    const asText = await arrayOf(joinPieces(texts(), length))
    const asBytes = (await arrayOf(joinBuffers(buffers(), length))).map(String)
    expect(asBytes).toEqual(asText)
    return asText
  }

  test('are as long as requested, except the last', async () => {
    expect(await joined(['a', 'b', 'cd', 'e'], 2)).toEqual(['ab', 'cd', 'e'])
    expect(await joined(['abc'], 2)).toEqual(['abc'])
    expect(await joined(['', ''], 2)).toEqual([])
  })
})

test.each([
  ['', []],
  ['0', [0]],
  ['7,12,4294967295', [7, 12, 4_294_967_295]],
])('the numbers in %j are %j', (text, ids) => {
  expect([...readIds(text)]).toEqual(ids)
})

describe('sizes as JSON', () => {
  test('count the comma, and what JSON escapes', () => {
    expect(jsonSize('a')).toBe(4)
    expect(jsonSize('"\n')).toBe(7)
  })

  test('say how many items fit', () => {
    expect(takeFitting(['a', 'bb', 'c'], 9)).toEqual({ taken: ['a', 'bb'], size: 9 })
    expect(takeFitting(['a', 'bb', 'c'], 8)).toEqual({ taken: ['a'], size: 4 })
  })

  test.each(['plain text', '"""""""""""', '\n\u0001\n\u0001\n', '😀😀😀😀😀', 'ab😀cd😀'])(
    'a prefix of %j fits and is no shorter than it must be',
    (text) => {
      for (let max = 3; max < 60; max += 1) {
        const prefix = prefixOfSize(text, max)
        expect(text.startsWith(prefix)).toBe(true)
        expect(prefix.isWellFormed()).toBe(true)
        expect(prefix === '' || jsonSize(prefix) <= max).toBe(true)
      }
      expect(prefixOfSize(text, jsonSize(text))).toBe(text)
      expect(prefixOfSize(text, 0)).toBe('')
    },
  )
})

describe('work that runs one at a time', () => {
  test('runs once more for all requests made meanwhile', async () => {
    const ends: (() => void)[] = []
    let running = 0
    const ask = oneAtATime(async () => {
      running += 1
      expect(running).toBe(1)
      await new Promise<void>((resolve) => ends.push(resolve))
      running -= 1
    })
    const all = [ask(), ask(), ask()]
    ends[0]!()
    await new Promise(setImmediate)
    expect(ends).toHaveLength(2)
    ends[1]!()
    await Promise.all(all)
    expect(ends).toHaveLength(2)
    void ask()
    expect(ends).toHaveLength(3)
  })
})

describe('pages', () => {
  test('of several lists are merged newest first', async () => {
    const [a, b] = [
      [9, 5, 1],
      [8, 6],
    ].map((list) => async () => list.map((at) => ({ at, id: 0 })))
    expect((await mergePages([a!, b!], 4, (row) => row)).map(({ at }) => at)).toEqual([9, 8, 6, 5])
  })

  test('are ordered by time, then by number', () => {
    expect(compareCursors({ at: 1, id: 9 }, { at: 2, id: 1 })).toBeLessThan(0)
    expect(compareCursors({ at: 1, id: 9 }, { at: 1, id: 1 })).toBeGreaterThan(0)
  })

  test.each([[0], [1], [3], [4], [7]])('by number hold each of %i rows once', async (count) => {
    const rows = Array.from({ length: count }, (_, index) => index + 10)
    const list = async ({ after, limit }: { after: number; limit: number }) =>
      rows.filter((row) => row > after).slice(0, limit)
    const pages = await arrayOf(pagesById(3, list, (row) => row))
    expect(pages.flat()).toEqual(rows)
    expect(pages.every((page) => page.length > 0)).toBe(true)
  })

  test('of a ranked list continue where the last ended', () => {
    const ranked = ['a', 'b', 'c', 'd', 'e']
    const first = toRankedPage('list', ranked, { limit: 2 })
    const second = toRankedPage('list', ranked, { limit: 2, cursor: first.nextCursor! })
    const third = toRankedPage('list', ranked, { limit: 2, cursor: second.nextCursor! })
    expect([first, second, third].map(({ rows }) => rows.join(''))).toEqual(['ab', 'cd', 'e'])
    expect(third.nextCursor).toBeNull()
    expect(toRankedPage('list', ranked, { limit: 5 }).nextCursor).toBeNull()
  })
})

describe('presence', () => {
  test('of another caller lasts for a second after its call', () => {
    let now = 0
    const { see, hasCompany } = createActiveCallers<string>(() => now)
    see('a')
    expect(hasCompany('a')).toBe(false)
    expect(hasCompany('b')).toBe(true)
    see('b')
    expect(hasCompany('b')).toBe(true)
    now = 999
    see('b')
    expect(hasCompany('b')).toBe(true)
    now = 1_000
    expect(hasCompany('b')).toBe(false)
    expect(hasCompany('a')).toBe(true)
  })
})

test.each([
  ['', 0],
  ['a', 1],
  ['four', 1],
  ['fives', 2],
  ['при', 2],
  ['日本', 2],
  ['😀', 2],
])('%j is about %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

describe('vectors', () => {
  test('have length 1 once scaled, and no direction if they are zero or not finite', () => {
    expect([...toUnit([3, 4])!].map((value) => value.toFixed(2))).toEqual(['0.60', '0.80'])
    for (const values of [[0, 0], [], [Number.NaN], [Number.POSITIVE_INFINITY]]) {
      expect(toUnit(values)).toBeUndefined()
    }
  })

  test.each([
    [[1, 0], [1, 0], 1],
    [[1, 0], [0, 1], 0],
    [[1, 0], [-1, 0], -1],
    [[1, 1], [1, 0], Math.SQRT1_2],
  ])('as bytes keep the angle between %j and %j', (one, other, cosine) => {
    expect(cosineTo(toBytes(toUnit(one)!), toUnit(other)!)).toBeCloseTo(cosine, 2)
  })

  test('of zeros are near nothing', () => {
    expect(cosineTo(new Uint8Array(2), toUnit([1, 0])!)).toBe(0)
  })
})

describe('markup', () => {
  test('escapes each value, and only once', () => {
    const inner = html`<b>${'<script>"\'&'}</b>`
    expect(inner.text).toBe('<b>&#60;script&#62;&#34;&#39;&#38;</b>')
    expect(html`<p title="${'" onclick="x'}">${inner}${[inner, inner]}${5}</p>`.text).toBe(
      `<p title="&#34; onclick=&#34;x">${inner.text.repeat(3)}5</p>`,
    )
  })

  test('is allowed by the hash of its text', () => {
    expect(cspHash('')).toBe("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='")
  })
})

test.each([
  ['a\u001b[2J\n', 'a\\u001b[2J\\u000a'],
  ['\u009b', '\\u009b'],
  ['größe 😀', 'größe 😀'],
])('%j is printed as %j', (text, printed) => {
  expect(withoutControls(text)).toBe(printed)
})
