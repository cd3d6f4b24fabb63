import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddingsConfig } from '../src/ground/config/config.ts'

const dimensions = 96

/** Words treated as synonyms; all other texts are as far apart as their words. */
const synonyms: Record<string, string> = {
  automobile: 'car',
  vehicle: 'car',
  physician: 'doctor',
  beverage: 'drink',
  dislikes: 'hates',
}
const functionWords = new Set(['a', 'an', 'the', 'is', 'of', 'to', 'in', 'his', 'her', 'what', 'who', 'does'])

/** The ways in which an embedder can fail. */
export type Mood =
  | 'good'
  | 'error'
  | 'html'
  | 'slow'
  | 'endless'
  | 'other dimensions'
  | 'too few'
  | 'no numbers'
  | 'echoes the key'

type Order = { model: string; input: string[] }

/**
 * Stands in for a small model: texts with the same words or their synonyms are near each other. It records
 * its requests.
 */
export async function startEmbedderDouble() {
  const orders: Order[] = []
  const double = {
    mood: 'good' as Mood,
    /** Text that it refuses. */ refuses: undefined as string | undefined,
  }
  const server = createServer(async (request, response) => {
    const order: Order = JSON.parse(await text(request))
    orders.push(order)
    const { refuses } = double
    if (refuses !== undefined && order.input.some((input) => input.includes(refuses))) {
      response.writeHead(400).end('{}')
      return
    }
    await answer(double.mood, order, response, request.headers.authorization ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  const config: EmbeddingsConfig = {
    source: { url: `${url}/v1`, model: 'words', key: 'sk-very-secret' },
    dimensions: undefined,
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
    waitMs: 300,
    weight: 0.6,
  }
  return Object.assign(double, {
    url,
    config,
    orders,
    /** The texts requested with a prefix, without that prefix. */
    textsOf: (prefix: string) =>
      orders.flatMap(({ input }) =>
        input.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length)),
      ),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}

export type EmbedderDouble = Awaited<ReturnType<typeof startEmbedderDouble>>

async function answer(mood: Mood, { input }: Order, response: ServerResponse, key: string): Promise<void> {
  const vectors = input.map((one) => vectorOf(one.replace(/^\w+: /, '')))
  const json = (value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const list = (some: unknown[]) => ({ data: some.map((embedding, index) => ({ index, embedding })) })
  switch (mood) {
    case 'good':
      return void json({ ...list(vectors), data: list(vectors).data.reverse() })
    case 'error':
      return void json({ error: 'out of memory' }, 500)
    case 'html':
      return void response.end('<html>It works!</html>')
    case 'slow':
      await sleep(2_000)
      return void json(list(vectors))
    case 'endless':
      response.write('{"data":[')
      return
    case 'other dimensions':
      return void json(list(vectors.map((vector) => vector.slice(1))))
    case 'too few':
      return void json(list([]))
    case 'no numbers':
      return void json(list(vectors.map((vector) => vector.map(() => null))))
    case 'echoes the key':
      return void json({ error: `The key ${key} is unknown` }, 401)
  }
}

function vectorOf(content: string): number[] {
  const vector = new Array<number>(dimensions).fill(0.01)
  for (const word of content.toLowerCase().match(/\p{L}+/gu) ?? []) {
    if (functionWords.has(word)) continue
    let hash = 0
    for (const letter of synonyms[word] ?? word) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
    for (let i = 0; i < 4; i++) {
      hash = (Math.imul(hash, 1_664_525) + 1_013_904_223) >>> 0
      vector[(hash >>> 8) % dimensions]! += (hash >>> 30) % 2 === 0 ? 1 : -1
    }
  }
  return vector
}
