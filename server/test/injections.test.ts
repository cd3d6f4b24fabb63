import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsIn } from './fields-in.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { connectOverHttp } from './mcp-clients.ts'
import { readBack } from './recalled-text.ts'

type Injection = { kind: string; text: string }
const injections: Injection[] = JSON.parse(readFileSync(join(import.meta.dirname, 'injections.json'), 'utf8'))

type Entity = { name: string; entityType: string; observations: string[] }
type Relation = { from: string; to: string; relationType: string }
type Structured = {
  notice?: string
  entities?: Entity[]
  relations?: Relation[]
  observations?: { id: string; entity: { name: string }; content: string }[]
}

/** Nothing that a reader cannot see, but for line breaks and tabs. */
const unseen =
  /(?![\n\r\t])(?:[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e0fff}]|\u034f|[\ufe00-\ufe0e])/u
const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '')
const linesOf = (text: string) => text.split(/\r\n|[\n\r]/)
const isName = (text: string) => text.length <= 512 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)

describeOnBothDatabases('a memory of injections', (server) => {
  let person: Person
  let agent: Client
  const stored = injections.map(({ text }, index) => ({
    name: `Case ${index}`,
    entityType: 'case',
    observations: [`First fact of case ${index}`, text, `Last fact of case ${index}`],
  }))
  const named = injections
    .filter(({ text }) => isName(text))
    .map(({ text }) => ({
      name: text,
      entityType: [...text].slice(0, 30).join(''),
      observations: ['Is a name'],
    }))
  const relations = named.map(({ name, entityType }) => ({
    from: name,
    to: 'Case 0',
    relationType: entityType,
  }))
  beforeAll(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await agent.listTools()
    await ask('create_entities', { entities: [...stored, ...named] })
    await ask('create_relations', { relations })
  })
  afterAll(() => agent.close())

  async function ask(tool: string, args: Record<string, unknown>) {
    const result = await agent.callTool({ name: tool, arguments: args })
    const { isError, content, structuredContent, _meta } = result
    const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
    expect(isError, texts.join()).toBeFalsy()
    expect(texts.join('\n').match(unseen)).toBeNull()
    expect(JSON.stringify([structuredContent, _meta]).match(unseen)).toBeNull()
    return { texts, structured: fieldsIn(result) as Structured }
  }

  /** The graph in an answer of a reference tool, the same in both forms. */
  async function graphOf(tool: string, args: Record<string, unknown>) {
    const { texts, structured } = await ask(tool, args)
    const { notice, ...graph } = structured
    const json = texts.find((text) => text !== notice) ?? ''
    expect(JSON.parse(json)).toMatchObject(graph)
    expect(notice ?? '').not.toContain('\n')
    return { entities: graph.entities ?? [], relations: graph.relations ?? [] }
  }

  /** The same letters on the same number of lines: nothing but unseen characters and rare line breaks was touched. */
  function expectSame(entities: readonly Entity[], expected: readonly Entity[]) {
    expect(entities.map(({ observations }) => observations.length)).toEqual(
      expected.map(({ observations }) => observations.length),
    )
    const seen = (one: Entity) => [one.name, one.entityType, ...one.observations].map(seenLetters)
    expect(entities.map(seen)).toEqual(expected.map(seen))
  }
  const seenLetters = (text: string) => letters(text.replaceAll(/[\u034f\u115f\u3164]/g, ''))

  test('has fifty kinds, of which many can be names', () => {
    expect(new Set(injections.map(({ text }) => text)).size).toBe(50)
    expect(named.length).toBeGreaterThan(20)
  })

  test('is recalled fact by fact: the frame holds what was found and nothing else', async () => {
    for (const [index, { kind }] of injections.entries()) {
      const { texts, structured } = await ask('recall', { query: `Case ${index}`, maxTokens: 11_000 })
      const { notice = '', observations: found = [], relations: told = [], entities = [] } = structured
      const observations = [...Map.groupBy(found, ({ entity }) => entity.name).values()].flat()
      const [text = ''] = texts
      expect(text.startsWith(notice), kind).toBe(true)
      const read = readBack(text.slice(notice.length))
      expect(
        read.facts.map(({ id, name }) => [id, name]),
        kind,
      ).toEqual(observations.map(({ id, entity }) => [id, entity.name]))
      expect(
        read.facts.map(({ lines }) => lines),
        kind,
      ).toEqual(observations.map(({ content }) => linesOf(content)))
      expect(read.relations).toEqual(told.map(({ from, relationType, to }) => [from, relationType, to]))
      expect(read.entities).toEqual(entities.map(({ name, entityType }) => [name, entityType]))
      const texted = observations.map(({ content }) => seenLetters(content))
      expect(texted, kind).toContain(seenLetters(injections[index]!.text))
    }
  })

  test('is opened as it is stored', async () => {
    const opened = await graphOf('open_nodes', { names: stored.map(({ name }) => name) })
    expectSame(opened.entities, stored)
    const byName = await graphOf('open_nodes', { names: named.map(({ name }) => name) })
    expectSame(byName.entities, named)
    expect(byName.relations).toHaveLength(relations.length)
    const asShown = await graphOf('open_nodes', { names: byName.entities.map(({ name }) => name) })
    expect(asShown.entities).toEqual(byName.entities)
  })

  test('is read as a graph', async () => {
    const { entities } = await graphOf('read_graph', {})
    expectSame(entities, [...stored, ...named])
  })

  test('is searched', async () => {
    const { entities } = await graphOf('search_nodes', { query: 'case', limit: 50 })
    const found = new Map(entities.map((entity) => [entity.name, entity]))
    const expected = stored.filter(({ name }) => found.has(name))
    expect(expected.length).toBeGreaterThan(40)
    expectSame(
      expected.map(({ name }) => found.get(name)!),
      expected,
    )
  })

  test('is explored, and its changes are listed, a line each', async () => {
    for (const { name } of named) {
      const { structured } = await ask('explore_entity', { name })
      expect(structured).toHaveProperty('entity.observationsCount', 1)
    }
    const { texts } = await ask('list_changes', { limit: 100 })
    for (const line of texts.join('\n').split('\n')) expect(line).toMatch(/^(#\d+ | {2}[+-] )/)
  })
})
