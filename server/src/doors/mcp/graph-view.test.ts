import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePlaces, entityNumber, toBase64 } from '@loci/contract/place-codec'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp, connectOverStdio } from '../../../test/mcp-clients.ts'
import { declaredViews, graphViewUri } from './graph-view.ts'

let webDir: string
let server: TestServer
let ada: Person
beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'loci-view-'))
  await mkdir(join(webDir, 'chat'))
  await writeFile(join(webDir, 'chat', 'index.html'), '<!doctype html><title>Graph</title>')
  server = await startTestServer('sqlite', { webDir })
  ada = await server.signUp('Ada')
})
afterAll(async () => {
  await server.close()
  await rm(webDir, { recursive: true })
})

/** The tools that a client is told to show as a graph. */
async function shown(client: Client): Promise<string[]> {
  const { tools } = await client.listTools()
  const withView = tools.filter(({ _meta }) => Reflect.get(Object(_meta?.ui), 'resourceUri') === graphViewUri)
  await client.close()
  return withView.map(({ name }) => name)
}

describe('the graph in the chat', () => {
  test('clients that declare views are told about it, others are not', async () => {
    const graphTools = ['open_nodes', 'recall', 'explore_entity', 'find_path']
    expect(await shown(await connectOverHttp(server, ada.apiKey, 'auto', declaredViews))).toEqual(graphTools)
    expect(await shown(await connectOverHttp(server, ada.apiKey, 'auto'))).toEqual([])
    const other = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/markdown'] } } }
    expect(await shown(await connectOverHttp(server, ada.apiKey, 'auto', other))).toEqual([])
    // Of its handshake nothing is known at the next request.
    expect(await shown(await connectOverHttp(server, ada.apiKey, 'legacy'))).toEqual(graphTools)
  })

  test('the bridge tells on behalf of its client whether it shows views', async () => {
    const env = { LOCI_URL: server.url, LOCI_API_KEY: ada.apiKey }
    expect(await shown(await connectOverStdio(env, 'legacy', [], declaredViews))).toHaveLength(4)
  })

  test('answers say where their entities are on the map, to clients that draw them', async () => {
    const person = await server.signUp('Grace')
    const { rest } = person
    const names = ['Harbour', 'Lighthouse', 'Keeper']
    const ids: string[] = []
    for (const name of names) ids.push((await rest.createEntity({ body: { name, type: 'place' } })).entity.id)
    await rest.createRelation({ body: { fromEntityId: ids[0]!, toEntityId: ids[1]!, type: 'has' } })
    const explore = async (capabilities?: typeof declaredViews) => {
      const client = await connectOverHttp(server, person.apiKey, 'auto', capabilities)
      const { _meta } = await client.callTool({ name: 'explore_entity', arguments: { name: 'Harbour' } })
      await client.close()
      return _meta?.['dev.loci/map']
    }
    expect(await explore(declaredViews), 'nobody has drawn a map').toBeUndefined()
    const places = ids.map((id, i) => ({
      entity: entityNumber(id)!,
      x: 10 * i,
      y: -i,
      region: i === 0 ? 1 : -1,
    }))
    const regions = [ids[2]!, ids[0]!].map((id, tint) => ({ id, tint }))
    await rest.putGraphPlaces({ body: { regions, places: toBase64(encodePlaces(places)) } })
    const region = { id: ids[0], tint: 1, name: 'Harbour' }
    const drawn = { Harbour: [0, 0, 0], Lighthouse: [10, -1, -1] }
    expect(await explore(declaredViews)).toEqual({ regions: [region], places: drawn })
    await rest.nameRegion({ params: { entityId: ids[0]! }, body: { name: 'Coast' } })
    expect(await explore(declaredViews)).toMatchObject({ regions: [{ ...region, name: 'Coast' }] })
    expect(await explore()).toBeUndefined()
  })

  test('is one page that needs no network, and not a resource for people to pick', async () => {
    const client = await connectOverHttp(server, ada.apiKey, 'auto', declaredViews)
    const { contents } = await client.readResource({ uri: graphViewUri })
    expect(contents).toEqual([
      {
        uri: graphViewUri,
        mimeType: 'text/html;profile=mcp-app',
        text: '<!doctype html><title>Graph</title>',
        _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
      },
    ])
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).not.toContain(graphViewUri)
    await client.close()
  })
})

test('without a built web app, tools have no view', async () => {
  const bare = await startTestServer('sqlite', { webDir: join(webDir, 'nowhere') })
  const { apiKey } = await bare.signUp('Ada')
  const client = await connectOverHttp(bare, apiKey, 'auto', declaredViews)
  await expect(client.readResource({ uri: graphViewUri })).rejects.toThrow(/not found/i)
  expect(await shown(client)).toEqual([])
  await bare.close()
})
