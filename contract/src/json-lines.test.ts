import { describe, expect, test } from 'vitest'
import { JsonLine, ObservationLine } from './json-lines.ts'
import { Metadata, metadataBytesMax, metadataDepthMax } from './metadata.ts'

const accepts = (value: unknown) => Metadata.safeParse(value).success

describe('metadata', () => {
  const nested = (depth: number, innermost: unknown) =>
    Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), innermost)

  test.each([
    ['an empty object', {}, true],
    ['null', null, false],
    ['a list', [], false],
    ['a text', '{}', false],
    ['nothing', undefined, false],
    ['null inside', { a: null }, true],
    ['a NUL in a value', { a: ['\u0000'] }, false],
    ['a NUL in a name', { b: { 'a\u0000': 1 } }, false],
    ['half a character', { a: { b: '\ud800' } }, false],
    ['as deep as may be', nested(metadataDepthMax, 1), true],
    ['one level deeper', nested(metadataDepthMax + 1, 1), false],
    ['lists one level too deep', { a: nested(metadataDepthMax, [1]) }, false],
  ])('that is %s is accepted: %s', (_title, value, expected) => {
    expect(accepts(value)).toBe(expected)
  })

  test('is measured in bytes of JSON, at the limit and one over', () => {
    const room = metadataBytesMax - '{"a":""}'.length
    expect(accepts({ a: 'x'.repeat(room) })).toBe(true)
    expect(accepts({ a: 'x'.repeat(room + 1) })).toBe(false)
    expect(accepts({ a: 'ä'.repeat(room / 2) })).toBe(true)
    expect(accepts({ a: 'ä'.repeat(room / 2 + 1) })).toBe(false)
    expect(accepts({ a: '"'.repeat(room / 2 + 1) })).toBe(false)
  })

  test('keeps names that mean something to JavaScript, and touches no prototype', () => {
    const value = JSON.parse('{"constructor": 1, "toString": {"a": 2}, "": 3}')
    expect(Metadata.parse(value)).toEqual(value)
    Metadata.safeParse(JSON.parse('{"__proto__": {"isAdmin": true}}'))
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  })
})

describe('a line of a memory file', () => {
  const entity = { type: 'entity', name: 'Ada' }

  test.each<[string, object, object]>([
    [
      'of the reference server',
      { ...entity, entityType: 'person' },
      { entityType: 'person', observations: [] },
    ],
    ['without a type', entity, { entityType: 'unknown' }],
    ['with a blank type', { ...entity, entityType: '  ' }, { entityType: 'unknown' }],
    ['with our id', { ...entity, id: 'ent_3rj0' }, { id: 'ent_3rj0' }],
    ['with an id of another program', { ...entity, id: '17' }, { id: undefined }],
    ['with an id in capitals', { ...entity, id: 'ent_3RJ0' }, { id: undefined }],
    [
      'with a moment in another zone',
      { ...entity, createdAt: '2026-01-01T02:00:00+02:00' },
      { createdAt: Date.UTC(2026, 0, 1) },
    ],
    ['with no moment', { ...entity, createdAt: 'May' }, { createdAt: undefined }],
    ['with bad aliases', { ...entity, aliases: [''] }, { aliases: undefined }],
  ])('%s is read', (_title, line, read) => {
    expect(JsonLine.parse(line)).toMatchObject(read)
  })

  test.each([
    ['nothing', null],
    ['a list', []],
    ['another type', { type: 'thing', name: 'Ada' }],
    ['no type', { name: 'Ada' }],
    ['no name', { type: 'entity' }],
    ['a blank name', { ...entity, name: ' ' }],
    ['a type that is no text', { ...entity, entityType: 7 }],
    ['observations that are no list', { ...entity, observations: 'a' }],
    ['metadata that is no object', { ...entity, metadata: [] }],
    ['a relation without a target', { type: 'relation', from: 'Ada', relationType: 'knows' }],
    ['a relation without a type', { type: 'relation', from: 'Ada', to: 'Bob' }],
  ])('with %s is refused', (_title, line) => {
    expect(JsonLine.safeParse(line).success).toBe(false)
  })

  test('of a later version keeps its number, and a bad next number is ignored', () => {
    expect(JsonLine.parse({ type: 'loci', version: 9, nextNumber: 0 })).toEqual({ type: 'loci', version: 9 })
    expect(JsonLine.parse({ type: 'loci', version: 1, nextNumber: 7 })).toMatchObject({ nextNumber: 7 })
  })

  test.each([
    ['a', { content: 'a' }],
    [
      { content: 'a', id: 'obs_1', createdAt: 'x' },
      { content: 'a', id: 'obs_1' },
    ],
    [{ content: 'a', id: 'ent_1' }, { content: 'a' }],
  ])('holds the observation %j', (value, read) => {
    expect(ObservationLine.parse(value)).toEqual(read)
  })

  test.each(['', 7, null, {}, { content: '' }, { content: 'a', metadata: 7 }])(
    'holds no observation %j',
    (value) => {
      expect(ObservationLine.safeParse(value).success).toBe(false)
    },
  )
})
