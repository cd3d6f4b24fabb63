import { describe, expect, test } from 'vitest'
import { linesOfExport, readExport } from '../../../../test/source-files.ts'

const node = (uuid: string, more: object = {}) => ({
  uuid,
  name: uuid.toUpperCase(),
  labels: ['Entity'],
  ...more,
})
const edge = (more: object = {}) => ({
  uuid: 'e1',
  name: 'WORKS_AT',
  fact: 'A works at B',
  source_node_uuid: 'a',
  target_node_uuid: 'b',
  ...more,
})
const linesOf = (nodes: object[], edges: object[] = []) => linesOfExport({ 'graph.json': { nodes, edges } })

describe('a node', () => {
  test('is an entity with its summary as observation', async () => {
    const about = {
      name: 'Ada',
      labels: ['Entity', 'Person', 'Author'],
      summary: 'Wrote notes',
      attributes: { born: 1815, died: null },
      group_id: 'g1',
      created_at: '2024-05-01T10:00:00Z',
    }
    expect(await linesOf([node('a', about)])).toEqual([
      {
        type: 'entity',
        name: 'Ada',
        entityType: 'person',
        metadata: { born: 1815, source: 'graphiti', group: 'g1' },
        createdAt: '2024-05-01T10:00:00.000Z',
        observations: [{ content: 'Wrote notes', createdAt: '2024-05-01T10:00:00.000Z' }],
        file: 'graph.json',
        item: 1,
      },
    ])
  })

  test.each([
    [['Entity'], 'concept'],
    [['Node', 'Entity'], 'concept'],
    [[], 'concept'],
    [[7, 'City'], 'city'],
  ])('with the labels %j is a %s', async (labels, type) => {
    expect((await linesOf([node('a', { labels })]))[0]!.entityType).toBe(type)
  })

  test('without a name is a problem', async () => {
    expect(await linesOf([node('a'), node('b', { name: ' ' })])).toContainEqual({
      type: 'problem',
      message: 'The node has no name',
      file: 'graph.json',
      item: 2,
    })
  })

  test('as the TypeScript client writes it is read too', async () => {
    const nodes = [{ uuid: 'a', name: 'Ada', labels: [], createdAt: '2024-05-01T10:00:00Z', groupId: 'g1' }]
    expect(await linesOf(nodes)).toMatchObject([
      { name: 'Ada', createdAt: '2024-05-01T10:00:00.000Z', metadata: { group: 'g1' } },
    ])
  })
})

describe('an edge', () => {
  const nodes = [node('a'), node('b')]

  test('is a relation, and its fact an observation with the times when it was true', async () => {
    const times = { valid_at: '2020-01-01', invalid_at: '2021-01-01', expired_at: null }
    const lines = await linesOf(nodes, [edge({ created_at: '2024-05-01T10:00:00Z', ...times })])
    expect(lines.slice(2)).toMatchObject([
      {
        entity: 'A',
        observations: [
          {
            content: 'A works at B',
            createdAt: '2024-05-01T10:00:00.000Z',
            metadata: { about: 'B', validAt: '2020-01-01', invalidAt: '2021-01-01' },
          },
        ],
      },
      { type: 'relation', from: 'A', to: 'B', relationType: 'works_at' },
    ])
  })

  test('is read before its nodes, whatever the order of the lists', async () => {
    const lines = await linesOfExport({ 'graph.json': { edges: [edge()], nodes } })
    expect(lines.map(({ type }) => type)).toEqual(['entity', 'entity', 'observations', 'relation'])
  })

  test.each([
    [{ target_node_uuid: 'z' }, 'z'],
    [{ source_node_uuid: 'y', target_node_uuid: 'z' }, 'y'],
    [{ target_node_uuid: null }, ''],
  ])('with %j names the node that is missing', async (more, missing) => {
    const lines = await linesOf(nodes, [edge(more)])
    expect(lines.at(-1)).toMatchObject({
      type: 'problem',
      message: `The edge names the node ${missing}, which is not in the export`,
    })
  })

  test('from a node to itself only adds its fact', async () => {
    const lines = await linesOf(nodes, [edge({ target_node_uuid: 'a' })])
    expect(lines.slice(2)).toMatchObject([
      { entity: 'A', observations: [{ content: 'A works at B' }] },
      { message: 'The edge leads from a node to itself; only its fact was imported' },
    ])
  })

  test('without a fact or name is a relation of the default type', async () => {
    const lines = await linesOf(nodes, [edge({ fact: '', name: '' })])
    expect(lines.slice(2)).toMatchObject([{ type: 'relation', relationType: 'relates_to' }])
  })
})

describe('tables', () => {
  const nodesTable = (cells: string) => `uuid,name,labels,summary,attributes\n${cells}\n`

  test('of nodes and edges are read with lists and objects in their cells', async () => {
    const lines = await linesOfExport({
      'nodes.csv': nodesTable(`a,Ada,"['Entity', 'Person']",Wrote notes,"{""born"": 1815}"\nb,Acme,[],,`),
      'edges.csv': 'uuid,name,fact,source_node_uuid,target_node_uuid\ne,KNOWS,,a,b\n',
    })
    expect(lines).toMatchObject([
      { name: 'Ada', entityType: 'person', metadata: { born: 1815 }, file: 'nodes.csv', item: 1 },
      { name: 'Acme', entityType: 'concept', item: 2 },
      { type: 'relation', from: 'Ada', to: 'Acme', relationType: 'knows', file: 'edges.csv', item: 1 },
    ])
  })

  test('keep apostrophes in cells that are JSON', async () => {
    const attributes = `"{""motto"": ""it's brass""}"`
    const [line] = await linesOfExport({ 'nodes.csv': nodesTable(`a,Ada,[],,${attributes}`) })
    expect(line!.metadata).toMatchObject({ motto: "it's brass" })
  })

  test('may begin with a byte order mark and quoted names', async () => {
    const [line] = await linesOfExport({ 'n.csv': '\ufeff"uuid","name","summary"\r\na,Ada,Wrote\r\n' })
    expect(line).toMatchObject({ name: 'Ada', observations: [{ content: 'Wrote' }] })
  })

  test('of anything else are not recognised', async () => {
    expect(await readExport({ 'people.csv': 'id,name,mail\n1,Ada,ada@example.com\n' })).toBeUndefined()
  })
})

test('objects without the features of a node or an edge are not recognised', async () => {
  expect(await readExport({ 'x.json': [{ uuid: 'a', name: 'Ada' }] })).toBeUndefined()
})
