import type { ExportFormat } from '@loci/contract/imports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { readCsv } from '../../ground/lib/read-csv.ts'

type Line = Record<string, unknown>

async function bytesOf({ rest }: Person, format: ExportFormat, asOf?: string): Promise<Buffer> {
  const response = await rest.export({ query: { format, ...(asOf === undefined ? {} : { asOf }) } })
  return Buffer.from(await response.arrayBuffer())
}

/** Everything of the graph but the ids, in an order that does not depend on that of the import. */
async function graphOf(person: Person): Promise<unknown[]> {
  const text = (await bytesOf(person, 'loci')).toString()
  const lines = text.trim().split('\n').slice(1)
  const bare = lines.map((line) =>
    JSON.stringify(JSON.parse(line, (key, value) => (key === 'id' ? undefined : value))),
  )
  return bare.sort().map((line) => JSON.parse(line))
}

async function filesOf(archive: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true })
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece)
    files.set(entry.fileName, Buffer.concat(pieces).toString())
  }
  return files
}

async function importLines({ rest }: Person, lines: readonly Line[]): Promise<void> {
  const { import: report } = await rest.import({ body: lines.map((line) => JSON.stringify(line)).join('\n') })
  expect(report).toMatchObject({ state: 'finished', problems: { total: 0 } })
}

const at = (day: number) => new Date(Date.UTC(2024, 0, day, 1, 2, 3, 45)).toISOString()
const names = [
  'Ada',
  'ada',
  'a/b: c?',
  'CON',
  '日本 "q"',
  '[[link|x]]',
  '..',
  'dot.',
  'x'.repeat(500),
  ' %% ',
  '=1+1',
]
const texts = [
  'plain',
  'two\n\n  lines\n',
  '```js\nconst a = [[1]]\n```',
  '- item\n## Relations\n---',
  'ends with %% 2020-01-01T00:00:00.000Z %%',
  ' spaces ',
  '\ttab, "quotes" & <tags> \u0007',
  'carriage\r\nreturn\r',
  '%% {"a": 1} %%',
  '=HYPERLINK("x")',
  ...fc.sample(fc.string({ minLength: 1 }), { numRuns: 30, seed: 7 }),
  ...fc.sample(fc.string({ minLength: 1, unit: fc.constantFrom('\n', ' ', '-', '%', '#', 'a', '\r') }), {
    numRuns: 30,
    seed: 7,
  }),
]

/** A graph of everything that is hard to write. */
const hardGraph: Line[] = [
  ...names.map((name, index) => ({
    ...{ type: 'entity', name, entityType: index % 2 === 0 ? 'person' : 'odd/type: ?' },
    ...{ createdAt: at(index + 1), updatedAt: at(index + 2) },
    ...(index === 0 ? { aliases: ['Countess', 'A, L'] } : {}),
    metadata: index < 2 ? { title: 'x', loci: 2, tags: ['a', '%% b'], 'odd key:': { deep: [1, null] } } : {},
    observations: texts
      .filter((_, text) => text % names.length === index)
      .map((content, text) => ({
        ...{ content, createdAt: at(text + 3) },
        ...(text % 2 === 0 ? { metadata: { source: '50 %% of } it' }, updatedAt: at(text + 9) } : {}),
      })),
  })),
  ...names.slice(1).flatMap((to, index) => [
    { type: 'relation', from: 'Ada', to, relationType: 'knows', createdAt: at(index + 1) },
    {
      type: 'relation',
      from: to,
      to: 'Ada',
      relationType: 'odd "type":: [[x]] %%',
      createdAt: at(index + 2),
    },
  ]),
]

describeOnBothDatabases('exports', (server) => {
  test('a vault of Markdown notes comes back as the same graph', async () => {
    const [alice, bob] = [await server().signUp(), await server().signUp('bob')]
    await importLines(alice, hardGraph)
    const vault = await bytesOf(alice, 'markdown')
    const paths = [...(await filesOf(vault)).keys()]
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length)
    expect(paths).toContainEqual(expect.stringMatching(/^person\/日本 q \(\w+\)\.md$/))
    const response = await fetch(`${server().url}/api/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/zip' },
      body: new Uint8Array(vault),
    })
    expect(await response.json()).toMatchObject({
      import: { format: 'markdown', state: 'finished', problems: { total: 0 } },
    })
    expect(await graphOf(bob)).toEqual(await graphOf(alice))
  })

  test('GraphML, CSV and JSON-LD contain every entity, observation and relation', async () => {
    const alice = await server().signUp()
    await importLines(alice, hardGraph)
    const relations = 2 * (names.length - 1)
    const xml = (await bytesOf(alice, 'graphml')).toString()
    expect([xml.match(/<node id=/g)?.length, xml.match(/<edge id=/g)?.length]).toEqual([
      names.length,
      relations,
    ])
    expect(xml).toContain('&lt;tags&gt;')
    const ids = new Set([...xml.matchAll(/<node id="(\w+)"/g)].map(([, id]) => id))
    for (const [, from, to] of xml.matchAll(/source="(\w+)" target="(\w+)"/g)) {
      expect([ids.has(from), ids.has(to)]).toEqual([true, true])
    }
    const graph = JSON.parse((await bytesOf(alice, 'json-ld')).toString())['@graph'] as Line[]
    const ofType = (type: string) => graph.filter((node) => node['@type'] === type)
    expect([ofType('Entity').length, ofType('Relation').length]).toEqual([names.length, relations])
    expect(ofType('Entity').flatMap(({ observations }) => observations)).toHaveLength(texts.length)
    const iris = new Set(ofType('Entity').map((node) => node['@id']))
    for (const { from, to } of ofType('Relation'))
      expect([iris.has(from), iris.has(to)]).toEqual([true, true])
    const tables = await filesOf(await bytesOf(alice, 'csv'))
    async function* textOf(name: string) {
      yield tables.get(name)!
    }
    const rows = async (name: string) => (await arrayOf(readCsv(textOf(name), 1_000_000))).slice(1)
    expect((await rows('entities.csv')).map(([, name]) => name)).toEqual(
      names.map((name) => (name === '=1+1' ? "'=1+1" : name)),
    )
    expect((await rows('relations.csv')).length).toBe(relations)
    const contents = (await rows('observations.csv')).map(([, , , content]) => content)
    expect(contents).toHaveLength(texts.length)
    expect(contents).toContain(`'=HYPERLINK("x")`)
  })

  test('a vault can be exported as of a time, or for some entities only', async () => {
    const alice = await server().signUp()
    await importLines(alice, hardGraph)
    const before = await filesOf(await bytesOf(alice, 'markdown'))
    const { changes } = await alice.rest.listChanges({ query: { limit: '1' } })
    const { entities } = await alice.rest.listEntities({ query: { limit: '500' } })
    const [ada] = entities.filter(({ name }) => name === 'Ada')
    await alice.rest.deleteEntity({ params: { id: ada!.id } })
    expect((await filesOf(await bytesOf(alice, 'markdown'))).size).toBe(names.length - 1)
    const past = await filesOf(await bytesOf(alice, 'markdown', String(changes[0]!.seq)))
    const withoutOrder = (files: Map<string, string>) =>
      new Map([...files].map(([path, text]) => [path, text.split('\n').sort()]))
    expect(withoutOrder(past)).toEqual(withoutOrder(before))
    const some = entities.filter(({ name }) => name !== 'Ada').slice(0, 2)
    const response = await alice.rest.export({
      query: { format: 'markdown', ids: some.map(({ id }) => id).join(',') },
    })
    expect((await filesOf(Buffer.from(await response.arrayBuffer()))).size).toBe(2)
  })
})
