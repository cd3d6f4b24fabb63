import { expect, test } from 'vitest'
import { indexInThread, rankedPassagesOf } from './analyse-in-thread.ts'
import { indexText, rankedPassages } from './index-text.ts'

test('a thread analyses texts as this one does, and lists each word once', async () => {
  const texts = [
    { content: 'Ada met Grace on 2026-03-04. Ada wrote it down.' },
    { content: 'a long text '.repeat(2_000), metadata: { source: 'diary' } },
    { content: '' },
  ]
  const [one, two] = await Promise.all([indexInThread(texts), indexInThread([...texts].reverse())])
  expect(one).toEqual([...two].reverse())
  for (const [i, { content, metadata }] of texts.entries()) {
    const { passages, words } = indexText(content, metadata)
    expect(one[i]!.passages).toEqual(passages)
    const distinct = new Map(words.map(({ surface, term }) => [surface, term]))
    expect(new Map(one[i]!.words.map(({ surface, term }) => [surface, term]))).toEqual(distinct)
    expect(one[i]!.words).toHaveLength(distinct.size)
  }
})

test('a thread reads a long text for ranking as this one does', async () => {
  const text = {
    content: `${'Ada met Grace. '.repeat(800)}${'東京で会った。'.repeat(800)}`,
    metadata: { source: 'diary' },
  }
  expect(await rankedPassagesOf(text)).toEqual(rankedPassages(text.content, text.metadata))
})
