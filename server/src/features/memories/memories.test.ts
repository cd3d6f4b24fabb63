import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

type Entity = { name: string; entityType: string; observations: string[] }
type Relation = { from: string; to: string; relationType: string }
type Graph = { entities: Entity[]; relations: Relation[]; notice?: string }

const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

/** Connects a new account's tools. */
async function connect(server: TestServer) {
  const client = await connectOverHttp(server, (await server.signUp()).apiKey, 'auto')
  open.push(client)
  // The client validates results against the schemas of the tools that it has listed.
  await client.listTools()
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args })
  return {
    call,
    /** Returns the structured content; fails if the tool refuses. */
    async get<T = Graph>(name: string, args: Record<string, unknown> = {}): Promise<T> {
      const result = await call(name, args)
      expect(result.isError, textOf(result)).toBeFalsy()
      return result.structuredContent as T
    },
  }
}

const textOf = (result: CallToolResult) =>
  result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
const thing = (name: string, ...observations: string[]): Entity => ({
  name,
  entityType: 'thing',
  observations,
})
const codeOf = (result: CallToolResult) => (result._meta?.['dev.loci/error'] as { code?: string })?.code

describeOnBothDatabases('the memory that agents write', (server) => {
  test('a cursor to a missing entity is refused instead of starting over', async () => {
    const { call } = await connect(server())
    expect(codeOf(await call('read_graph', { after: 'Gone' }))).toBe('entity_not_found')
  })

  test('an entity is renamed and redescribed, and keeps its observations and relations', async () => {
    const { call, get } = await connect(server())
    await get('create_entities', { entities: [thing('Ada', 'One'), thing('Bob')] })
    const knows = { from: 'Ada', to: 'Bob', relationType: 'knows' }
    await get('create_relations', { relations: [knows] })
    await get('update_entity', { name: 'Ada', metadata: { born: 1815, died: 1852 } })
    const change = { name: 'Ada', newName: 'Ada Lovelace', entityType: 'person', metadata: { died: null } }
    expect(await get('update_entity', change)).toMatchObject({
      name: 'Ada Lovelace',
      entityType: 'person',
      metadata: { born: 1815 },
    })
    expect(await get('open_nodes', { names: ['Ada Lovelace'] })).toEqual({
      entities: [{ name: 'Ada Lovelace', entityType: 'person', observations: ['One'] }],
      relations: [{ ...knows, from: 'Ada Lovelace' }],
    })
    expect(await get('update_entity', { name: 'Ada' })).toMatchObject({ name: 'Ada Lovelace' })
    expect(codeOf(await call('update_entity', { name: 'Adda' }))).toBe('entity_not_found')
    expect(codeOf(await call('update_entity', { name: 'Bob', newName: 'Ada Lovelace' }))).toBe(
      'entity_name_taken',
    )
  })

  test('a relation gets another type, unless one of that type exists', async () => {
    const { call, get } = await connect(server())
    await get('create_entities', { entities: [thing('Ada'), thing('Bob')] })
    const knows = { from: 'Ada', to: 'Bob', relationType: 'knows' }
    await get('create_relations', { relations: [knows, { ...knows, relationType: 'likes' }] })
    const renamed = { ...knows, newRelationType: 'admires' }
    expect(await get('update_relation', renamed)).toEqual({ ...knows, relationType: 'admires' })
    expect(codeOf(await call('update_relation', renamed))).toBe('relation_not_found')
    const taken = { ...knows, relationType: 'admires', newRelationType: 'likes' }
    expect(codeOf(await call('update_relation', taken))).toBe('relation_exists')
  })

  test('the surroundings of an entity and the path to another are found', async () => {
    const { call, get } = await connect(server())
    await get('create_entities', { entities: ['A', 'B', 'C', 'D'].map((name) => thing(name)) })
    const [ab, cb] = [
      { from: 'A', to: 'B', relationType: 'next' },
      { from: 'C', to: 'B', relationType: 'next' },
    ]
    await get('create_relations', { relations: [ab, cb] })
    const node = (name: string) => ({ name, entityType: 'thing', observationsCount: 0 })
    expect(await get('find_path', { from: 'A', to: 'C' })).toEqual({
      entities: [node('A'), node('B'), node('C')],
      relations: [ab, cb],
    })
    expect(await get('find_path', { from: 'C', to: 'A' })).toMatchObject({ relations: [cb, ab] })
    expect(await get('explore_entity', { name: 'A' })).toMatchObject({
      entity: { name: 'A' },
      entities: [node('B')],
      relations: [ab],
    })
    expect(codeOf(await call('find_path', { from: 'A', to: 'D' }))).toBe('path_not_found')
    expect(codeOf(await call('explore_entity', { name: 'Z' }))).toBe('entity_not_found')
  })
})
