import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Embedder } from './embedder.ts'
import { QueryVectors } from './query-vectors.ts'

const vector = Float32Array.of(1, 0)
const waitMs = 20

/** An embedder whose answers the test gives. */
function asked() {
  const calls: {
    question: string
    resolve: (vectors: Float32Array[]) => void
    reject: (error: Error) => void
  }[] = []
  const embedder: Embedder = {
    identity: '',
    model: '',
    textsPerCall: 1,
    callsAtOnce: 1,
    close: async () => {},
    embed: ([question]) =>
      new Promise((resolve, reject) => calls.push({ question: question!, resolve, reject })),
  }
  return { calls, vectors: new QueryVectors(embedder, waitMs, () => 1_000) }
}

let passed = 0
beforeEach(() => {
  passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => passed)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the vector of a question', () => {
  test('is asked for once and kept', async () => {
    const { calls, vectors } = asked()
    const first = vectors.find('tea')
    const second = vectors.find('tea')
    calls[0]!.resolve([vector])
    expect([await first, await second, await vectors.find('tea')]).toEqual([vector, vector, vector])
    expect(calls.map(({ question }) => question)).toEqual(['tea'])
  })

  test('is none after a failure, which is told, and nothing is asked for a while', async () => {
    const { calls, vectors } = asked()
    const first = vectors.find('tea')
    calls[0]!.reject(new Error('down'))
    expect(await first).toBeUndefined()
    expect(vectors.failure).toEqual({ message: 'down', at: 1_000 })
    passed = 4_999
    expect(await vectors.find('coffee')).toBeUndefined()
    expect(calls).toHaveLength(1)
    passed = 5_000
    const later = vectors.find('coffee')
    calls[1]!.resolve([vector])
    expect(await later).toBe(vector)
    expect(vectors.failure).toBeUndefined()
  })

  test('is none when the embedder answers with nothing', async () => {
    const { calls, vectors } = asked()
    const first = vectors.find('tea')
    calls[0]!.resolve([])
    expect(await first).toBeUndefined()
    const again = vectors.find('tea')
    calls[1]!.resolve([vector])
    expect(await again).toBe(vector)
  })

  test('that comes too late serves the next search', async () => {
    const { calls, vectors } = asked()
    const first = vectors.find('tea')
    expect(await first).toBeUndefined()
    calls[0]!.resolve([vector])
    await Promise.resolve()
    expect(await vectors.find('tea')).toBe(vector)
    expect(calls).toHaveLength(1)
  })

  test('is no longer waited for after three slow answers, until one is quick again', async () => {
    const { calls, vectors } = asked()
    for (const question of ['a', 'b', 'c']) {
      const found = vectors.find(question)
      expect(await found).toBeUndefined()
    }
    expect(await vectors.find('d')).toBeUndefined()
    calls[3]!.resolve([vector])
    await Promise.resolve()
    const waited = vectors.find('e')
    calls[4]!.resolve([vector])
    expect(await waited).toBe(vector)
  })

  test('is asked for at most eight at once', async () => {
    const { calls, vectors } = asked()
    const found = Array.from({ length: 12 }, (_, i) => vectors.find(`question ${i}`))
    expect(calls).toHaveLength(8)
    for (const { resolve } of calls) resolve([vector])
    expect((await Promise.all(found)).filter((one) => one !== undefined)).toHaveLength(8)
  })

  test('of the questions asked last is kept, up to a thousand', async () => {
    const { calls, vectors } = asked()
    const find = async (question: string) => {
      const before = calls.length
      const found = vectors.find(question)
      if (calls.length > before) calls.at(-1)!.resolve([vector])
      await found
      return calls.length > before
    }
    for (let i = 0; i < 1_000; i++) await find(`question ${i}`)
    expect(await find('question 0')).toBe(false)
    expect(await find('one more')).toBe(true)
    expect(await find('question 0'), 'asked again lately').toBe(false)
    expect(await find('question 1'), 'the oldest').toBe(true)
  })
})
