import { expect, test } from 'vitest'
import { prefetchOne } from './prefetch-one.ts'

const events: string[] = []

async function* count(upTo: number, failAt = Number.NaN): AsyncGenerator<number, void> {
  try {
    for (let i = 1; i <= upTo; i++) {
      if (i === failAt) throw new Error('no more')
      events.push(`made ${i}`)
      yield i
    }
  } finally {
    events.push('closed')
  }
}

async function take(items: AsyncIterable<number>, most: number): Promise<void> {
  events.length = 0
  for await (const item of items) {
    await new Promise(setImmediate)
    events.push(`took ${item}`)
    if (item === most) return
  }
}

test('produces the next item while one is being processed', async () => {
  await take(prefetchOne(count(2)), 9)
  expect(events).toEqual(['made 1', 'made 2', 'took 1', 'closed', 'took 2'])
})

test('closes its source when nobody wants more', async () => {
  await take(prefetchOne(count(9)), 1)
  expect(events).toEqual(['made 1', 'made 2', 'took 1', 'closed'])
})

test('fails after the items that came before the failure', async () => {
  await expect(take(prefetchOne(count(9, 2)), 9)).rejects.toThrow('no more')
  expect(events).toEqual(['made 1', 'closed', 'took 1'])
})
