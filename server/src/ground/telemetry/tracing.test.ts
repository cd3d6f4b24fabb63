import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DialectName, startTestServer } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'
import { readConfig } from '../config/config.ts'

type Field = { number: number; value: Uint8Array }

/** The fields of a message that have a length: texts, bytes and messages (protobuf.dev/programming-guides/encoding). */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < message.length; ) {
    const readNumber = () => {
      let value = 0n
      for (let shift = 0n; ; shift += 7n) {
        const byte = message[at++]!
        value |= BigInt(byte & 0x7f) << shift
        if (byte < 0x80) return Number(value)
      }
    }
    const key = readNumber()
    const kind = key & 7
    if (kind === 0) readNumber()
    else if (kind === 1) at += 8
    else if (kind === 5) at += 4
    else {
      const length = readNumber()
      fields.push({ number: key >> 3, value: message.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}

const messagesIn = (message: Uint8Array, number: number) =>
  fieldsOf(message).flatMap((field) => (field.number === number ? [field.value] : []))

type Span = { name: string; id: string; parent: string | undefined }

/** The spans in a body of OTLP: resource spans, scope spans, spans. */
function spansOf(body: Uint8Array): Span[] {
  const spans = messagesIn(body, 1)
    .flatMap((resource) => messagesIn(resource, 2))
    .flatMap((scope) => messagesIn(scope, 2))
  return spans.map((span) => {
    const [id, parent] = [2, 4].map((number) => messagesIn(span, number)[0])
    const name = new TextDecoder().decode(messagesIn(span, 5)[0])
    return {
      name,
      id: Buffer.from(id!).toString('hex'),
      parent: parent && Buffer.from(parent).toString('hex'),
    }
  })
}

const bodies: Buffer[] = []
const collector = createServer(async (request, response) => {
  if (request.url === '/v1/traces') bodies.push(await buffer(request))
  response.end()
})
let endpoint: string

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => collector.close(resolve)))

describe.each<DialectName>(['sqlite', 'postgres'])('traces (%s)', (dialect) => {
  test('arrive as spans of requests, tools and transactions, and contain nothing of a caller', async () => {
    bodies.length = 0
    const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` })
    const server = await startTestServer(dialect, { tracing })
    const alice = await server.signUp()
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Hidden name', type: 'person', observations: ['Hidden text'] },
    })
    await alice.rest.search({ query: { query: 'Hidden question' } })
    await alice.rest.getEntity({ params: { id: entity.id } })
    const params = {
      name: 'create_entities',
      arguments: { entities: [{ name: 'Hidden too', entityType: 'x', observations: [] }] },
    }
    await postMcp(`${server.url}/mcp`, alice.apiKey, 'older', { method: 'tools/call', params })
    await server.close()
    const spans = bodies.flatMap(spansOf)
    const named = (name: string) => spans.filter((span) => span.name === name)
    expect(named('GET /api/entities/:id')).toMatchObject([{ parent: undefined }])
    const [create] = named('POST /api/entities')
    expect(named('transaction').filter(({ parent }) => parent === create!.id)).not.toEqual([])
    const [[mcp], [tool]] = [named('POST /mcp'), named('tools/call create_entities')]
    expect(tool!.parent).toBe(mcp!.id)
    expect(named('transaction').filter(({ parent }) => parent === tool!.id)).not.toEqual([])
    const sent = Buffer.concat(bodies).toString('latin1')
    expect(sent).toMatch(/gen_ai\.operation\.name[\s\S]{1,8}upsert_memory/)
    expect(sent).toContain(dialect === 'sqlite' ? 'sqlite' : 'postgresql')
    for (const secret of ['Hidden', entity.id, alice.email, alice.token, alice.apiKey, alice.userId]) {
      expect(sent).not.toContain(secret)
    }
  })
})

test('without a collector, and if they are turned off, there are none', async () => {
  expect(readConfig({}).tracing).toBeUndefined()
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }
  expect(readConfig(variables).tracing).toBeUndefined()
  bodies.length = 0
  const server = await startTestServer('sqlite')
  await server.signUp()
  await server.close()
  await sleep(50)
  expect(bodies).toEqual([])
})

test('an unreachable collector delays nothing', async () => {
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' })
  const server = await startTestServer('sqlite', { tracing })
  await server.signUp()
  const begun = performance.now()
  await server.close()
  expect(performance.now() - begun).toBeLessThan(8_000)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp or none'],
  [{ OTEL_TRACES_SAMPLER: 'some' }, 'OTEL_TRACES_SAMPLER must be'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be'],
])('%o is refused in a sentence', (variables, sentence) => {
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...variables })
  expect(tracing?.problem).toContain(sentence)
})
