import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { talk } from '../../../test/talk.ts'
import { answerCharactersMax } from '../../features/memories/answer-size.ts'
import { insertSpace } from '../../features/spaces/spaces.repo.ts'
import { transact } from '../../store/transact.ts'
import { tools } from './tools/index.ts'

/** The longest names, types and texts that can be stored; quotation marks take two characters in JSON. */
const nameOf = (i: number) => `${i} `.padEnd(512, '"')
const type = '"'.repeat(64)
const text = '"'.repeat(65_536)
const thing = (i: number, ...observations: string[]) => ({ name: nameOf(i), entityType: type, observations })
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const spoke = (i: number) => ({ from: nameOf(0), to: nameOf(i), relationType: type })
const names = range(0, 1_000).map(nameOf)
const unknown = range(0, 1_000).map((i) => `x${nameOf(i)}`)
const metadata = Object.fromEntries(range(0, 30).map((i) => [`key ${i}`, 'm'.repeat(2_000)]))

/**
 * For each tool, the calls with the longest results, successful and refused; they run in this order on
 * one memory.
 */
const calls: [tool: string, args: Record<string, unknown>][] = [
  ['create_entities', { entities: range(0, 990).map((i) => thing(i, `Fact ${i}`)) }],
  ['create_entities', { entities: range(0, 1_000).map((i) => thing(i)) }],
  [
    'create_entities',
    { entities: [thing(2_000, ...range(0, 3).map((i) => `${i} ${text.slice(0, 60_000)}`))] },
  ],
  [
    'create_entities',
    { entities: range(0, 20).map(() => ({ name: text, entityType: text, observations: [''] })) },
  ],
  ['create_relations', { relations: range(1, 990).map(spoke) }],
  ['create_relations', { relations: range(1, 990).map(spoke) }],
  [
    'create_relations',
    { relations: unknown.map((to) => ({ from: nameOf(0), to: to.slice(0, 512), relationType: type })) },
  ],
  [
    'create_relations',
    { relations: range(0, 500).map((i) => ({ ...spoke(1), relationType: `${i}`.padEnd(64, '"') })) },
  ],
  [
    'add_observations',
    { observations: range(0, 980).map((i) => ({ entityName: nameOf(i), contents: [`More of ${i}`] })) },
  ],
  [
    'add_observations',
    {
      observations: [
        { entityName: nameOf(0), contents: range(0, 3).map((i) => `${i} ${text.slice(0, 60_000)}`) },
      ],
    },
  ],
  [
    'add_observations',
    { observations: unknown.map((name) => ({ entityName: name.slice(0, 512), contents: ['x'] })) },
  ],
  ['update_entity', { name: nameOf(0), metadata }],
  ['update_entity', { name: nameOf(0), newName: nameOf(1) }],
  ['update_entity', { name: text }],
  ['update_relation', { ...spoke(1), newRelationType: "'".repeat(64) }],
  ['update_relation', { ...spoke(2), relationType: text, newRelationType: 'x' }],
  ['update_relation', { ...spoke(2), relationType: type, newRelationType: text }],
  ['update_observation', { entityName: nameOf(1), observation: 'Fact 1', newObservation: text }],
  ['update_observation', { entityName: nameOf(1), observation: text, newObservation: 'x' }],
  ['update_observation', { entityName: text, observation: text, newObservation: 'x' }],
  ['undo_changes', { number: 1 }],
  ['undo_changes', { number: 1_000_000 }],
  ['read_graph', {}],
  ['read_graph', { after: nameOf(0) }],
  ['read_graph', { after: text }],
  ['search_nodes', { query: 'fact more', limit: 50 }],
  ['search_nodes', { query: '' }],
  ['search_nodes', { query: text }],
  ['open_nodes', { names }],
  ['open_nodes', { names: [nameOf(0), ...unknown] }],
  ['open_nodes', { names: range(1, 900).map(nameOf) }],
  ['recall', { query: 'fact more', limit: 100, maxTokens: 20_000 }],
  ['explore_entity', { name: nameOf(0), depth: 5, limit: 200 }],
  ['explore_entity', { name: nameOf(1), depth: 5, limit: 200 }],
  ['explore_entity', { name: nameOf(2_000) }],
  ['explore_entity', { name: text }],
  ['find_path', { from: nameOf(1), to: nameOf(2) }],
  ['find_path', { from: text, to: text }],
  ['find_path', { from: nameOf(1), to: nameOf(2_000) }],
  ['recall', { query: 'fact more', limit: 100, maxTokens: 20_000, asOf: '2100-01-01' }],
  ['read_graph', { asOf: '2100-01-01' }],
  ['open_nodes', { names: Array.from({ length: 300 }, (_, i) => nameOf(i)), asOf: '2100-01-01' }],
  ['explore_entity', { name: nameOf(0), depth: 3, limit: 200, asOf: '2100-01-01' }],
  ['list_changes', { limit: 100 }],
  ['list_changes', { entity: nameOf(0), limit: 100 }],
  ['list_changes', { entity: text, by: text }],
  ['find_duplicates', { limit: 100 }],
  ['list_spaces', {}],
  ['recall', { query: 'said', maxTokens: 20_000, conversations: 'only' }],
  ['open_conversation', { id: 'conversation', limit: 100 }],
  ['open_conversation', { id: text }],
  ['merge_entities', { names: range(880, 980).map(nameOf), into: nameOf(2) }],
  ['merge_entities', { names: unknown, into: text }],
  ['undo_changes', { number: 1 }],
  [
    'delete_observations',
    {
      deletions: range(0, 990)
        .map((i) => ({ entityName: nameOf(i), observations: [text, 'x'] }))
        .slice(0, 60),
    },
  ],
  ['delete_observations', { deletions: unknown.map((entityName) => ({ entityName, observations: ['x'] })) }],
  [
    'delete_relations',
    { relations: range(1, 1_000).map((i) => ({ ...spoke(i), relationType: text.slice(0, 1_000) })) },
  ],
  ['delete_entities', { entityNames: [...names.slice(0, 500), ...unknown.slice(0, 500)] }],
  ['delete_entities', { entityNames: unknown }],
]

describeOnBothDatabases('the longest answer', (server) => {
  let agent: Client
  let conversation: string
  beforeAll(async () => {
    const person = await server().signUp()
    await addSpaces(person, 999)
    conversation = await talk(
      person,
      '"'.repeat(200),
      range(0, 100).map((i) => ({
        role: 'tool',
        text: `said ${i} ${text.slice(0, 2_000)}`,
        tool: { name: text.slice(0, 200) },
      })),
      { title: text.slice(0, 1_024), agent: type },
    )
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    // The client validates results against the schemas of the tools that it has listed.
    await agent.listTools()
  })
  afterAll(() => agent.close())

  async function addSpaces(person: Person, count: number) {
    const { accountId } = await scopeOf(server(), person)
    await transact(server().ctx, async (inner) => {
      for (const i of range(0, count))
        await insertSpace(inner.db, accountId, { name: nameOf(i).slice(0, 64), createdAt: inner.now() })
    })
  }

  test.each(calls.map(([tool, args], index) => ({ tool, args, index })))(
    'of $tool is within the bound in each form ($index)',
    async ({ tool, args }) => {
      const asked = args.id === 'conversation' ? { ...args, id: conversation } : args
      const { content, structuredContent, _meta } = await agent.callTool({ name: tool, arguments: asked })
      const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
      expect(texts.join('').length).toBeLessThanOrEqual(answerCharactersMax)
      expect(JSON.stringify(structuredContent ?? {}).length).toBeLessThanOrEqual(answerCharactersMax)
      const { 'dev.loci/found': found = {}, ...meta } = _meta ?? {}
      expect(JSON.stringify(meta).length).toBeLessThanOrEqual(2_000)
      expect(JSON.stringify(found).length).toBeLessThanOrEqual(2 * answerCharactersMax)
      expect(texts.join('')).not.toContain('Something went wrong')
    },
  )

  test('covered every tool', () => {
    expect(new Set(calls.map(([tool]) => tool))).toEqual(new Set(tools.map(({ name }) => name)))
  })
})
