import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, startTestServer } from '../../../test/harness.ts'
import { initialize, startMcpProcess } from '../../../test/mcp-process.ts'
import { takeOverMemoryFile } from './memory-file.ts'

let dir: string
let file: string
let dataDir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'loci-memory-file-'))
  file = join(dir, 'memory.jsonl')
  dataDir = join(dir, 'data')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const entity = (name: string, ...observations: string[]) =>
  JSON.stringify({ type: 'entity', name, entityType: 'person', observations })
const relation = JSON.stringify({
  type: 'relation',
  from: 'John_Smith',
  to: 'Anthropic',
  relationType: 'works_at',
})
const memory = [
  entity('John_Smith', 'Speaks fluent Spanish', 'Graduated in 2019'),
  entity('Anthropic'),
  'this is not JSON',
  relation,
].join('\n')
const took =
  '2 entities, 2 observations and 1 relation from <file>. ' +
  'From now on this memory is kept in <data>; the file is not changed.\n1 problem in the file:\n  line 3: '

const read = { id: 1, method: 'tools/call', params: { name: 'read_graph' } }

/** One session of an agent that reads the graph, sending its requests before the first response. */
async function readGraph(env: Record<string, string> = {}) {
  const places = { HOME: dir, LOCI_DATA_DIR: dataDir, MEMORY_FILE_PATH: file }
  const { child, send, ended } = startMcpProcess({ ...places, ...env }, dir)
  send(initialize)
  send(read)
  child.stdin.end()
  const { code, out, err } = await ended
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, err, graph: answers.find(({ id }) => id === 1).result.structuredContent }
}

const withPlaces = (text: string) => text.replaceAll('<file>', file).replaceAll('<data>', dataDir)
const namesIn = (graph: { entities: { name: string }[] }) => graph.entities.map(({ name }) => name)

describe('loci mcp with MEMORY_FILE_PATH', () => {
  test('imports the file once, before the first call is answered', async () => {
    await writeFile(file, memory)
    const first = await readGraph()
    expect(first.code).toBe(0)
    expect(first.err).toMatch(withPlaces(`Took over ${took}`))
    expect(namesIn(first.graph)).toEqual(['John_Smith', 'Anthropic'])
    expect(first.graph.relations).toHaveLength(1)
    expect(await readFile(file, 'utf8')).toBe(memory)

    const second = await readGraph()
    expect(second.err).toContain(
      withPlaces(
        'MEMORY_FILE_PATH is not read: <file> was taken over before, and the memory is kept in <data>.\n',
      ),
    )
    expect(second.graph).toEqual(first.graph)
    await writeFile(file, entity('Somebody else'))
    const third = await readGraph()
    expect(third.err).toContain(
      withPlaces(
        'MEMORY_FILE_PATH is not read: the memory in <data> is not empty. To add the file to it, run "npm exec loci -- import <file>".\n',
      ),
    )
    expect(third.graph).toEqual(first.graph)
  })

  test.each(['~/memory.jsonl', 'memory.jsonl', './memory.jsonl'])('understands %s', async (path) => {
    await writeFile(file, memory)
    const { graph, err } = await readGraph({ MEMORY_FILE_PATH: path })
    expect(err).toMatch(withPlaces(`Took over ${took}`))
    expect(namesIn(graph)).toEqual(['John_Smith', 'Anthropic'])
  })

  test('works even if there is nothing to read', async () => {
    const absent = await readGraph()
    expect(absent.err).toContain(`MEMORY_FILE_PATH names ${file}, but there is no such file.`)
    const folder = await readGraph({ MEMORY_FILE_PATH: dir })
    expect(folder.err).toContain(
      `${dir}, which MEMORY_FILE_PATH names, was not taken over: it is a directory`,
    )
    await writeFile(file, '{"type":"entity"\n\u0000')
    const broken = await readGraph()
    expect(broken.err).toContain('2 problems in the file')
    expect([absent.graph, folder.graph, broken.graph]).toEqual(Array(3).fill({ entities: [], relations: [] }))
    expect([absent.code, folder.code, broken.code]).toEqual([0, 0, 0])
  })

  test('is told that a server owns the memory', async () => {
    await writeFile(file, memory)
    const server = await startTestServer('sqlite')
    const { apiKey } = await server.signUp()
    const { err, graph } = await readGraph({ LOCI_URL: server.url, LOCI_API_KEY: apiKey })
    expect(err).toBe(`MEMORY_FILE_PATH is ignored: the server at ${server.url} keeps the memory.\n`)
    expect(graph).toEqual({ entities: [], relations: [] })
    await server.close()
  })
})

describeOnBothDatabases('a memory file', (server) => {
  test('that was interrupted continues at the next start', async () => {
    const lines = Array.from({ length: 900 }, (_, i) => entity(`Person ${i}`, 'One fact', 'Another fact'))
    await writeFile(file, lines.join('\n'))
    const alice = await server().signUp()
    const actor = {
      ...(await scopeOf(server(), alice)),
      kind: 'local',
      userId: alice.userId,
      role: 'owner',
    } as const
    const take = (signal: AbortSignal) => takeOverMemoryFile(server().ctx, actor, file, signal)
    expect(await take(AbortSignal.abort())).toContain(
      'It was interrupted. The rest follows at a later start.',
    )
    const { total } = await alice.rest.listEntities({ query: {} })
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(900)
    const { signal } = new AbortController()
    expect(await take(signal)).toContain('Took over 900 entities, 1,800 observations and 0 relations')
    expect((await alice.rest.listEntities({ query: {} })).total).toBe(900)
    expect(await take(signal)).toContain('was taken over before')
  })
})
