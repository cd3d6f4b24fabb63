import { expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { toExpectedForm } from './lenient-arguments.ts'

const texts = { type: 'array', items: { type: 'string' } }
const things = {
  type: 'array',
  items: { type: 'object', properties: { names: texts, size: { type: 'integer' } }, required: ['names'] },
}
const thing = things.items

test.each([
  ['a number as text', '5', { type: 'integer' }, 5],
  ['a number with a fraction', ' -1.5 ', { type: 'number' }, -1.5],
  ['a number with a sign', '+1.50', { type: 'number' }, 1.5],
  ['a number with an exponent', '1e3', { type: 'integer' }, '1e3'],
  ['a number in another base', '0x10', { type: 'integer' }, '0x10'],
  ['a boolean for a number', true, { type: 'integer' }, true],
  ['words for a number', 'five', { type: 'integer' }, 'five'],
  ['an empty text for a number', '', { type: 'integer' }, ''],
  ['a boolean as text', ' False ', { type: 'boolean' }, false],
  ['a number for a boolean', 1, { type: 'boolean' }, 1],
  ['other words for a boolean', 'yes', { type: 'boolean' }, 'yes'],
  ['one text for a list', 'a', texts, ['a']],
  ['a list as JSON', '["a", "b"]', texts, ['a', 'b']],
  ['a text in brackets', '[1] see below', texts, ['[1] see below']],
  ['a text that is a list of numbers', '[1, 2]', texts, ['[1, 2]']],
  ['an empty text for a list', '', texts, ['']],
  ['an object as JSON for a list of texts', '{"a":1}', texts, ['{"a":1}']],
  ['null for a list', null, texts, null],
  ['one number for a list of texts', 5, texts, 5],
  ['one object for a list', { names: ['a'] }, things, [{ names: ['a'] }]],
  ['one object as JSON', '{"names": "a", "size": "3"}', things, [{ names: ['a'], size: 3 }]],
  ['objects as JSON', '[{"names": ["a"]}]', things, [{ names: ['a'] }]],
  ['texts for objects', '["a"]', things, '["a"]'],
  ['a text for objects', 'a', things, 'a'],
  ['an object as JSON', '{"names": ["a"], "size": "3"}', thing, { names: ['a'], size: 3 }],
  ['JSON that breaks off', '{"size":', thing, '{"size":'],
  ['a list for an object', [], thing, []],
  ['nothing', undefined, thing, undefined],
  ['null for what may be left out', [{ names: 'a', size: null }], things, [{ names: ['a'] }]],
  ['null for what may not', [{ names: null }], things, [{ names: null }]],
  ['keys that are not known', { names: 'a', toString: null }, things, [{ names: ['a'], toString: null }]],
  ['a text for a text', '["a"]', { type: 'string' }, '["a"]'],
])('%s: %j', (_, given, schema, expected) => {
  expect(toExpectedForm(given, schema)).toEqual(expected)
})

test('neither what the caller sent nor a prototype is changed', () => {
  const sent = { names: '["a"]', inner: JSON.parse('{"__proto__": {"isAdmin": true}}') }
  const before = structuredClone(sent)
  toExpectedForm(sent, { type: 'object', properties: { names: texts, inner: { type: 'object' } } })
  expect(sent).toEqual(before)
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
})

describeOnBothDatabases('arguments as models write them', (server) => {
  async function connect({ apiKey }: Person) {
    const client = await connectOverHttp(server(), apiKey, 'auto')
    return async (name: string, args: Record<string, unknown>) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
      return { isError, content, structured: structuredContent as Record<string, unknown> }
    }
  }

  test('are accepted by every tool, and mean the same', async () => {
    const call = await connect(await server().signUp())
    const ada = { name: 'Ada', entityType: 'person', observations: 'Likes trains' }
    const created = await call('create_entities', { entities: ada })
    expect(created.structured).toEqual({ entities: [{ ...ada, observations: ['Likes trains'] }] })
    await call('create_entities', { entities: JSON.stringify([{ ...ada, name: 'Bob' }]) })
    await call('add_observations', { observations: { entityName: 'Bob', contents: '["Swims", "Sings"]' } })
    await call('create_relations', { relations: { from: 'Ada', to: 'Bob', relationType: 'knows' } })
    expect((await call('open_nodes', { names: 'Bob' })).structured).toEqual({
      entities: [{ name: 'Bob', entityType: 'person', observations: ['Likes trains', 'Swims', 'Sings'] }],
      relations: [{ from: 'Ada', to: 'Bob', relationType: 'knows' }],
    })
    const recalled = await call('recall', {
      query: 'trains',
      limit: '5',
      types: 'person',
      expand: 'false',
      after: null,
    })
    expect(recalled.isError).toBeFalsy()
    expect((await call('explore_entity', { name: 'Ada', depth: '2' })).isError).toBeFalsy()
    expect(
      (await call('update_entity', { name: 'Ada', metadata: '{"born": 1815}' })).structured,
    ).toMatchObject({
      metadata: { born: 1815 },
    })
    expect((await call('delete_entities', { entityNames: 'Ada' })).structured).toMatchObject({
      success: true,
    })
  })

  test('have other names or no list around a single item, and mean the same', async () => {
    const call = await connect(await server().signUp())
    for (const [name, args] of [
      ['create_entities', { entities: [{ name: 'Ada', type: 'person', observations: ['Likes trains'] }] }],
      ['create_entities', { name: 'Bob', entity_type: 'person', observations: 'Swims' }],
      ['add_observations', { entityName: 'Bob', contents: ['Sings'] }],
      ['add_observations', { entityName: 'Bob', observations: ['Bakes'] }],
      ['add_observations', { observations: [{ name: 'Bob', content: 'Skis' }] }],
      ['add_observations', { observations: { entity: 'Bob', observations: '["Reads", "Rows"]' } }],
      ['create_relations', { source: 'Ada', target: 'Bob', type: 'knows' }],
      ['create_relations', { relations: [{ from: 'Bob', to: 'Ada', relation_type: 'knows' }] }],
      ['update_entity', { entityName: 'Ada', newName: 'Ada L.' }],
      ['explore_entity', { entityName: 'Ada L.' }],
      ['recall', { question: 'trains', max_tokens: 300 }],
      ['delete_observations', { deletions: [{ entityName: 'Ada', contents: ['Likes trains'] }] }],
    ] as const)
      expect(await call(name, args), JSON.stringify(args)).not.toHaveProperty('isError', true)
    expect((await call('open_nodes', { names: ['Ada L.', 'Bob'] })).structured).toMatchObject({
      entities: [
        { name: 'Ada L.', entityType: 'person', observations: [] },
        {
          name: 'Bob',
          entityType: 'person',
          observations: ['Swims', 'Sings', 'Bakes', 'Skis', 'Reads', 'Rows'],
        },
      ],
      relations: [
        { from: 'Ada L.', to: 'Bob', relationType: 'knows' },
        { from: 'Bob', to: 'Ada L.', relationType: 'knows' },
      ],
    })
    expect((await call('delete_entities', { names: ['Bob'] })).structured).toMatchObject({ success: true })
  })

  test('that a question or a fact does not have are named in the answer', async () => {
    const call = await connect(await server().signUp())
    const fact = { content: 'Likes trains', date: '2026-01-02', at: '2026' }
    const entities = [{ name: 'Ada', entityType: 'person', observations: [fact], author: 'me' }]
    const { content } = await call('create_entities', { entities })
    expect(JSON.stringify(content)).toMatch(/Ignored: \\"date\\"\. A fact can have content, .*\bat, until/)
    const { structured } = await call('recall', {
      query: 'trains',
      since: '2026-01-01',
      about: { folder: 'x' },
    })
    expect(structured.notice).toMatch(
      /Ignored: "since", "folder"\. recall takes query, limit, .*\bafter, before/,
    )
    expect(structured).toHaveProperty('facts')
    const explored = await call('explore_entity', { name: 'Ada', depth: 2, type: 'person' })
    expect(explored.structured.notice).toContain('Ignored: "type".')
    expect((await call('recall', { query: 'trains', max_tokens: 300 })).structured).not.toHaveProperty(
      'notice',
    )
    expect((await call('search_nodes', { query: 'trains', type: 'x' })).structured).not.toHaveProperty(
      'notice',
    )
  })

  test('that are misnamed are refused by tools that change something, and change nothing', async () => {
    const call = await connect(await server().signUp())
    const ada = { name: 'Ada', entityType: 'person', observations: ['Lives in Paris'] }
    await call('create_entities', { entities: [ada] })
    for (const [name, args] of [
      ['update_observation', { entityName: 'Ada', observation: 'Lives in Paris', content: 'Lives in Rome' }],
      ['update_entity', { name: 'Ada', type: 'dog', content: null }],
      ['update_entity', { name: 'Ada', newName: 'Eve', content: 'x' }],
      ['update_relation', { from: 'Ada', to: 'Ada', relationType: 'a', newRelationType: 'b', content: 'x' }],
      ['merge_entities', { names: ['Ada'], into: 'Ada', content: 'x' }],
      ['undo_changes', { number: 1, content: 'x' }],
    ] as const) {
      const { isError, content } = await call(name, args)
      expect([name, isError]).toEqual([name, true])
      expect(JSON.stringify(content)).toMatch(/Unrecognized key.*content/)
    }
    expect((await call('open_nodes', { names: ['Ada'] })).structured).toMatchObject({ entities: [ada] })
  })

  test('that make no sense are refused, and at most ten problems are listed', async () => {
    const call = await connect(await server().signUp())
    const entities = Array.from({ length: 500 }, () => ({ name: '', entityType: '', observations: [] }))
    const { isError, content } = await call('create_entities', { entities })
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toContain('(and 990 more)')
    expect(JSON.stringify(content).length).toBeLessThan(1_000)
  })
})
