import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { answerCharactersMax } from './answer-size.ts'

type Entity = { name: string; entityType: string; observations: string[] }
type Relation = { from: string; to: string; relationType: string }
type Graph = { notice?: string; entities: Entity[]; relations: Relation[] }
type Call = { tool: string; args: Record<string, unknown> }

const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

async function connect(server: TestServer) {
  const person = await server.signUp()
  const client = await connectOverHttp(server, person.apiKey, 'auto')
  open.push(client)
  await client.listTools()
  const store = async (graph: Graph) => {
    for (const part of parts(graph.entities)) await write('create_entities', { entities: part })
    for (const part of parts(graph.relations)) await write('create_relations', { relations: part })
  }
  const write = async (name: string, args: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name, arguments: args })
    expect(isError, JSON.stringify(content)).toBeFalsy()
  }
  const read = async ({ tool, args }: Call) => {
    const result = await client.callTool({ name: tool, arguments: args })
    return { graph: asSeenByCodex(result), texts: asSeenByOthers(result) }
  }
  return { person, client, store, write, read }
}

const parts = <T>(items: readonly T[]) =>
  Array.from({ length: Math.ceil(items.length / 500) }, (_, i) => items.slice(i * 500, i * 500 + 500))

/** Only the structured form, cut at the limit. */
function asSeenByCodex({ isError, structuredContent, content }: CallToolResult): Graph {
  expect(isError, JSON.stringify(content)).toBeFalsy()
  return JSON.parse(JSON.stringify(structuredContent).slice(0, answerCharactersMax))
}

/** Only the texts. */
function asSeenByOthers({ content }: CallToolResult): string[] {
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
  expect(texts.join('').length).toBeLessThanOrEqual(answerCharactersMax)
  return texts
}

/** Reads on as the notice says until there is no notice. */
async function readAll(read: (call: Call) => Promise<{ graph: Graph; texts: string[] }>, first: Call) {
  const whole: Graph = { entities: [], relations: [] }
  let pages = 0
  for (let call: Call | undefined = first; call !== undefined; pages += 1) {
    expect(pages).toBeLessThan(100)
    const { graph, texts } = await read(call)
    if (graph.notice !== undefined) expect(Object.keys(graph)[0]).toBe('notice')
    const { notice, ...rest } = graph
    expect(JSON.parse(texts.at(-1) ?? '')).toEqual(rest)
    if (notice !== undefined) expect(texts[0]).toBe(notice)
    addTo(whole, graph)
    const after = /"after":("(?:[^"\\]|\\.)*")/.exec(notice ?? '')?.[1]
    call = after === undefined ? undefined : { ...call, args: { ...call.args, after: JSON.parse(after) } }
  }
  return { whole, pages }
}

/** Joins the parts as a reader would; a text that was cut continues in the next part. */
function addTo(whole: Graph, { entities, relations }: Graph) {
  for (const entity of entities) {
    const known = whole.entities.find(({ name }) => name === entity.name)
    if (known === undefined) whole.entities.push(entity)
    else known.observations.push(...entity.observations)
  }
  whole.relations.push(...relations)
}

const textOf = ({ observations }: Entity) => observations.join('')
const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
const thing = (name: string, ...observations: string[]): Entity => ({
  name,
  entityType: 'thing',
  observations,
})

/** Entities of all sizes, some larger than an answer, with names and texts that are long as JSON. */
function largeGraph(): Graph {
  const long = Array.from({ length: 120 }, (_, i) => thing(`${i} ${'"\\'.repeat(100)}`, `Fact of ${i}`))
  const entities = [
    thing('Endless', 'a'.repeat(65_536), '"'.repeat(65_536), 'The end'),
    ...long.slice(0, 60),
    thing('Talkative', ...Array.from({ length: 900 }, (_, i) => `${i} ${'says this and that '.repeat(5)}`)),
    thing('Empty'),
    thing('Emoji', '🎉'.repeat(32_000)),
    thing('Hub', 'The centre of it all'),
    ...long.slice(60),
  ]
  const spokes = long.map(({ name }): Relation => ({ from: 'Hub', to: name, relationType: 'has' }))
  const back = long.map(({ name }): Relation => ({ from: name, to: 'Hub', relationType: 'belongs_to' }))
  return { entities, relations: [...spokes, ...back, { from: 'Hub', to: 'Hub', relationType: 'is' }] }
}

describeOnBothDatabases('a graph larger than an answer', (server) => {
  const graph = largeGraph()

  test('is read to the end without losses', async () => {
    const { store, read } = await connect(server())
    await store(graph)
    const { whole, pages } = await readAll(read, { tool: 'read_graph', args: {} })
    expect(pages).toBeGreaterThan(5)
    expect(whole.entities.map(({ name }) => name)).toEqual(graph.entities.map(({ name }) => name))
    expect(whole.entities.map(textOf)).toEqual(graph.entities.map(textOf))
    expect(whole.relations.sort(byText)).toEqual(graph.relations.toSorted(byText))
    const { notice } = (await read({ tool: 'read_graph', args: {} })).graph
    expect(notice).toMatch(/^This is part of the graph: 1 of 125 entities \(\d+ observations, 241 relations/)
    expect(notice).toContain('Only a part of "Endless" is here')
  })

  test('is opened to the end', async () => {
    const { store, read } = await connect(server())
    await store(graph)
    const names = ['Nobody', ...graph.entities.map(({ name }) => name), 'hub']
    const { whole } = await readAll(read, { tool: 'open_nodes', args: { names } })
    expect(whole.entities.map(({ name }) => name)).toEqual(graph.entities.map(({ name }) => name))
    expect(whole.entities.map(textOf)).toEqual(graph.entities.map(textOf))
    expect(whole.relations.sort(byText)).toEqual(graph.relations.toSorted(byText))
    const hub = await readAll(read, { tool: 'open_nodes', args: { names: ['Hub'] } })
    expect(hub.pages).toBeGreaterThan(1)
    expect(hub.whole.relations.sort(byText)).toEqual(graph.relations.toSorted(byText))
    const few = await readAll(read, {
      tool: 'open_nodes',
      args: { names: ['Empty', 'Talkative', 'Hub'], limit: 1 },
    })
    expect(few.whole.entities.map(({ name }) => name)).toEqual(['Talkative', 'Empty', 'Hub'])
  })

  test('is explored to the first observation, each with its id', async () => {
    const { store, client } = await connect(server())
    await store(graph)
    const contents: string[] = []
    let args: Record<string, unknown> | undefined = { name: 'Talkative' }
    while (args !== undefined) {
      const result = await client.callTool({ name: 'explore_entity', arguments: args })
      asSeenByOthers(result)
      const { notice = '', entity } = asSeenByCodex(result) as unknown as {
        notice?: string
        entity: { observations: { id: string; content: string; createdAt: string }[] }
      }
      contents.unshift(...entity.observations.map(({ content }) => content))
      expect(entity.observations[0]).toMatchObject({
        id: expect.stringMatching(/^obs_/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      })
      const goOn: string | undefined = /explore_entity (\{.*?\})/.exec(notice)?.[1]
      args = goOn === undefined ? undefined : JSON.parse(goOn)
    }
    expect(contents).toEqual(graph.entities.find(({ name }) => name === 'Talkative')?.observations)
  })

  test('continues only from a place that exists', async () => {
    const { client } = await connect(server())
    for (const after of ['Gone', `obs_${'0'.repeat(26)}`, `rel_${'0'.repeat(26)}`]) {
      const { isError, content } = await client.callTool({ name: 'read_graph', arguments: { after } })
      expect(isError).toBe(true)
      expect(JSON.stringify(content)).toContain('to begin anew')
    }
  })

  test('says which names it does not have, and which are similar', async () => {
    const { store, read } = await connect(server())
    await store({ entities: [thing('user', 'Likes tea')], relations: [] })
    const { graph } = await read({ tool: 'open_nodes', args: { names: ['USER', 'user', 'Zebra'] } })
    expect(graph).toEqual({
      notice: 'Not found: USER, Zebra. Did you mean "user" (thing) for "USER"?',
      entities: [thing('user', 'Likes tea')],
      relations: [],
    })
  })

  test('is searched ten at a time, and says that there is more', async () => {
    const { store, read } = await connect(server())
    await store({
      entities: Array.from({ length: 30 }, (_, i) => thing(`Note ${i}`, 'About tea')),
      relations: [],
    })
    const search = async (args: object) =>
      (await read({ tool: 'search_nodes', args: { query: 'tea', ...args } })).graph
    const ten = await search({})
    expect(ten.entities.length).toBe(10)
    expect(ten.notice).toContain('the 10 best matches; there are more')
    const all = await search({ limit: 50 })
    expect(all.entities.length).toBe(30)
    expect(all.notice).toBeUndefined()
    await store({
      entities: Array.from({ length: 3 }, (_, i) => thing(`Essay ${i}`, 'coffee '.repeat(4_000))),
      relations: [],
    })
    const essays = await search({ query: 'coffee' })
    expect(essays.entities.length).toBe(1)
    const names = /open_nodes (\{.*?\})/.exec(essays.notice ?? '')?.[1] ?? ''
    const rest = (await read({ tool: 'open_nodes', args: JSON.parse(names) })).graph
    expect([...essays.entities, ...rest.entities].length).toBe(2)
  })
})
