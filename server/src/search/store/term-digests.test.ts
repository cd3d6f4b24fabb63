import { describe, expect, test } from 'vitest'
import { digestOf, TermDigests } from './term-digests.ts'

describe('digests of terms', () => {
  test('depend on the terms, not on their order', () => {
    expect(digestOf('tea green naïve')).toBe(digestOf('naïve tea green'))
  })

  test('differ if a term is missing, added, repeated or written differently', () => {
    const others = ['tea', 'tea green cup', 'tea green green', 'tea greene', 'teagreen', 'te agreen', '']
    const digests = ['tea green', ...others].map(digestOf)
    expect(new Set(digests).size).toBe(others.length + 1)
  })

  test('are those of the terms that the index names for each id', () => {
    const digests = new TermDigests()
    digests.add('2s_cup 2s_tea 2s_tea', '12,7,12,7', '2s_'.length)
    digests.add('2s_грин', '7,12', '2s_'.length)
    digests.add('', '', '2s_'.length)
    expect([12, 7, 8, 70_000].map((id) => digests.of(id))).toEqual([
      digestOf('tea cup'),
      digestOf('грин tea'),
      digestOf(''),
      digestOf(''),
    ])
  })
})
