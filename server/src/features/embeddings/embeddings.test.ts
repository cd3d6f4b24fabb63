import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { restWith, scopeOf } from '../../../test/accounts.ts'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { type EmbedderDouble, type Mood, startEmbedderDouble } from '../../../test/embedder-double.ts'
import {
  type DialectName,
  listenOn,
  type Person,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'
import { environmentOf } from '../../../test/loci-command.ts'
import type { EmbeddingsConfig } from '../../ground/config/config.ts'
import { openContext } from '../../open-context.ts'
import { forgetVectors } from '../../search/meaning/forget-vectors.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { finishRemovals } from '../removals/removals.ts'

const embedding = { restMs: 20 }

/** A process on the same database with its own embedder configuration. */
async function openBeside(
  server: TestServer,
  embeddings: EmbeddingsConfig | undefined,
  log = pino({ level: 'silent' }),
) {
  const config = { ...server.config, embeddings, hasWordVectors: false }
  return listenOn(await openContext(config, log, { now: () => server.clock.now }), { embedding })
}

const statusOf = (person: Person) => person.rest.embeddingsStatus()

async function untilReady(person: Person): Promise<void> {
  await vi.waitFor(async () => expect(await statusOf(person)).toMatchObject({ state: 'ready', waiting: 0 }), {
    timeout: 60_000,
  })
}

const store = async (person: Person, name: string, observations: string[]) =>
  (await person.rest.createEntity({ body: { name, type: 'person', observations } })).entity

async function recall(person: Person, query: string) {
  const { observations } = await person.rest.searchObservations({ query: { query, explain: 'true' } })
  return observations.map(({ content, explain }) => ({ content, explain }))
}

function expectWordsOnly(found: Awaited<ReturnType<typeof recall>>): void {
  expect(found[0]?.content).toBe('Bought an automobile')
  for (const { explain } of found) expect(explain).not.toHaveProperty('meaning')
}

describe.each<DialectName>(['sqlite', 'postgres'])('search by meaning (%s)', (dialect) => {
  let double: EmbedderDouble
  let server: TestServer
  let alice: Person

  beforeAll(async () => {
    double = await startEmbedderDouble()
    server = await startTestServer(dialect, { embeddings: double.config }, { embedding })
    alice = await server.signUp()
    await store(alice, 'Ada', ['Bought an automobile', 'Hums while cooking', 'Her sister plays chess'])
    await store(alice, 'Bob', ['A physician from Leeds', 'Paints every Sunday'])
    await untilReady(alice)
  })
  afterAll(async () => {
    await server?.close()
    await double?.close()
  })

  const vectorsIn = ({ accountId, spaceId }: Scope) =>
    server.ctx.db
      .selectFrom('vectors')
      .select(['passage_id', 'embedder'])
      .where('account_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .execute()
  const vectorsOf = async (person: Person) => vectorsIn(await scopeOf(server, person))

  test('observations that share no word with the question are found, and the response says why', async () => {
    const [first] = await recall(alice, 'car')
    expect(first?.content).toBe('Bought an automobile')
    expect(first?.explain).toMatchObject({ meaning: 0.6 })
    const { results } = await alice.rest.search({ query: { query: 'doctor' } })
    expect(results[0]?.entity.name).toBe('Bob')
  })

  test('meaning counts as much as its weight says', async () => {
    const beside = await openBeside(server, { ...double.config, weight: 1.5 })
    const [first] = await recall({ ...alice, rest: restWith(beside, alice.token) }, 'car')
    expect(first?.explain).toMatchObject({ meaning: 1.5 })
    await beside.close()
  })

  test('words and meaning add up', async () => {
    const [first] = await recall(alice, 'automobile')
    expect(first?.content).toBe('Bought an automobile')
    expect(first?.explain).toMatchObject({ words: expect.any(Number), meaning: 0.6 })
  })

  test('without an embedder and word vectors, search uses words alone and says that meaning is off', async () => {
    const plain = await openBeside(server, undefined)
    const rest = { ...alice, rest: restWith(plain, alice.token) }
    expect(await recall(rest, 'car')).toEqual([])
    expectWordsOnly(await recall(rest, 'automobile'))
    expect(await statusOf(rest)).toMatchObject({ state: 'off', model: null })
    await plain.close()
  })

  test('filters apply to matches by meaning too', async () => {
    const filter = { query: 'car', types: 'place' }
    expect((await alice.rest.searchObservations({ query: filter })).observations).toEqual([])
  })

  test('a question is embedded once, however often it is asked', async () => {
    await recall(alice, 'vehicle')
    await recall(alice, 'vehicle')
    expect(double.textsOf('query: ').filter((query) => query === 'vehicle')).toHaveLength(1)
  })

  test("another account's memory is never found by meaning", async () => {
    const bob = await server.signUp('bob')
    expect(await recall(bob, 'car')).toEqual([])
    await store(bob, 'Cleo', ['Sold her vehicle'])
    await untilReady(bob)
    expect((await recall(bob, 'car')).map(({ content }) => content)).toEqual(['Sold her vehicle'])
    expect(await statusOf(bob)).toMatchObject({ embedded: 1, waiting: 0, model: 'words', dimensions: 96 })
  })

  test('deleting an observation deletes its vectors', async () => {
    const dora = await server.signUp('dora')
    const { id, observations } = await store(dora, 'Eve', ['One thing', 'Another thing'])
    await store(dora, 'Finn', ['Keeps bees'])
    await untilReady(dora)
    const scope = await scopeOf(server, dora)
    expect(await vectorsIn(scope)).toHaveLength(3)
    await dora.rest.deleteObservation({ params: { id, observationId: observations[0]!.id } })
    expect(await vectorsIn(scope)).toHaveLength(2)
    await dora.rest.deleteEntity({ params: { id } })
    expect(await vectorsIn(scope)).toHaveLength(1)
    await dora.rest.deleteAccount({ body: { password: dora.password } })
    await finishRemovals(server.ctx)
    expect(await vectorsIn(scope)).toEqual([])
  })

  test('corrected and restored observations are found by their present meaning', async () => {
    const hal = await server.signUp('hal')
    const { id, observations } = await store(hal, 'Hal', ['Owns a bicycle', 'Plays chess'])
    await store(hal, 'Ivo', ['Hums while cooking'])
    await untilReady(hal)
    const params = { id, observationId: observations[0]!.id }
    await hal.rest.updateObservation({ params, body: { content: 'Owns an automobile' } })
    await untilReady(hal)
    expect((await recall(hal, 'car'))[0]?.content).toBe('Owns an automobile')
    await hal.rest.deleteEntity({ params: { id } })
    expect((await recall(hal, 'car')).map(({ content }) => content)).not.toContain('Owns an automobile')
    await hal.rest.restoreEntity({ params: { id } })
    await untilReady(hal)
    expect((await recall(hal, 'car'))[0]?.content).toBe('Owns an automobile')
    expect(await statusOf(hal)).toMatchObject({ embedded: 3, waiting: 0 })
  })

  test('a long observation is found by the meaning of its end', async () => {
    const filler = 'The committee discussed the roof and postponed it. '.repeat(40)
    const gus = await server.signUp('gus')
    await store(gus, 'Minutes', [`${filler}Finally Ida sold the automobile.`, 'Nothing else'])
    await untilReady(gus)
    expect((await recall(gus, 'car'))[0]?.content).toContain('automobile')
  })

  test.each<Mood>(['error', 'html', 'slow', 'endless', 'other dimensions', 'too few', 'no numbers'])(
    'an embedder in trouble (%s) leaves the answer to the words',
    async (mood) => {
      const beside = await openBeside(server, { ...double.config, waitMs: 50 })
      const rest = { ...alice, rest: restWith(beside, alice.token) }
      double.mood = mood
      const asked = double.orders.length
      const found = await recall(rest, 'automobile')
      double.mood = 'good'
      expect(double.orders.length).toBe(asked + 1)
      expectWordsOnly(found)
      await beside.close()
    },
  )

  test('if the embedder is down, the answer is by words', async () => {
    const gone = await startEmbedderDouble()
    await gone.close()
    const source = { url: gone.url, model: 'words', key: undefined }
    const beside = await openBeside(server, { ...double.config, source })
    const rest = { ...alice, rest: restWith(beside, alice.token) }
    expectWordsOnly(await recall(rest, 'automobile'))
    expect(await statusOf(rest)).toMatchObject({
      state: 'unreachable',
      failure: { message: `${gone.url} cannot be reached (ECONNREFUSED)` },
    })
    await beside.close()
  })

  test('two processes make each vector once', async () => {
    const beside = await openBeside(server, double.config)
    const hal = await server.signUp('hal')
    const facts = Array.from({ length: 150 }, (_, i) => `Fact ${'abcdefghij'[i % 10]}${i} of Hal`)
    await store(hal, 'Hal', facts)
    await untilReady(hal)
    await beside.close()
    const made = double.textsOf('passage: ').filter((one) => one.endsWith('of Hal'))
    expect(made.sort()).toEqual(facts.sort())
  })

  test('failures while making vectors are reported and made up for', async () => {
    const ivy = await server.signUp('ivy')
    double.mood = 'error'
    await store(ivy, 'Ivy', ['Owns a vehicle'])
    const unreachable = {
      state: 'unreachable',
      waiting: 1,
      failure: { message: expect.stringContaining('500') },
    }
    await vi.waitFor(async () => expect(await statusOf(ivy)).toMatchObject(unreachable), { timeout: 60_000 })
    double.mood = 'good'
    await untilReady(ivy)
    expect(await statusOf(ivy)).toMatchObject({ failure: null, embedded: 1 })
  })

  test('a text that the embedder refuses does not block others', async () => {
    const joe = await server.signUp('joe')
    double.refuses = 'unspeakable'
    await store(joe, 'Joe', ['First thing', 'Something unspeakable', 'Keeps an automobile'])
    await untilReady(joe)
    double.refuses = undefined
    expect(await vectorsOf(joe)).toHaveLength(2)
    expect((await recall(joe, 'car'))[0]?.content).toBe('Keeps an automobile')
  })
})

describe.each<DialectName>(['sqlite', 'postgres'])('embedders that change (%s)', (dialect) => {
  let double: EmbedderDouble
  let server: TestServer
  let alice: Person

  beforeAll(async () => {
    double = await startEmbedderDouble()
    server = await startTestServer(dialect)
    alice = await server.signUp()
    await store(alice, 'Ada', ['Bought an automobile', 'Hums while cooking'])
  })
  afterAll(async () => {
    await server?.close()
    await double?.close()
  })

  /** A process that computes vectors until none are missing. */
  async function catchUp(embeddings: EmbeddingsConfig, log?: pino.Logger) {
    const beside = await openBeside(server, embeddings, log)
    const person = { ...alice, rest: restWith(beside, alice.token) }
    await untilReady(person)
    const found = (await recall(person, 'car'))[0]?.content
    await beside.close()
    return found
  }

  const embeddersInUse = () => server.ctx.db.selectFrom('vectors').select('embedder').distinct().execute()

  test('a server that starts with an embedder catches up, and the next one continues', async () => {
    expect(await catchUp(double.config)).toBe('Bought an automobile')
    await store(alice, 'Bob', ['Hates rain'])
    double.orders.length = 0
    await catchUp({ ...double.config })
    expect(double.textsOf('passage: ')).toEqual(['Hates rain'])
  })

  test('another model gets its own vectors, which replace the old ones', async () => {
    const before = await embeddersInUse()
    const source = { ...double.config.source, model: 'other words' }
    expect(await catchUp({ ...double.config, source })).toBe('Bought an automobile')
    const after = await embeddersInUse()
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
    expect(await server.ctx.db.selectFrom('vectors').select('passage_id').execute()).toHaveLength(3)
  })

  test('of two processes with different models the one that started later makes the vectors', async () => {
    const older = await openBeside(server, {
      ...double.config,
      source: { ...double.config.source, model: 'a' },
    })
    await untilReady({ ...alice, rest: restWith(older, alice.token) })
    // As if the lease of an idle process had expired; the clock does not move here.
    await server.ctx.db.deleteFrom('leases').execute()
    const newer = await openBeside(server, {
      ...double.config,
      source: { ...double.config.source, model: 'b' },
    })
    await untilReady({ ...alice, rest: restWith(newer, alice.token) })
    await server.ctx.db.deleteFrom('leases').execute()
    double.orders.length = 0
    await store(alice, 'Emil', ['Bakes rye bread'])
    await untilReady({ ...alice, rest: restWith(newer, alice.token) })
    expect(double.orders.map(({ model, input }) => ({ model, input }))).toEqual([
      { model: 'b', input: ['passage: Bakes rye bread'] },
    ])
    expect(await embeddersInUse()).toHaveLength(1)
    await older.close()
    await newer.close()
  })

  test('dimensions that change under the same name are refused until all vectors are rebuilt', async () => {
    const source = { ...double.config.source, model: 'other words' }
    const beside = await openBeside(server, { ...double.config, source })
    const person = { ...alice, rest: restWith(beside, alice.token) }
    await untilReady(person)
    double.mood = 'other dimensions'
    await store(alice, 'Cleo', ['Sails on Fridays'])
    const failure = { message: expect.stringContaining('95 dimensions, earlier ones had 96') }
    await vi.waitFor(async () => expect(await statusOf(person)).toMatchObject({ failure }), {
      timeout: 60_000,
    })
    await forgetVectors(server.ctx)
    await untilReady(person)
    expect(await statusOf(person)).toMatchObject({ dimensions: 95, embedded: 5 })
    double.mood = 'good'
    await beside.close()
  })

  test('the key appears in no log line and no response', async () => {
    const stream = new PassThrough()
    const lines = text(stream)
    const beside = await openBeside(server, { ...double.config }, pino({ level: 'trace' }, stream))
    const person = { ...alice, rest: restWith(beside, alice.token) }
    double.mood = 'echoes the key'
    await store(alice, 'Dana', ['Collects stamps'])
    await vi.waitFor(async () => expect((await statusOf(person)).state).toBe('unreachable'), {
      timeout: 60_000,
    })
    await recall(person, 'stamps')
    const status = JSON.stringify(await statusOf(person))
    double.mood = 'good'
    await beside.close()
    stream.end()
    expect(status).toContain('LOCI_EMBEDDINGS_KEY')
    expect(await lines).toContain('vectors cannot be computed')
    expect(status + (await lines)).not.toContain('very-secret')
  })
})

test('the command line shows progress and rebuilds the vectors', async () => {
  const double = await startEmbedderDouble()
  const server = await startTestServer('sqlite', { embeddings: double.config }, { embedding })
  const alice = await server.signUp()
  await store(alice, 'Ada', ['Bought an automobile', 'Hums while cooking'])
  await untilReady(alice)
  const settings = {
    LOCI_EMBEDDINGS_URL: `${double.url}/v1`,
    LOCI_EMBEDDINGS_MODEL: 'words',
    LOCI_EMBEDDINGS_QUERY_PREFIX: 'query: ',
    LOCI_EMBEDDINGS_PASSAGE_PREFIX: 'passage: ',
  }
  const loci = async (command: string) => {
    const env = { ...environmentOf(server.config), ...settings }
    return (await runLociInProcess(['embeddings', command], { env })).stdout
  }
  expect(await loci('status')).toBe('words, 96 dimensions: 2 of 2 texts have vectors\n')
  double.orders.length = 0
  expect(await loci('rebuild')).toContain('All vectors are deleted')
  await vi.waitFor(() => expect(double.textsOf('passage: ')).toHaveLength(2), { timeout: 60_000 })
  await untilReady(alice)
  await server.close()
  await double.close()
})
