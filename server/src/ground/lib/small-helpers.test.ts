import { describe, expect, test, vi } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { pagesById } from './all-pages.ts'
import { chunksOf, textChunksOf } from './chunks.ts'
import { encodeCursor } from './cursors.ts'
import { createActiveCallers } from './fair-queue.ts'
import { cspHash, html } from './html.ts'
import { readIds } from './id-lists.ts'
import { createIdMaker, firstIdAt, momentOfId } from './ids.ts'
import { joinBuffers, joinPieces } from './join-pieces.ts'
import { jsonSize, prefixOfSize, takeFitting } from './json-size.ts'
import { isLoopback } from './networks.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { compareCursors, mergePages } from './pages.ts'
import { toRankedPage } from './ranked-pages.ts'
import { retryUntilDone } from './retry-until-done.ts'
import { estimateTokens } from './tokens.ts'
import { cosineTo, toBytes, toUnit } from './vectors.ts'
import { withoutControls } from './without-controls.ts'

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

describe('chunks', () => {
  test.each([
    [0, 3, []],
    [2, 3, [2]],
    [3, 3, [3]],
    [7, 3, [3, 3, 1]],
  ])('of %d items by %d have the sizes %j', (count, size, sizes) => {
    const items = Array.from({ length: count }, (_, i) => i)
    const chunks = chunksOf(items, size)
    expect(chunks.map(({ length }) => length)).toEqual(sizes)
    expect(chunks.flat()).toEqual(items)
  })

  test('of texts end with the text that fills them', () => {
    const texts = ['aaaa', 'b', 'cccccccc', 'd', ''].map((content) => ({ content }))
    const chunks = [...textChunksOf(texts, 5)].map((chunk) => chunk.map(({ content }) => content))
    expect(chunks).toEqual([['aaaa', 'b'], ['cccccccc'], ['d', '']])
    expect([...textChunksOf([], 5)]).toEqual([])
  })
})

describe('markup', () => {
  test('escapes every value, and nothing twice', () => {
    const value = `<b a="1" c='2'>&`
    const { text } = html`<p>${value}${7}</p>`
    expect(text).toBe('<p>&#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;7</p>')
    expect(html`<div>${html`<p>${'<'}</p>`}${[html`<i></i>`, html`<u></u>`]}</div>`.text).toBe(
      '<div><p>&#60;</p><i></i><u></u></div>',
    )
    expect(html`${[]}`.text).toBe('')
  })

  test('has the hash that browsers compute', () => {
    expect(cspHash("alert('Hello, world.');")).toBe("'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='")
  })
})

describe('ids', () => {
  test.each([
    ['', []],
    ['0', [0]],
    ['7', [7]],
    ['1,22,333', [1, 22, 333]],
    ['4294967295', [4_294_967_295]],
  ])('%j is read as %j', (text, ids) => {
    expect([...readIds(text)]).toEqual(ids)
  })

  test('sort by time, also within one millisecond and with a clock set back', () => {
    let now = 1_700_000_000_000
    const make = createIdMaker(() => now)
    const made = Array.from({ length: 2_000 }, (_, i) => {
      if (i === 500) now += 1
      if (i === 1_000) now -= 5_000
      return make('key')
    })
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(2_000)
    expect(momentOfId(made[0]!)).toBe(1_700_000_000_000)
    expect(firstIdAt('key', 1_700_000_000_000) < made[0]!).toBe(true)
    expect(firstIdAt('key', 1_700_000_000_002) > made.at(-1)!).toBe(true)
  })
})

describe('pieces', () => {
  test('are joined until they are long enough, and nothing is lost', async () => {
    const pieces = ['ab', '', 'c', 'defgh', 'i']
    expect(await arrayOf(joinPieces(streamOf(pieces), 3))).toEqual(['abc', 'defgh', 'i'])
    const buffers = pieces.map((piece) => Buffer.from(piece))
    expect((await arrayOf(joinBuffers(streamOf(buffers), 3))).map(String)).toEqual(['abc', 'defgh', 'i'])
    expect(await arrayOf(joinPieces(streamOf([]), 3))).toEqual([])
    expect(await arrayOf(joinBuffers(streamOf([Buffer.alloc(0)]), 3))).toEqual([])
  })
})

describe('sizes in JSON', () => {
  test('count quotes, escapes and the comma', () => {
    expect([jsonSize('a'), jsonSize('"'), jsonSize('\n'), jsonSize({ a: 1 })]).toEqual([4, 5, 5, 8])
  })

  test.each([
    [0, []],
    [7, ['a']],
    [8, ['a', 'b']],
    [100, ['a', 'b', 'ccc']],
  ])('into a room of %d fit %j', (room, expected) => {
    const { taken, size } = takeFitting(['a', 'b', 'ccc'], room)
    expect(taken).toEqual(expected)
    expect(size).toBeLessThanOrEqual(room)
  })

  test('of a prefix are within the bound, and no character is cut in two', () => {
    const text = '🧠"\n\u0001äé'.repeat(40)
    for (let max = 0; max < 300; max += 7) {
      const prefix = prefixOfSize(text, max)
      expect(text.startsWith(prefix)).toBe(true)
      expect(prefix.isWellFormed()).toBe(true)
      if (prefix !== '') expect(jsonSize(prefix)).toBeLessThanOrEqual(max)
    }
    expect(prefixOfSize(text, jsonSize(text))).toBe(text)
    expect(prefixOfSize('short', 1_000)).toBe('short')
    expect(prefixOfSize('short', -5)).toBe('')
  })
})

describe('networks', () => {
  test('of this machine are told from names that only begin like it', () => {
    expect(['localhost', '127.0.0.1', '::1'].every(isLoopback)).toBe(true)
    expect(['127.evil.example', '127.0.0.1.example', '', 'localhost.', '10.0.0.1'].some(isLoopback)).toBe(
      false,
    )
  })
})

describe('work that runs one at a time', () => {
  test('never overlaps, and is done once more for all who asked meanwhile', async () => {
    let [running, most, runs] = [0, 0, 0]
    const ask = oneAtATime(async () => {
      most = Math.max(most, ++running)
      runs++
      await Promise.resolve()
      running--
    })
    await Promise.all([ask(), ask(), ask(), ask()])
    expect([most, runs]).toEqual([1, 2])
    await ask()
    expect(runs).toBe(3)
  })
})

describe('pages', () => {
  const row = (at: number, id: number) => ({ at, id })

  test('of several lists are merged, the newest first', async () => {
    const lists = [[row(9, 1), row(5, 4)], [row(9, 2), row(1, 3)], []]
    const sources = lists.map((list) => async () => list)
    expect(await mergePages(sources, 3, (item) => item)).toEqual([row(9, 2), row(9, 1), row(5, 4)])
    expect(await mergePages([async () => [row(1, 1)]], 3, (item) => item)).toEqual([row(1, 1)])
    expect(compareCursors(row(1, 9), row(2, 1))).toBeLessThan(0)
    expect(compareCursors(row(1, 9), row(1, 1))).toBeGreaterThan(0)
    expect(compareCursors(row(1, 1), row(1, 1))).toBe(0)
  })

  test.each([0, 1, 2, 3, 4, 5])('of %d rows hold each row once', async (count) => {
    const rows = Array.from({ length: count }, (_, i) => 10 * (i + 1))
    const list = vi.fn(async ({ after, limit }: { after: number; limit: number }) =>
      rows.filter((number) => number > after).slice(0, limit),
    )
    expect((await arrayOf(pagesById(2, list, (number) => number))).flat()).toEqual(rows)
    expect(list.mock.calls.length).toBe(Math.floor(count / 2) + 1)
  })

  test('of a ranking follow each other to its end', () => {
    const ranked = Array.from({ length: 7 }, (_, i) => i)
    const seen: number[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: { rows: number[]; nextCursor: string | null } = toRankedPage('list', ranked, {
        cursor,
        limit: 3,
      })
      seen.push(page.rows)
      cursor = page.nextCursor
    }
    expect(seen).toEqual([[0, 1, 2], [3, 4, 5], [6]])
    expect(
      toRankedPage('list', ranked, { cursor: encodeCursor('list', { at: 99, id: 0 }), limit: 3 }).rows,
    ).toEqual([])
    expect(toRankedPage('list', [], { limit: 3 })).toEqual({ rows: [], nextCursor: null })
  })
})

describe('persistence', () => {
  test('tries again about each second, and tells of the first failure only', async () => {
    const work = vi.fn<() => Promise<string>>()
    work
      .mockRejectedValueOnce(new Error('one'))
      .mockRejectedValueOnce(new Error('two'))
      .mockResolvedValue('done')
    const onError = vi.fn()
    const begun = performance.now()
    expect(await retryUntilDone(work, new AbortController().signal, onError)).toBe('done')
    expect(performance.now() - begun).toBeGreaterThan(900)
    expect(onError.mock.calls).toEqual([[new Error('one')]])
  })

  test('ends when it is stopped, without another attempt', async () => {
    const stop = new AbortController()
    const work = vi.fn(async () => {
      throw new Error('no')
    })
    const result = retryUntilDone(work, stop.signal, () => stop.abort())
    expect(await result).toBeUndefined()
    expect(work).toHaveBeenCalledOnce()
    expect(await retryUntilDone(work, AbortSignal.abort(), () => {})).toBeUndefined()
    expect(work).toHaveBeenCalledOnce()
  })
})

test('a caller has company for a second after another one has called', () => {
  let now = 10_000
  const { see, hasCompany } = createActiveCallers<string>(() => now)
  see('a')
  expect([hasCompany('a'), hasCompany('b')]).toEqual([false, true])
  now += 999
  see('b')
  expect([hasCompany('a'), hasCompany('b'), hasCompany('c')]).toEqual([true, true, true])
  now += 1
  expect([hasCompany('a'), hasCompany('b')]).toEqual([true, false])
  for (let i = 0; i < 5; i++) {
    now += 500
    see('b')
  }
  expect([hasCompany('b'), hasCompany('a')]).toEqual([false, true])
})

test.each([
  ['', 0],
  ['word', 1],
  ['words', 2],
  ['абвг', 2],
  ['記憶', 2],
])('%j is about %d tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

describe('vectors', () => {
  test.each([[[]], [[0, 0]], [[Number.NaN, 1]], [[Infinity, 1]], [[1e200, 1e200]]])(
    '%j has no direction',
    (values) => {
      expect(toUnit(values)).toBeUndefined()
    },
  )

  test('keep their direction when they are shortened and stored as bytes', () => {
    const unit = toUnit([3, -4, 0, 12])!
    expect(Math.hypot(...unit)).toBeCloseTo(1)
    const bytes = toBytes(unit)
    expect(bytes).toHaveLength(4)
    expect(cosineTo(bytes, unit)).toBeGreaterThan(0.9999)
    expect(cosineTo(toBytes(unit.map((value) => -value)), unit)).toBeLessThan(-0.9999)
    expect(cosineTo(toBytes(toUnit([0, 0, 1, 0])!), unit)).toBeCloseTo(0)
    expect(cosineTo(new Uint8Array(4), unit)).toBe(0)
  })
})

test.each([
  ['plain ä 🧠', 'plain ä 🧠'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['a\nb\u0000\u009b', 'a\\u000ab\\u0000\\u009b'],
  ['turned \u202eround, zero\u200bwidth \u{e0041}', 'turned \\u202eround, zero\\u200bwidth \\udb40\\udc41'],
  ['👩‍🚀 می‌خواهم', '👩‍🚀 می‌خواهم'],
])('%j is harmless on a terminal', (text, shown) => {
  expect(withoutControls(text)).toBe(shown)
  if (text.includes('\u001b')) expect(JSON.parse(`"${shown}"`)).toBe(text)
})
