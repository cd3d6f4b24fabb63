import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { ChangePassword, Email, NewPassword, Register } from './auth.ts'
import { toCommaList } from './comma-list.ts'
import { CreateEntity, ListEntitiesQuery, UpdateEntityType } from './entities.ts'
import { fixedColourOf } from './entity-types.ts'
import { CreateBatch, GraphDataQuery, GraphNotesQuery } from './graph.ts'
import { ExportQuery } from './imports.ts'
import { CreateApiKey, previewOfKey } from './keys.ts'
import { labelOfType, PageQuery } from './lists.ts'
import { MomentOrSeq } from './moments.ts'
import { CreateObservations, ObservationUpdates } from './observations.ts'
import { CreateRelation, UpdateRelation } from './relations.ts'
import { SearchBody, SearchObservationsBody, SearchQuery } from './search.ts'
import { BodyList, CommaList, isStorableText, MomentInput, nonBlankText, text } from './text.ts'
import { CreateView, UpdateView } from './views.ts'
import { CreateWebhook, UpdateWebhook } from './webhooks.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const brain = '🧠'
const lone = '\ud83d'
const nul = 'a\u0000b'

describe('a text', () => {
  test.each([
    ['empty', '', true],
    ['with line breaks and control characters', 'a\n\t\u0007b', true],
    ['outside the basic plane', brain, true],
    ['with a NUL', nul, false],
    ['with half a character', `a${lone}`, false],
    ['with the other half', '\ude00a', false],
  ])('%s can be stored: %j is %s', (_title, value, expected) => {
    expect(isStorableText(value)).toBe(expected)
  })

  const Name = nonBlankText(8, 'Name')
  test.each([
    ['a', true],
    ['12345678', true],
    ['123456789', false],
    [brain.repeat(8), true],
    [brain.repeat(9), false],
    ['', false],
    [' \t\n ', false],
    ['\u00a0\u3000', false],
    [' a ', true],
    [nul, false],
    [lone, false],
    [undefined, false],
    [null, false],
    [7, false],
    [['a'], false],
  ])('of up to 8 characters that is not blank: %j is %s', (value, expected) => {
    expect(accepts(Name, value)).toBe(expected)
  })

  test.each([
    [undefined, 'Label is required'],
    [null, 'Label is required'],
    ['', 'Label is required'],
    [7, 'Label must be text'],
    ['123456', 'Label must be at most 5 characters long'],
  ])('that is refused is named: %j', (value, message) => {
    expect(text(1, 5, 'Label').safeParse(value).error?.issues[0]?.message).toBe(message)
  })
})

describe('a moment', () => {
  test.each([
    '2026-11-23',
    '2024-02-29',
    '2026-11-23T10:00Z',
    '2026-11-23T10:00:00Z',
    '2026-11-23T10:00:00.123456Z',
    '2026-11-23T10:00:00+05:45',
    '2026-11-23T10:00-03:30',
    '2026-11-23T23:59:59-12:00',
  ])('can be given as %s', (value) => {
    expect(accepts(MomentInput, value)).toBe(true)
    expect(Number.isNaN(Date.parse(value))).toBe(false)
  })

  test.each([
    '',
    'yesterday',
    '23.11.2026',
    '2026-02-29',
    '2026-13-01',
    '2026-11-31',
    '2026-11-23T24:00:00Z',
    '2026-11-23T10:60:00Z',
    '2026-11-23T10:00:00',
    '2026-11-23T10:00:00+25:00',
    '2026-11-23 10:00:00Z',
    '1732356000',
    ' 2026-11-23',
    null,
    1_732_356_000,
  ])('cannot be given as %j', (value) => {
    expect(accepts(MomentInput, value)).toBe(false)
  })

  test.each([
    ['0', 0],
    ['17', 17],
    ['999999999999999', 999_999_999_999_999],
    ['2026-11-23', '2026-11-23'],
  ])('or number of a change: %j', (value, read) => {
    expect(MomentOrSeq.parse(value)).toBe(read)
  })

  test.each(['-1', '1.5', '1e3', '1234567890123456', ''])('or number of a change is not %j', (value) => {
    expect(accepts(MomentOrSeq, value)).toBe(false)
  })
})

describe('a number in an address', () => {
  const limitOf = (limit: string | undefined) => PageQuery.safeParse({ limit }).data?.limit

  test.each([
    [undefined, 100],
    ['1', 1],
    ['500', 500],
    ['007', 7],
    ['0', undefined],
    ['501', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e2', undefined],
    [' 5', undefined],
    ['', undefined],
    ['٣', undefined],
    ['9999999999', undefined],
  ])('from 1 to 500: %j is read as %s', (given, read) => {
    expect(limitOf(given)).toBe(read)
  })

  test.each([
    [{}, 2, 250],
    [{ depth: '5', limit: '5000' }, 5, 5_000],
  ])('of a graph has its default: %j', (given, depth, limit) => {
    expect(GraphDataQuery.parse(given)).toMatchObject({ depth, limit })
  })
})

describe('a list', () => {
  test.each([
    ['a,b', ['a', 'b']],
    [' a , b ', ['a', 'b']],
    [',,a,,', ['a']],
    ['', []],
    [',', []],
    ['a b,c', ['a b', 'c']],
    ['a\\, b, c', ['a, b', 'c']],
    ['C:\\dir', ['C:\\dir']],
    ['\\', ['\\']],
    ['a\\\\,b', ['a\\', 'b']],
  ])('in an address: %j is %j', (value, read) => {
    expect(CommaList.parse(value)).toEqual(read)
  })

  test('in an address keeps items that hold commas, backslashes and outer spaces', () => {
    const items = ['Person, alive', 'a\\', '\\,', 'b,,', 'C:\\\\x', ' old  type ', '\u3000x', ' ']
    expect(CommaList.parse(toCommaList(items))).toEqual(items)
  })

  test.each([nul, 'x'.repeat(4_097), 7])(
    'in an address is refused if it cannot be stored or is too long',
    (value) => {
      expect(accepts(CommaList, value)).toBe(false)
    },
  )

  test('in a body may be a list or text', () => {
    expect(BodyList.parse(['a, b', 'c'])).toEqual(['a, b', 'c'])
    expect(BodyList.parse('a, b')).toEqual(['a', 'b'])
    expect(accepts(BodyList, [''])).toBe(false)
    expect(accepts(BodyList, Array(501).fill('a'))).toBe(false)
    expect(accepts(BodyList, Array(500).fill('a'))).toBe(true)
  })

  test('of notes has at least one id and at most a hundred', () => {
    const idsOf = (count: number) => ({ ids: Array.from({ length: count }, (_, i) => `ent_${i}`).join() })
    expect([0, 1, 100, 101].map((count) => accepts(GraphNotesQuery, idsOf(count)))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('of ids to export drops what is empty and ends at 500', () => {
    expect(ExportQuery.parse({ ids: 'a,,b,' }).ids).toEqual(['a', 'b'])
    expect(ExportQuery.parse({}).ids).toBeUndefined()
    expect(accepts(ExportQuery, { ids: Array(501).fill('a').join() })).toBe(false)
  })
})

describe('a search', () => {
  test('means the same in an address and in a body', () => {
    const inAddress = { query: 'tea', types: 'person,place', limit: '5', expand: 'true', explain: '1' }
    const inBody = { query: 'tea', types: ['person', 'place'], limit: 5, expand: true, explain: true }
    expect(SearchBody.parse(inBody)).toEqual(SearchQuery.parse(inAddress))
    expect(SearchBody.parse(inAddress)).toEqual(SearchQuery.parse(inAddress))
    expect(SearchBody.parse({})).toEqual(SearchQuery.parse({}))
  })

  test.each([
    { limit: 0 },
    { limit: 501 },
    { limit: 1.5 },
    { limit: null },
    { expand: 'yes' },
    { types: 7 },
    { query: nul },
    { query: 'x'.repeat(10_001) },
    { after: 'May' },
  ])('is refused for %j', (change) => {
    expect(accepts(SearchBody, { query: 'tea', ...change })).toBe(false)
  })

  test('takes a long text, and context only for observations', () => {
    expect(accepts(SearchBody, { query: 'x'.repeat(10_000) })).toBe(true)
    expect(SearchObservationsBody.parse({ context: 0 }).context).toBe(0)
    expect(SearchObservationsBody.parse({}).context).toBe(1)
    expect(accepts(SearchObservationsBody, { context: 11 })).toBe(false)
  })
})

describe('an entity', () => {
  const entity = { name: 'Ada', type: 'person' }

  test.each([
    [{}, true],
    [{ name: 'x'.repeat(512) }, true],
    [{ name: 'x'.repeat(513) }, false],
    [{ type: 'x'.repeat(64) }, true],
    [{ type: 'x'.repeat(65) }, false],
    [{ name: ' ' }, false],
    [{ metadata: null }, false],
    [{ metadata: [] }, false],
    [{ observations: [] }, true],
    [{ observations: ['a', { content: 'b', metadata: { c: 1 } }] }, true],
    [{ observations: [''] }, false],
    [{ observations: [{ text: 'b' }] }, false],
    [{ observations: 'a' }, false],
    [{ observations: ['x'.repeat(65_536)] }, true],
    [{ observations: ['x'.repeat(65_537)] }, false],
    [{ observations: Array(1_000).fill('a') }, true],
    [{ observations: Array(1_001).fill('a') }, false],
  ])('is accepted at its limits and no further (%#)', (change, expected) => {
    expect(accepts(CreateEntity, { ...entity, ...change })).toBe(expected)
  })

  test('keeps its name as it was sent, and drops what is unknown', () => {
    expect(CreateEntity.parse({ name: ' Ada ', type: 'person', color: 'red' })).toEqual({
      name: ' Ada ',
      type: 'person',
    })
  })

  test('is listed in an order that exists', () => {
    expect(accepts(ListEntitiesQuery, { sort: 'name', order: 'desc' })).toBe(true)
    expect(accepts(ListEntitiesQuery, { sort: 'size' })).toBe(false)
    expect(accepts(ListEntitiesQuery, { order: 'DESC' })).toBe(false)
  })

  test.each([
    [{}, false],
    [{ type: 'a' }, true],
    [{ colour: 1 }, true],
    [{ colour: 32 }, true],
    [{ colour: 0 }, false],
    [{ colour: 33 }, false],
    [{ colour: 1.5 }, false],
  ])('type is changed by %j: %s', (change, expected) => {
    expect(accepts(UpdateEntityType, change)).toBe(expected)
  })

  test.each([
    ['Person', 2],
    ['observation', 16],
    ['robot', undefined],
    ['', undefined],
  ])('type %j has the colour %s', (type, colour) => {
    expect(fixedColourOf(type)).toBe(colour)
  })
})

describe('observations', () => {
  test.each([
    [{ content: 'a' }, true],
    [{ observations: ['a'] }, true],
    [{ observations: [] }, false],
    [{ content: '' }, false],
    [{}, false],
    [{ content: nul }, false],
    [['a'], false],
  ])('are added by %j: %s', (body, expected) => {
    expect(accepts(CreateObservations, body)).toBe(expected)
  })

  test('are replaced by texts, by objects, and by id', () => {
    const list = ['a', { content: 'b' }, { id: 'obs_1', content: 'c', metadata: {} }]
    expect(ObservationUpdates.parse(list)).toEqual(list)
    expect(accepts(ObservationUpdates, [{ id: '', content: 'c' }])).toBe(false)
    expect(accepts(ObservationUpdates, [{ id: 'obs_1' }])).toBe(false)
  })
})

describe('a relation', () => {
  const ends = { fromEntityId: 'ent_1', toEntityId: 'ent_2' }

  test('has its type under either name, or the same under both', () => {
    expect(CreateRelation.parse({ ...ends, relationType: 'uses' })).toEqual({ ...ends, type: 'uses' })
    expect(CreateRelation.parse({ ...ends, type: 'uses', relationType: 'uses' }).type).toBe('uses')
    expect(UpdateRelation.parse({ relationType: 'uses' })).toEqual({ type: 'uses' })
  })

  const ofTwoTypes = { type: 'owns', relationType: 'uses' }

  test.each([{}, { type: ' ' }, { type: 'x'.repeat(65) }, { type: 7 }, ofTwoTypes])(
    'is refused with %j',
    (change) => {
      expect(accepts(CreateRelation, { ...ends, ...change })).toBe(false)
      expect(accepts(UpdateRelation, change)).toBe(false)
      expect(accepts(CreateBatch, { relations: [{ from: 'Ada', to: 'Bob', ...change }] })).toBe(false)
    },
  )
})

describe('a batch', () => {
  const entity = { name: 'Ada', type: 'person' }

  test('may be empty, and names the ends of relations by name or by id', () => {
    expect(CreateBatch.parse({})).toEqual({ entities: [], relations: [] })
    const named = { from: 'Ada', to: 'Bob', type: 'knows' }
    expect(CreateBatch.parse({ relations: [named] }).relations).toEqual([named])
    const byId = { fromEntityId: 'ent_1', from: 'Ada', to: 'Bob', relationType: 'knows' }
    expect(CreateBatch.parse({ relations: [byId] }).relations).toEqual([
      { from: 'ent_1', to: 'Bob', type: 'knows' },
    ])
  })

  test('that lacks an end or a type says which', () => {
    const { error } = CreateBatch.safeParse({ relations: [{ from: 'Ada' }] })
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['relations.0.to', 'Target entity is required'],
      ['relations.0.type', 'Relation type is required'],
    ])
  })

  test('counts the observations of all its entities together', () => {
    const entities = (count: number) => [
      { ...entity, observations: Array(count).fill('a') },
      { ...entity, name: 'Bob', observations: Array(500).fill('a') },
    ]
    expect(accepts(CreateBatch, { entities: entities(500) })).toBe(true)
    expect(accepts(CreateBatch, { entities: entities(501) })).toBe(false)
  })

  test('takes a thousand things of each kind and no more', () => {
    expect(accepts(CreateBatch, { entities: Array(1_000).fill(entity) })).toBe(true)
    expect(accepts(CreateBatch, { entities: Array(1_001).fill(entity) })).toBe(false)
  })
})

describe('a person', () => {
  test.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['a+b@x.co', 'a+b@x.co'],
    ['JOSE\u0301@example.com', 'jos\u00e9@example.com'],
    ['用户@例子.公司', '用户@例子.公司'],
  ])('has one spelling of an address: %j', (given, kept) => {
    expect(Email.parse(given)).toBe(kept)
  })

  test.each(['', ' ', 'ada', 'ada@example', '@example.com', 'a b@example.com', 'a@b@c.de', `${nul}@x.de`])(
    'has no address %j',
    (value) => {
      expect(accepts(Email, value)).toBe(false)
    },
  )

  test.each([
    ['1234567', false],
    ['12345678', true],
    [' '.repeat(8), true],
    ['x'.repeat(1_024), true],
    ['x'.repeat(1_025), false],
    [`12345678${nul}`, false],
  ])('chooses a password of at least 8 characters (%#)', (value, expected) => {
    expect(accepts(NewPassword, value)).toBe(expected)
  })

  test('has names without spaces around them', () => {
    const register = { email: 'a@b.de', password: '12345678', firstName: ' Ada ', lastName: ' King ' }
    expect(Register.parse(register)).toMatchObject({ firstName: 'Ada', lastName: 'King' })
    expect(accepts(Register, { ...register, lastName: ' ' })).toBe(false)
  })

  test('keeps the personal key when changing the password, unless asked', () => {
    const change = { currentPassword: 'x', newPassword: '12345678' }
    expect(ChangePassword.parse(change).rollApiKey).toBe(false)
  })
})

describe('a key', () => {
  test.each([
    [{ name: 'agent' }, true],
    [{ name: ' ' }, false],
    [{ name: 'agent', permissions: ['memory:read'] }, true],
    [{ name: 'agent', permissions: ['account:delete'] }, false],
    [{ name: 'agent', spaces: [] }, false],
    [{ name: 'agent', spaces: null }, true],
    [{ name: 'agent', expiresAt: null }, true],
    [{ name: 'agent', expiresAt: 'soon' }, false],
  ])('is made from %j: %s', (body, expected) => {
    expect(accepts(CreateApiKey, body)).toBe(expected)
  })

  test('is shown by its ends only', () => {
    expect(previewOfKey('loci_abcdefghijklmnop')).toBe('loci_a…mnop')
    expect(previewOfKey('short')).toBe('short')
  })
})

describe('a webhook', () => {
  const url = 'https://example.com/hook'

  test.each([
    [{ url }, true],
    [{ url, events: [] }, false],
    [{ url, events: ['*'] }, true],
    [{ url, events: ['entity.created'] }, true],
    [{ url, events: ['entity.exploded'] }, false],
    [{ url, spaces: [] }, false],
    [{ url: '' }, false],
    [{ url: `${url}/${'x'.repeat(2_048)}` }, false],
  ])('is made from %j: %s', (body, expected) => {
    expect(accepts(CreateWebhook, body)).toBe(expected)
  })

  test('tells of everything unless it is asked to tell less, and can be changed in part', () => {
    expect(CreateWebhook.parse({ url })).toEqual({ url, events: ['*'], description: '' })
    expect(UpdateWebhook.parse({})).toEqual({})
    expect(UpdateWebhook.parse({ spaces: null, description: ' a ' })).toEqual({
      spaces: null,
      description: 'a',
    })
  })
})

describe('a view', () => {
  const view = { name: 'Mine', search: '' }

  test.each([
    [{}, true],
    [{ camera: { x: 0, y: 0, k: 1 } }, true],
    [{ camera: { x: 0, y: 0, k: 0 } }, false],
    [{ camera: { x: 1e8, y: 0, k: 1 } }, false],
    [{ camera: { x: 0, y: 0, k: Number.NaN } }, false],
    [{ pins: { ent_1: [1, 2] } }, true],
    [{ pins: { ent_1: [1] } }, false],
    [{ pins: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i, [0, 0]])) }, true],
    [{ pins: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [i, [0, 0]])) }, false],
  ])('holds a camera and pins within bounds (%#)', (change, expected) => {
    expect(accepts(CreateView, { ...view, ...change })).toBe(expected)
  })

  test('is changed by something', () => {
    expect(accepts(UpdateView, {})).toBe(false)
    expect(accepts(UpdateView, { search: '' })).toBe(true)
  })
})

test.each([
  ['depends_on', 'Depends on'],
  ['part-of', 'Part of'],
  ['USES', 'USES'],
  ['über_alles', 'Über alles'],
  ['🧠_x', '🧠 x'],
  ['', ''],
])('the type %j is labelled %j', (type, label) => {
  expect(labelOfType(type)).toBe(label)
})
