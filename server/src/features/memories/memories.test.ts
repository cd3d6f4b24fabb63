import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

/** What docs/mcp.md says that one answer holds at most, and a little for brackets. */
const answerCharactersMax = 105_000

type Entity = { name: string; entityType: string; observations: string[] }
type Relation = { from: string; to: string; relationType: string }
type Graph = { entities: Entity[]; relations: Relation[]; notice?: string }
type Changes = { changes: { number: number; subject: string; by: string; at: string }[]; more: boolean }

const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

/** The tools of a new account. */
async function connect(server: TestServer) {
  const client = await connectOverHttp(server, (await server.signUp()).apiKey, 'auto')
  open.push(client)
  // The client holds answers against the schemas of the tools that it has listed.
  await client.listTools()
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args })
  return {
    call,
    /** The structured answer; fails when the tool refuses. */
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
const longName = (i: number) => `${i} ${'n'.repeat(300)}`
const codeOf = (result: CallToolResult) => (result._meta?.['dev.loci/error'] as { code?: string })?.code

describeOnBothDatabases('the memory that agents write', (server) => {
  test('a large graph is read in parts that together hold everything once', async () => {
    const { call, get } = await connect(server())
    const names = Array.from({ length: 700 }, (_, i) => longName(i))
    await get('create_entities', { entities: names.map((name) => thing(name)) })
    const relations = names.slice(1).map((to, i) => ({ from: names[i] ?? '', to, relationType: 'before' }))
    await get('create_relations', { relations })

    const parts: Graph[] = []
    let next: Record<string, unknown> | undefined = {}
    while (next !== undefined) {
      const result = await call('read_graph', next)
      expect(textOf(result).length).toBeLessThan(answerCharactersMax)
      const graph = result.structuredContent as Graph
      expect(result.content.length).toBe(graph.notice === undefined ? 1 : 2)
      parts.push(graph)
      const goOn = /read_graph (\{.*?\})/.exec(graph.notice ?? '')?.[1]
      next = goOn === undefined ? undefined : JSON.parse(goOn)
    }
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.flatMap((part) => part.entities.map((entity) => entity.name))).toEqual(names)
    expect(parts.flatMap((part) => part.relations)).toEqual(relations)
    expect(parts[0]?.notice).toContain('of 700 (0 observations, 699 relations in all)')
  })

  test('to go on after an entity that is not there is refused, not begun anew', async () => {
    const { call } = await connect(server())
    expect(codeOf(await call('read_graph', { after: 'Gone' }))).toBe('entity_not_found')
  })

  test('an entity that is larger than an answer comes in part, and that is said', async () => {
    const { call, get } = await connect(server())
    const facts = ['a', 'b', 'c'].map((letter) => letter.repeat(60_000))
    await get('create_entities', { entities: [thing('Long', ...facts), thing('Short', 'One')] })
    for (const result of [await call('read_graph'), await call('open_nodes', { names: ['Long', 'Short'] })]) {
      const { entities, notice } = result.structuredContent as Graph
      expect(entities).toEqual([thing('Long', facts[0] ?? ''), thing('Short', 'One')])
      expect(notice).toContain('Only part of what is known about "Long"')
    }
  })

  test('an observation that is one endless word is stored like any other', async () => {
    const { get } = await connect(server())
    const endless = 'a'.repeat(65_536)
    await get('create_entities', { entities: [thing('Long', endless)] })
    expect((await get('open_nodes', { names: ['Long'] })).entities).toEqual([thing('Long', endless)])
  })

  test('an entity with thousands of relations is cut, and that is said', async () => {
    const { call, get } = await connect(server())
    const others = Array.from({ length: 900 }, (_, i) => longName(i))
    await get('create_entities', { entities: [thing('Hub'), ...others.map((name) => thing(name))] })
    const relations = others.map((to) => ({ from: 'Hub', to, relationType: 'has' }))
    await get('create_relations', { relations })
    const result = await call('open_nodes', { names: ['Hub'] })
    expect(textOf(result).length).toBeLessThan(answerCharactersMax)
    const graph = result.structuredContent as Graph
    expect(graph.relations).toEqual(relations.slice(0, graph.relations.length))
    expect(graph.notice).toContain('explore_entity')
  })

  test('changes of one moment are listed to the end, however many', async () => {
    const { call, get } = await connect(server())
    const names = Array.from({ length: 450 }, (_, i) => `thing ${i}`)
    await get('create_entities', { entities: names.map((name) => thing(name)) })
    const seen: string[] = []
    let page = await get<Changes>('list_changes', { since: '2020-01-01', limit: 200 })
    seen.push(...page.changes.map((change) => change.subject))
    while (page.more) {
      page = await get<Changes>('list_changes', { after: page.changes.at(-1)?.number, limit: 200 })
      seen.push(...page.changes.map((change) => change.subject))
    }
    expect(seen).toEqual(names.map((name) => `${name} (thing)`))
    expect(page.changes[0]).toMatchObject({ number: 401, by: 'test-agent' })
    expect(textOf(await call('list_changes', { limit: 1 }))).toMatch(/go on with list_changes \{"after": 1\}/)
    expect(textOf(await call('list_changes', { since: '2999-01-01' }))).toBe('Nothing changed.')
    server().clock.now += 1
    await get('create_entities', { entities: [thing('later'), thing('also later')] })
    const later = await get<Changes>('list_changes', { after: 450 })
    const since = await get<Changes>('list_changes', { since: later.changes[0]?.at })
    expect(since.changes.map(({ number }) => number)).toEqual([451, 452])
  })

  test('an entity is renamed and described anew, and keeps what belongs to it', async () => {
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
    expect(codeOf(await call('update_entity', { name: 'Ada' }))).toBe('entity_not_found')
    expect(codeOf(await call('update_entity', { name: 'Bob', newName: 'Ada Lovelace' }))).toBe(
      'entity_name_taken',
    )
  })

  test('a relation gets another type, unless there is one of that type already', async () => {
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
    expect(await get('explore_entity', { name: 'A' })).toMatchObject({
      entity: { name: 'A', metadata: {} },
      entities: [node('B')],
      relations: [ab],
      truncated: false,
    })
    expect(codeOf(await call('find_path', { from: 'A', to: 'D' }))).toBe('path_not_found')
    expect(codeOf(await call('explore_entity', { name: 'Z' }))).toBe('entity_not_found')
  })
})
