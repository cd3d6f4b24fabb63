import { describe, expect, test } from 'vitest'
import { metadataTerms, toObservationMetadataTerms } from './index-text.ts'

describe('metadata is found by', () => {
  test('its keys and values', () => {
    expect(metadataTerms({ severity: 'sev1', region: 'Frankfurt' })).toEqual([
      'sever',
      'sev1',
      'region',
      'frankfurt',
    ])
  })

  test('what is nested in it', () => {
    const metadata = { deploy: { target: [{ zone: 'europe' }, 'backup'] } }
    expect(metadataTerms(metadata)).toEqual(['deploy', 'target', 'zone', 'europ', 'backup'])
  })

  test('its numbers', () => {
    expect(metadataTerms({ port: 8080, load: 0.75 })).toEqual(['port', '8080', 'load', '0.75'])
  })

  test('the keys of true values, and not of false ones', () => {
    expect(metadataTerms({ archived: true, pinned: false })).toEqual(['archiv'])
  })

  test('the keys of empty values', () => {
    expect(metadataTerms({ owner: null, tags: [], note: '' })).toEqual(['owner', 'tag', 'note'])
  })

  test('each term once', () => {
    expect(metadataTerms({ city: 'Porto', birthplace: 'Porto' })).toEqual(['citi', 'porto', 'birthplac'])
  })
})

describe('metadata is not found by', () => {
  test('function words', () => {
    expect(metadataTerms({ note: 'it is in the garage' })).toEqual(['note', 'garag'])
  })

  test.each(['id', 'customer_id', 'customer-id', 'customerId'])('the key %s, but by its value', (key) => {
    expect(metadataTerms({ [key]: 'Porto' })).toEqual(['porto'])
  })

  test('parts of a code', () => {
    expect(metadataTerms({ code: 'D1:3' })).toEqual(['code', 'd13'])
    expect(metadataTerms({ code: 'D1:3 or so' })).toContain('3')
  })

  test('anything, if there is none', () => {
    expect(metadataTerms(undefined)).toEqual([])
    expect(metadataTerms({})).toEqual([])
  })
})

test('keys that end in these letters are words', () => {
  expect(metadataTerms({ android: 'phone', valid: 'yes', Grid: 'north' })).toEqual(
    expect.arrayContaining(['android', 'valid', 'grid']),
  )
})

describe('of long metadata', () => {
  const word = (i: number) => `w${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}xq`

  test('two hundred terms are indexed', () => {
    const words = Array.from({ length: 150 }, (_, i) => word(i))
    expect(metadataTerms({ words })).toHaveLength(151)
    expect(metadataTerms({ words: [...words, ...words.map((text) => `${text}z`)] })).toHaveLength(200)
    expect(metadataTerms({ words: Array.from({ length: 400 }, (_, i) => word(i)).join(' ') })).toHaveLength(
      200,
    )
  })

  test('four thousand characters are read, key included', () => {
    const within = { k: `${'the '.repeat(999)}end` }
    expect(metadataTerms(within)).toContain('end')
    expect(metadataTerms({ k: 'the '.repeat(999), later: 'end' })).not.toContain('end')
    expect(metadataTerms({ k: `garage ${'the '.repeat(999)}end` })).toEqual(['k', 'garag'])
    expect(metadataTerms({ k: 'garage'.repeat(999), later: 'end' })).toEqual(['k'])
  })
})

test("terms of an observation's metadata are marked, since they are not words of the text", () => {
  expect(toObservationMetadataTerms({ source: 'letter' })).toEqual(['=sourc', '=letter'])
  expect(toObservationMetadataTerms(undefined)).toEqual([])
})
