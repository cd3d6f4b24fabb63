import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallToolResult, type Client, ProtocolError, type Tool } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { describeOnBothDatabases } from '../harness.ts'
import { connectOverHttp, connectOverStdio, connectToReference } from '../mcp-clients.ts'
import { differences, listingDifferences } from './differences.ts'
import { type Answer, type Scenario, type Step, scenarios } from './scenarios.ts'

const graphUri = 'memory://knowledge-graph'
const docs = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')

describeOnBothDatabases('beside the reference memory server', (server) => {
  let directory: string
  let reference: Client
  /** Our server over both transports in both eras, each with its own memory. */
  const ours = new Map<string, Client>()

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'loci-reference-'))
    reference = await connectToReference(join(directory, 'memory.jsonl'))
    const { dataDir, databaseUrl = '', secret = '' } = server().config
    const place = { LOCI_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOCI_SECRET: secret }
    for (const mode of ['auto', 'legacy'] as const) {
      ours.set(`HTTP, ${mode}`, await connectOverHttp(server(), (await server().signUp()).apiKey, mode))
      const { apiKey } = await server().signUp()
      const env = { ...place, LOCI_API_KEY: apiKey }
      ours.set(`stdio, ${mode}`, await connectOverStdio(env, mode))
    }
  })
  afterAll(async () => {
    for (const client of [reference, ...ours.values()]) await client?.close()
    await rm(directory, { recursive: true })
  })

  test('its nine tools are listed as it lists them, except for the stated differences', async () => {
    const { tools: theirs } = await reference.listTools()
    const stated = theirs.flatMap((tool) =>
      listingDifferences.flatMap((path) => {
        const [name, ...rest] = path.split('/')
        return name === '*' || name === tool.name ? [[tool.name, ...rest].join('/')] : []
      }),
    )
    for (const [name, client] of ours) {
      const { tools } = await client.listTools()
      const found = theirs.flatMap((tool) => pathsThatDiffer(tool.name, tool, toolOf(tools, tool.name)))
      expect(found.sort(), name).toEqual(stated.sort())
      expect(tools.map((tool) => tool.name).slice(0, 9)).toEqual(theirs.map((tool) => tool.name))
    }
  })

  describe('answers the same, except for the stated differences', () => {
    beforeEach(async () => {
      await rm(join(directory, 'memory.jsonl'), { force: true })
      for (const client of ours.values()) await forgetEverything(client)
    })
    test.each(scenarios)('to $title', async ({ steps }) => {
      for (const step of steps) {
        const theirs = await call(reference, step)
        const expected = step.ours?.answer ?? theirs
        if (step.ours !== undefined) expect(theirs).not.toEqual(expected)
        for (const [name, client] of ours) expect(await call(client, step), name).toEqual(expected)
      }
    })
  })

  test('the resource of the whole graph has its address, title and text', async () => {
    await rm(join(directory, 'memory.jsonl'), { force: true })
    const entity = { name: 'Ada', entityType: 'person', observations: ['Wrote the first program'] }
    const write = { name: 'create_entities', arguments: { entities: [entity] } }
    await reference.callTool(write)
    const [theirs] = (await reference.listResources()).resources
    const { contents } = await reference.readResource({ uri: graphUri })
    for (const [name, client] of ours) {
      await forgetEverything(client)
      await client.callTool(write)
      const [listed] = (await client.listResources()).resources
      expect(pathsThatDiffer('', theirs, listed), name).toEqual(['/description'])
      expect((await client.readResource({ uri: graphUri })).contents, name).toEqual(contents)
    }
  })

  test('a resource that does not exist is the same error in other words', async () => {
    const uri = 'memory://nothing'
    const theirs = await errorOf(reference.readResource({ uri }))
    expect(theirs).toEqual({ code: -32602, message: `MCP error -32602: Resource ${uri} not found` })
    for (const [name, client] of ours) {
      const answer = { code: -32602, message: `Resource not found: ${uri}` }
      expect(await errorOf(client.readResource({ uri })), name).toEqual(answer)
    }
  })
})

describe('updates beside the reference memory server', () => {
  test('arrive after each write that changed something', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'loci-reference-'))
    const reference = await connectToReference(join(directory, 'memory.jsonl'))
    const ours = await connectOverStdio({ LOCI_DATA_DIR: directory }, 'legacy')
    const [theirUpdates, ourUpdates] = await Promise.all([reference, ours].map(subscribe))
    const create = (name: string) => ({
      name: 'create_entities',
      arguments: { entities: [{ name, entityType: 'thing', observations: [] }] },
    })
    const nothing = { name: 'delete_entities', arguments: { entityNames: ['Nobody'] } }
    for (const client of [reference, ours]) await client.callTool(create('One'))
    // Concurrent writes can share one notification.
    await vi.waitFor(() => expect(ourUpdates).toEqual([graphUri]), { timeout: 60_000 })
    for (const write of [nothing, create('Two')]) {
      for (const client of [reference, ours]) await client.callTool(write)
    }
    await vi.waitFor(() => expect(theirUpdates).toEqual([graphUri, graphUri, graphUri]), { timeout: 60_000 })
    await vi.waitFor(() => expect(ourUpdates).toEqual([graphUri, graphUri]), { timeout: 60_000 })
    for (const client of [reference, ours]) await client.close()
    await rm(directory, { recursive: true })
  })
})

describe('the list of differences', () => {
  test('is covered by the scenarios', () => {
    const shown = scenarios.flatMap(reasonsOf)
    const elsewhere = ['resourceNotFound', 'updates']
    expect(new Set([...shown, ...elsewhere])).toEqual(new Set(Object.keys(differences)))
  })

  test.each(Object.entries(differences))('is documented: %s', (_name, sentence) => {
    expect(docs.replaceAll(/\s+/g, ' ')).toContain(sentence)
  })
})

async function subscribe(client: Client): Promise<string[]> {
  const updates: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri)
  })
  await client.subscribeResource({ uri: graphUri })
  return updates
}

const reasonsOf = ({ steps }: Scenario) => steps.flatMap((step) => step.ours?.because ?? [])

async function call(client: Client, { tool, args }: Step): Promise<Answer> {
  try {
    const result = await client.callTool({ name: tool, ...(args === undefined ? {} : { arguments: args }) })
    return toAnswer(result)
  } catch (error) {
    return toError(error)
  }
}

function toAnswer({ content, structuredContent, isError }: CallToolResult): Answer {
  const texts = content.map((part) => (part.type === 'text' ? part.text : part.type))
  return {
    texts,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    ...(isError === true ? { isError } : {}),
  }
}

function toError(error: unknown): { code: number; message: string } {
  if (!(error instanceof ProtocolError)) throw error
  return { code: error.code, message: error.message }
}

const errorOf = (promise: Promise<unknown>) => promise.then(() => undefined, toError)

async function forgetEverything(client: Client): Promise<void> {
  const { structuredContent } = await client.callTool({ name: 'read_graph' })
  const { entities } = structuredContent as { entities: { name: string }[] }
  const entityNames = entities.map((entity) => entity.name)
  await client.callTool({ name: 'delete_entities', arguments: { entityNames } })
}

const toolOf = (tools: Tool[], name: string) => tools.find((tool) => tool.name === name)

/** The paths at which two JSON values differ, closest to the root. */
function pathsThatDiffer(path: string, a: unknown, b: unknown): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (!isObject(a) || !isObject(b)) return [path]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return keys.flatMap((key) => pathsThatDiffer(`${path}/${key}`, a[key], b[key]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
