import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmbeddingsConfig } from '../config/config.ts'
import { EmbedderError } from './embedder.ts'
import { createHttpEmbedder } from './http-embedder.ts'

type Order = { url: string; authorization: string | undefined; body: Record<string, unknown> }

let origin: string
let orders: Order[]
let answer: (response: ServerResponse, request: IncomingMessage) => void
const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request))
  orders.push({ url: request.url!, authorization: request.headers.authorization, body })
  answer(response, request)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  orders = []
  answer = (response) => response.end(JSON.stringify({ data: [{ index: 0, embedding: [3, 4] }] }))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const answerWith = (body: unknown, status = 200, headers = {}) => {
  answer = (response) => response.writeHead(status, headers).end(JSON.stringify(body))
}
const vectors = (...list: unknown[]) => ({ data: list.map((embedding, index) => ({ index, embedding })) })

function embedderOf({
  path = '/v1',
  key = 'sk-very-secret',
  provider,
  ...change
}: { path?: string; key?: string; provider?: 'ollama' | 'openai' } & Partial<EmbeddingsConfig> = {}) {
  const source = {
    url: origin + path,
    model: 'm',
    key: key === '' ? undefined : key,
    ...(provider && { provider }),
  }
  const config = { dimensions: undefined, queryPrefix: 'q: ', passagePrefix: 'p: ', waitMs: 300, weight: 1 }
  return createHttpEmbedder({ ...config, source, ...change }, source)
}

async function refusalOf(asked: Promise<unknown>): Promise<EmbedderError> {
  const error = await asked.then(() => undefined).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(EmbedderError)
  const refusal = error as EmbedderError
  expect(`${refusal.message} ${refusal.stack}`).not.toMatch(/very-secret|token=/)
  return refusal
}

const signal = () => new AbortController().signal

describe('a request', () => {
  test.each([
    ['/v1', '/v1/embeddings'],
    ['/v1/', '/v1/embeddings'],
    ['/v1/embeddings', '/v1/embeddings'],
    ['/v1/embeddings/', '/v1/embeddings'],
    ['', '/embeddings'],
    ['/v1?api-version=2', '/v1/embeddings?api-version=2'],
  ])('for the address %j goes to %s', async (path, url) => {
    await embedderOf({ path }).embed(['a'], 'query', signal())
    expect(orders.map((order) => order.url)).toEqual([url])
  })

  test('has the prefix of its kind, the key, and the dimensions that are wanted', async () => {
    answerWith(vectors([1, 0], [0, 1]))
    await embedderOf({ dimensions: 2 }).embed(['a', 'b'], 'passage', signal())
    expect(orders[0]).toMatchObject({ authorization: 'Bearer sk-very-secret' })
    expect(orders[0]!.body).toEqual({
      model: 'm',
      input: ['p: a', 'p: b'],
      encoding_format: 'float',
      dimensions: 2,
    })
  })

  test('without a key carries none', async () => {
    await embedderOf({ key: '' }).embed(['a'], 'query', signal())
    expect(orders[0]!.authorization).toBeUndefined()
    expect(orders[0]!.body).not.toHaveProperty('dimensions')
  })

  test('sends no more of a text than models read, and no half of a character', async () => {
    await embedderOf().embed([`${'x'.repeat(1_999)}🧠 and more`], 'query', signal())
    const [input] = orders[0]!.body.input as [string]
    expect(input).toBe(`q: ${'x'.repeat(1_999)}`)
    await embedderOf().embed([`${'x'.repeat(1_998)}🧠 and more`], 'query', signal())
    expect((orders[1]!.body.input as [string])[0]).toBe(`q: ${'x'.repeat(1_998)}🧠`)
  })

  test('that is stopped ends at once', async () => {
    answer = () => {}
    const stop = new AbortController()
    const asked = refusalOf(embedderOf().embed(['a'], 'query', stop.signal))
    stop.abort()
    await asked
  })

  test('follows no redirect, which could carry the key elsewhere', async () => {
    answer = (response, request) => {
      if (request.url === '/v1/embeddings') response.writeHead(307, { location: '/elsewhere' }).end()
      else response.end(JSON.stringify(vectors([1, 0])))
    }
    await refusalOf(embedderOf().embed(['a'], 'query', signal()))
    expect(orders).toHaveLength(1)
  })
})

describe('an answer', () => {
  test('is vectors of length 1, in the order of the texts, whatever their own order', async () => {
    const data = [
      { index: 1, embedding: [0, 5] },
      { index: 0, embedding: [3, 4] },
    ]
    answerWith({ data })
    const [first, second] = await embedderOf().embed(['a', 'b'], 'query', signal())
    expect([...first!].map((value) => value.toFixed(2))).toEqual(['0.60', '0.80'])
    expect([...second!]).toEqual([0, 1])
  })

  test('without numbers is taken in the order in which it came', async () => {
    answerWith({ data: [{ embedding: [1, 0] }, { embedding: [0, 1] }] })
    const [, second] = await embedderOf().embed(['a', 'b'], 'query', signal())
    expect([...second!]).toEqual([0, 1])
  })

  test.each([
    ['nothing', {}],
    ['null', null],
    ['a list', []],
    ['too few vectors', vectors()],
    ['too many vectors', vectors([1, 0], [0, 1])],
    ['a vector without a direction', vectors([0, 0])],
    ['an empty vector', vectors([])],
    ['text in place of numbers', vectors(['1', '2'])],
    ['null in place of a number', vectors([1, null])],
    ['null in place of an item', { data: [null] }],
    ['base64', vectors('AACAPw==')],
    ['a number that counts from one', { data: [{ index: 1, embedding: [1, 0] }] }],
    ['a number below zero', { data: [{ index: -1, embedding: [1, 0] }] }],
    ['a number that is far too high', { data: [{ index: 1e9, embedding: [1, 0] }] }],
    ['a number that is no whole one', { data: [{ index: 0.5, embedding: [1, 0] }] }],
  ])('with %s is refused', async (_title, body) => {
    answerWith(body)
    expect((await refusalOf(embedderOf().embed(['a'], 'query', signal()))).isRefusal).toBe(false)
  })

  test.each([
    [
      'two vectors with one number',
      {
        data: [
          { index: 0, embedding: [1, 0] },
          { index: 0, embedding: [0, 1] },
        ],
      },
    ],
    ['vectors of two sizes', vectors([1, 0], [1, 0, 0])],
  ])('to two texts with %s is refused', async (_title, body) => {
    answerWith(body)
    const { message } = await refusalOf(embedderOf().embed(['a', 'b'], 'query', signal()))
    expect(message).not.toContain('undefined')
  })

  test('of another size than the configured one says both', async () => {
    answerWith(vectors([1, 0, 0]))
    const { message } = await refusalOf(embedderOf({ dimensions: 2 }).embed(['a'], 'query', signal()))
    expect(message).toBe('The embedder answered 3 dimensions instead of 2')
  })

  test('that is no JSON says so', async () => {
    answer = (response) => response.end('<html>It works!</html>')
    expect((await refusalOf(embedderOf().embed(['a'], 'query', signal()))).message).toBe(
      `${origin} answered no JSON`,
    )
  })

  test.each([
    [400, true, ''],
    [413, true, ''],
    [422, true, ''],
    [401, false, ': it does not accept LOCI_EMBEDDINGS_KEY'],
    [403, false, ': it does not accept LOCI_EMBEDDINGS_KEY'],
    [404, false, ': it does not know the address or the model'],
    [429, false, ''],
    [500, false, ''],
  ])('with status %d refuses these texts only: %s', async (status, isRefusal, advice) => {
    answerWith({ error: 'The key sk-very-secret is unknown' }, status)
    const error = await refusalOf(embedderOf().embed(['a'], 'query', signal()))
    expect(error.message).toBe(`${origin} answered ${status}${advice}`)
    expect(error.isRefusal).toBe(isRefusal)
  })

  test('of Ollama says how to get the model, and of a chosen server that the key is wrong', async () => {
    answerWith({}, 404)
    const unknown = await refusalOf(embedderOf({ provider: 'ollama' }).embed(['a'], 'query', signal()))
    expect(unknown.message).toContain('ollama pull m')
    answerWith({}, 401)
    const locked = await refusalOf(embedderOf({ provider: 'openai' }).embed(['a'], 'query', signal()))
    expect(locked.message).toMatch(/it does not accept the key$/)
  })

  test.each([
    ['17', 17_000],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [undefined, undefined],
  ])('that asks to wait %s is told on as %s ms', async (header, retryAfterMs) => {
    answerWith({}, 429, header === undefined ? {} : { 'retry-after': header })
    const error = await refusalOf(embedderOf().embed(['a'], 'query', signal()))
    expect(error.retryAfterMs).toBe(retryAfterMs)
  })

  test('that does not come names the server and the reason, without its query', async () => {
    const gone = createHttpEmbedder(
      {
        dimensions: undefined,
        queryPrefix: '',
        passagePrefix: '',
        waitMs: 1,
        weight: 1,
        source: { dir: '' },
      },
      { url: 'http://127.0.0.1:1/v1?token=very-secret', model: 'm', key: undefined },
    )
    const { message } = await refusalOf(gone.embed(['a'], 'query', signal()))
    expect(message).toMatch(/^http:\/\/127\.0\.0\.1:1 cannot be reached/)
  })
})

test('embedders are alike only if nothing that vectors depend on differs', () => {
  const identities = [
    embedderOf(),
    embedderOf({ dimensions: 2 }),
    embedderOf({ queryPrefix: '' }),
    embedderOf({ passagePrefix: '' }),
  ].map(({ identity }) => identity)
  expect(new Set(identities).size).toBe(4)
  expect(embedderOf({ key: 'another', path: '/other' }).identity).toBe(embedderOf().identity)
})
