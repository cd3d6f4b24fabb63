import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrayOf } from '../../../../test/array-of.ts'
import { graphInMemory } from '../../../../test/graph-in-memory.ts'
import { startTestServer, type TestServer } from '../../../../test/harness.ts'
import type { GraphSource } from '../graph-source.ts'
import { writeCsv } from './csv.ts'
import { writeGraphml } from './graphml.ts'
import { writeJsonLd } from './json-ld.ts'
import { writeLoci, writeMcpMemory } from './json-lines.ts'

type Writer = (source: GraphSource) => AsyncIterable<string>
const textOf = async (write: Writer, source: GraphSource) => (await arrayOf(write(source))).join('')
const linesOf = async (write: Writer, source: GraphSource) =>
  (await textOf(write, source))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const later = '2024-05-02T00:00:00.000Z'
const nothing = graphInMemory([])
const ada = {
  name: 'Ada',
  type: 'person',
  aliases: ['Countess', 'A, B'],
  metadata: { born: 1815 },
  pages: [
    [{ content: 'First "fact"', metadata: { page: 1 }, updatedAt: later }, { content: 'Second\nline' }],
    [{ content: 'Third' }],
  ],
}
const graph = graphInMemory([ada, { name: 'Engine' }], [{ from: 'Ada', type: 'described', to: 'Engine' }])

describe('our own lines', () => {
  test('hold everything, with observations past the first page on lines of their own', async () => {
    const [header, entity, further, engine, relation, ...others] = await linesOf(writeLoci, graph)
    expect(others).toEqual([])
    expect(header).toMatchObject({ type: 'loci', exportedAt: '2024-05-01T10:00:00.000Z', nextNumber: 9_000 })
    expect(entity).toMatchObject({
      type: 'entity',
      name: 'Ada',
      aliases: ['Countess', 'A, B'],
      entityType: 'person',
      metadata: { born: 1815 },
      observations: [
        { content: 'First "fact"', metadata: { page: 1 }, updatedAt: '2024-05-02T00:00:00.000Z' },
        { content: 'Second\nline' },
      ],
    })
    expect(entity.observations[1]).not.toHaveProperty('metadata')
    expect(entity.observations[1]).not.toHaveProperty('updatedAt')
    expect(further).toMatchObject({
      type: 'observations',
      entity: 'Ada',
      observations: [{ content: 'Third' }],
    })
    expect(engine).not.toHaveProperty('aliases')
    expect(engine).not.toHaveProperty('metadata')
    expect(relation).toMatchObject({ type: 'relation', from: 'Ada', to: 'Engine', relationType: 'described' })
  })

  test('of an empty memory are a header', async () => {
    expect((await linesOf(writeLoci, nothing)).map(({ type }) => type)).toEqual(['loci'])
  })
})

describe('lines of the reference memory server', () => {
  test("are one line per entity, however many pages it has, with that server's key order", async () => {
    expect((await textOf(writeMcpMemory, graph)).split('\n')).toEqual([
      '{"type":"entity","name":"Ada","entityType":"person","observations":["First \\"fact\\"","Second\\nline","Third"]}',
      '{"type":"entity","name":"Engine","entityType":"thing","observations":[]}',
      '{"type":"relation","from":"Ada","to":"Engine","relationType":"described"}',
      '',
    ])
  })

  test('have no stray comma around pages without observations', async () => {
    const source = graphInMemory([{ name: 'A', pages: [[{ content: 'x' }], []] }])
    expect(await linesOf(writeMcpMemory, source)).toMatchObject([{ observations: ['x'] }])
  })

  test('of an empty memory are an empty file', async () => {
    expect(await textOf(writeMcpMemory, nothing)).toBe('')
  })
})

describe('JSON-LD', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite')
  })
  afterAll(() => server.close())

  test('is one document of entities and relations that refer to each other', async () => {
    const document = JSON.parse(await textOf(writeJsonLd, graph))
    const [about, person, engine, relation] = document['@graph']
    expect(about).toMatchObject({ '@type': 'Export', exportedAt: '2024-05-01T10:00:00.000Z' })
    expect(person).toMatchObject({
      '@type': 'Entity',
      name: 'Ada',
      entityType: 'person',
      aliases: ['Countess', 'A, B'],
      metadata: { born: 1815 },
    })
    expect(person.observations.map(({ text }: { text: string }) => text)).toEqual([
      'First "fact"',
      'Second\nline',
      'Third',
    ])
    expect(relation).toMatchObject({
      '@type': 'Relation',
      from: person['@id'],
      to: engine['@id'],
      relationType: 'described',
    })
  })

  test('defines each term it uses', async () => {
    const document = JSON.parse(await textOf(writeJsonLd, graph))
    expect(document['@context']).toMatchObject({
      '@vocab': 'urn:loci:vocabulary:',
      text: 'https://schema.org/text',
      from: { '@type': '@id' },
      replaces: { '@id': 'http://www.w3.org/ns/prov#wasRevisionOf', '@type': '@id' },
      source: 'http://www.w3.org/ns/prov#hadPrimarySource',
    })
  })

  test('names what a fact replaced as the nodes they are', async () => {
    const person = await server.signUp()
    const { entity } = await person.rest.createEntity({
      body: { name: 'Maya', type: 'person', observations: ['In Berlin'] },
    })
    const [old] = entity.observations
    const source = { url: 'https://example.org', quote: 'She moved' }
    const files = [{ path: 'a.md' }]
    const body = { content: 'In Lisbon', at: '2026-02', replaces: [old!.id], source, files }
    await person.rest.createObservations({ params: { id: entity.id }, body })
    const document = JSON.parse(await (await person.rest.export({ query: { format: 'json-ld' } })).text())
    const [, node] = document['@graph']
    const [berlin, lisbon] = node.observations
    expect(lisbon).toMatchObject({ at: '2026-02', replaces: [berlin['@id']], source, files })
    expect(berlin).toMatchObject({ until: '2026-02', replacedBy: lisbon['@id'] })
  })

  test('of an empty memory is a document', async () => {
    expect(JSON.parse(await textOf(writeJsonLd, nothing))['@graph']).toHaveLength(1)
  })
})

describe('GraphML', () => {
  const dataOf = (xml: string, key: string) => new RegExp(`<data key="${key}">([^<]*)</data>`).exec(xml)?.[1]

  test('has a node with all observations in one value, and an edge', async () => {
    const xml = await textOf(writeGraphml, graph)
    expect(xml.match(/<node /g)).toHaveLength(2)
    expect(dataOf(xml, 'observations')).toBe('First "fact"\n\nSecond\nline\n\nThird')
    expect(dataOf(xml, 'aliases')).toBe('Countess, A, B')
    expect(dataOf(xml, 'relationType')).toBe('described')
    const [, ada, engine] = /<edge id="[^"]+" source="([^"]+)" target="([^"]+)">/.exec(xml)!
    expect(xml).toContain(`<node id="${ada}"><data key="name">Ada`)
    expect(xml).toContain(`<node id="${engine}"><data key="name">Engine`)
  })

  test('declares each key it uses', async () => {
    const xml = await textOf(writeGraphml, graph)
    const used = new Set([...xml.matchAll(/<data key="(\w+)"/g)].map(([, key]) => key))
    const declared = new Set([...xml.matchAll(/<key id="(\w+)"/g)].map(([, key]) => key))
    expect([...used].filter((key) => !declared.has(key))).toEqual([])
    expect(used.size).toBe(9)
  })

  test.each([
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['a\r\nb', 'a&#13;\nb'],
    ['a\u0001\u001b[2Jb\u000b', 'a\ufffd\ufffd[2Jb\ufffd'],
    ['\ufffe\uffff', '\ufffd\ufffd'],
    ['tab\tand ]]>', 'tab\tand ]]&gt;'],
    ['😀', '😀'],
  ])('writes %j as %j', async (content, written) => {
    const xml = await textOf(writeGraphml, graphInMemory([{ name: content, pages: [[{ content }]] }]))
    expect(dataOf(xml, 'name')).toBe(written)
    expect(dataOf(xml, 'observations')).toBe(written)
  })

  test('has no value for them if an entity has no observations', async () => {
    expect(dataOf(await textOf(writeGraphml, graphInMemory([{ name: 'A' }])), 'observations')).toBeUndefined()
  })
})

describe('tables', () => {
  const tablesOf = async (source: GraphSource) => {
    const tables: Record<string, string> = {}
    for await (const { path, content } of writeCsv(source)) {
      tables[path] = (await arrayOf(content as AsyncIterable<string>)).join('')
    }
    return tables
  }

  test('are one each for entities, observations and relations', async () => {
    const tables = await tablesOf(graph)
    expect(Object.keys(tables)).toEqual(['entities.csv', 'observations.csv', 'relations.csv'])
    const [header, row] = tables['entities.csv']!.split('\r\n')
    expect(header).toBe('\ufeffid,name,type,aliases,metadata,observations,createdAt,updatedAt')
    expect(row).toMatch(
      /^ent_\w+,Ada,person,"\[""Countess"",""A, B""\]","\{""born"":1815\}",3,2024-05-01T10:00:00.000Z,2024-05-01T10:00:00.000Z$/,
    )
    expect(tables['observations.csv']).toContain(',Ada,"Second\nline",,,,,,,,,,2024-05-01T10:00:00.000Z,\r\n')
    expect(tables['relations.csv']).toMatch(/^rel_\w+,ent_\w+,Ada,described,ent_\w+,Engine,2024/m)
  })

  test('come in few pieces, each of which is compressed by itself', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `Entity ${i}`)
    const told = names.map((name) => ({ name, pages: [[{ content: `Of ${name}` }]] }))
    const related = names.map((name) => ({ from: name, type: 'follows', to: names[0]! }))
    for await (const { path, content } of writeCsv(graphInMemory(told, related))) {
      const pieces = await arrayOf(content)
      expect(pieces.join('').split('\r\n'), path).toHaveLength(502)
      expect(pieces.length, path).toBeLessThan(3)
    }
  })

  test('begin with the byte order mark, without which Excel takes Zoë for ZoÃ«', async () => {
    const tables = await tablesOf(graph)
    for (const [path, table] of Object.entries(tables)) expect(table, path).toMatch(/^\ufeffid,/)
  })

  test('leave cells empty where a value is absent', async () => {
    const tables = await tablesOf(graphInMemory([{ name: 'A' }]))
    expect(tables['entities.csv']).toMatch(/,A,thing,,,0,2024/)
    expect(tables['relations.csv']).toBe('\ufeffid,fromId,from,type,toId,to,createdAt\r\n')
  })

  test('contain no name that a spreadsheet would evaluate', async () => {
    const tables = await tablesOf(graphInMemory([{ name: '=1+1' }]))
    expect(tables['entities.csv']).toContain(",'=1+1,thing")
  })
})
