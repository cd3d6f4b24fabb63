import { describe, expect, test } from 'vitest'
import { linesOfExport, readExport } from '../../../../test/source-files.ts'

const memory = (more: object = {}) => ({ id: 'm1', memory: 'Likes tea', user_id: 'ada', ...more })
const linesOf = (results: object[], relations?: object[]) =>
  linesOfExport({ 'memories.json': { results, ...(relations && { relations }) } })

describe('memories of mem0', () => {
  test('become observations of the entity they are about, named once', async () => {
    const metadata = { mood: 'calm', empty: null }
    const lines = await linesOf([
      memory({ created_at: '2024-05-01T10:00:00Z', metadata, categories: ['drinks'] }),
      memory({ id: 'm2', memory: 'Dislikes coffee' }),
    ])
    expect(lines).toEqual([
      {
        type: 'entity',
        name: 'ada',
        entityType: 'person',
        metadata: { source: 'mem0' },
        observations: [],
        file: 'memories.json',
        item: 1,
      },
      {
        type: 'observations',
        entity: 'ada',
        observations: [
          {
            content: 'Likes tea',
            createdAt: '2024-05-01T10:00:00.000Z',
            metadata: { mood: 'calm', categories: ['drinks'] },
          },
        ],
        file: 'memories.json',
        item: 1,
      },
      {
        type: 'observations',
        entity: 'ada',
        observations: [{ content: 'Dislikes coffee' }],
        file: 'memories.json',
        item: 2,
      },
    ])
  })

  test.each([
    [{ user_id: 'ada', agent_id: 'bot' }, ['ada', 'person']],
    [{ user_id: null, agent_id: 'bot', run_id: '7' }, ['bot', 'agent']],
    [{ user_id: '', app_id: 'notes' }, ['notes', 'app']],
    [{ user_id: undefined, run_id: '7' }, ['7', 'run']],
    [{ user_id: undefined }, ['mem0 memories', 'memories']],
  ])('of %j belong to %j', async (owner, [name, type]) => {
    const [entity] = await linesOf([memory(owner)])
    expect([entity!.name, entity!.entityType]).toEqual([name, type])
  })

  test('without a text are a problem with its position', async () => {
    expect(await linesOf([memory(), memory({ memory: ' ' })])).toContainEqual({
      type: 'problem',
      message: 'The memory has no text',
      file: 'memories.json',
      item: 2,
    })
  })

  test('drop metadata that cannot be stored, and say so', async () => {
    const lines = await linesOf([memory({ metadata: { text: 'a\u0000' } })])
    expect(lines.at(-1)).toMatchObject({
      type: 'problem',
      message: expect.stringContaining('Its metadata was left out'),
    })
    expect(lines.at(-2)?.observations).toEqual([{ content: 'Likes tea' }])
  })

  test.each([
    ['a plain list', [memory()]],
    ['a list below results', { results: [memory()] }],
    ['a list below memories', { memories: [memory()] }],
  ])('are recognised in %s', async (_, content) => {
    const read = await readExport({ 'x.json': content })
    expect(read?.format).toBe('mem0')
    expect(read?.lines).toHaveLength(2)
  })

  test('are not recognised without anything else that mem0 writes', async () => {
    expect(await readExport({ 'x.json': [{ memory: 'Likes tea' }] })).toBeUndefined()
  })
})

describe('relations of mem0', () => {
  test.each([
    { source: 'ada', relationship: 'knows', target: 'charles' },
    { source: 'ada', relation: 'knows', destination: 'charles' },
  ])('%j join two concepts', async (relation) => {
    expect(await linesOfExport({ 'x.json': { relations: [relation] } })).toMatchObject([
      { type: 'entity', name: 'ada', entityType: 'concept' },
      { type: 'entity', name: 'charles', entityType: 'concept' },
      { type: 'relation', from: 'ada', to: 'charles', relationType: 'knows' },
    ])
  })

  test('keep the type of an end that an earlier memory named', async () => {
    const lines = await linesOf([memory()], [{ source: 'ada', relationship: 'drinks', target: 'tea' }])
    const entities = lines.filter(({ type }) => type === 'entity')
    expect(entities.map(({ name, entityType }) => `${name} ${entityType}`)).toEqual([
      'ada person',
      'tea concept',
    ])
  })

  test('without an end are a problem', async () => {
    const lines = await linesOf([memory()], [{ source: 'ada', relationship: 'knows' }])
    expect(lines.at(-1)).toMatchObject({ type: 'problem', message: 'The relation lacks an end', item: 1 })
  })
})
