import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { ErrorBody } from '@loci/contract/errors'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { getCounters } from '../src/rows/counters.repo.ts'
import { scopeOf, setPlan } from './accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from './harness.ts'
import { hostileTexts, hostileValues, type JsonSchema, nearlyValuesOf } from './hostile-values.ts'

/** These end the session that the test needs, and take no hostile input. */
const ending = ['logout', 'deleteSessions']
const endpoints = Object.entries<Endpoint>(api).filter(([id]) => !ending.includes(id))
/** Hashing a password is slow by design. */
const runsOf = (endpoint: Endpoint, runs: number) => (endpoint.path.startsWith('/auth') ? 5 : runs)

/** An object may lack what `String` needs to convert it. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const schemaOf = (type: z.ZodType | undefined) =>
  type === undefined ? {} : (z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

async function seqOf(server: TestServer, person: Person): Promise<number> {
  return (await getCounters(server.ctx.db, await scopeOf(server, person))).seq
}

describeOnBothDatabases('hostile calls', (server, dialect) => {
  const runs = Number(process.env.HOSTILE_RUNS ?? (dialect === 'sqlite' ? 25 : 10))
  let alice: Person
  let ids: string[]

  beforeAll(async () => {
    alice = await server().signUp()
    await setPlan(server(), alice, 'power-user')
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['x'] },
    })
    const { entity: other } = await alice.rest.createEntity({ body: { name: 'Engine', type: 'thing' } })
    const ends = { fromEntityId: entity.id, toEntityId: other.id }
    const { relation } = await alice.rest.createRelation({ body: { ...ends, type: 'uses' } })
    ids = [entity.id, other.id, relation.id, entity.observations[0]!.id, 'ent_unknown']
  })

  /** Path segments: existing ids, unknown ids, and malformed ones. */
  const segments = () =>
    fc.oneof(
      fc.constantFrom(...ids),
      hostileTexts.map((text) => text.toWellFormed()),
    )

  function requestsOf({ method, path, query, body, consumes }: Endpoint) {
    const text = fc.oneof(
      hostileValues.map((value) => JSON.stringify(value)),
      hostileTexts,
    )
    return fc.record({
      path: fc
        .array(segments(), { minLength: 3, maxLength: 3 })
        .map((values) => path.replace(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''))),
      query: query === undefined ? fc.constant({}) : nearlyValuesOf(schemaOf(query)),
      body:
        method === 'GET'
          ? fc.constant(undefined)
          : consumes === undefined
            ? nearlyValuesOf(schemaOf(body))
            : text,
      type: fc.constant(consumes?.[0] ?? 'application/json'),
    })
  }

  test.each(endpoints)(
    '%s is never an internal error, and changes nothing when it refuses',
    async (_, endpoint) => {
      await fc.assert(
        fc.asyncProperty(requestsOf(endpoint), async ({ path, query, body, type }) => {
          const before = await seqOf(server(), alice)
          const search = new URLSearchParams(
            Object.entries(query ?? {}).map(([name, value]): [string, string] => [
              name,
              textOf(value).toWellFormed(),
            ]),
          )
            .toString()
            .slice(0, 12_000)
          const response = await fetch(`${server().url}${path}?${search}`, {
            method: endpoint.method,
            headers: {
              authorization: `Bearer ${alice.token}`,
              ...(body === undefined ? {} : { 'content-type': type }),
            },
            ...(body === undefined
              ? {}
              : { body: typeof body === 'string' && endpoint.consumes ? body : JSON.stringify(body) }),
          })
          const text = await response.text()
          expect(response.status, text).toBeLessThan(500)
          if (response.status >= 400) expect(ErrorBody.safeParse(JSON.parse(text)).success, text).toBe(true)
          if (response.status >= 400 || endpoint.method === 'GET')
            expect(await seqOf(server(), alice)).toBe(before)
        }),
        { numRuns: runsOf(endpoint, runs) },
      )
      expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
    },
  )

  test('a forged cursor is refused', async () => {
    const cursors = [[1, 'a\u0000'], [1.5, 'a'], ['1', 'a'], [1], {}, [2 ** 60, 'a'], [1, '\ud800']]
    for (const cursor of cursors.map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))) {
      for (const path of ['/api/entities', '/api/relations']) {
        const { status, body } = await server().call('GET', `${path}?cursor=${cursor}`, {
          token: alice.token,
        })
        expect([status, body.error?.code]).toEqual([400, 'invalid_cursor'])
      }
    }
  })

  test('NUL in any part of an address is refused', async () => {
    for (const { path, query, access } of Object.values<Endpoint>(api).filter(
      ({ method }) => method === 'GET',
    )) {
      if (access === 'public') continue
      const names = Object.keys(query?.shape ?? {})
      const paths = [
        ...(path.includes(':') ? [path.replace(/:\w+/g, '%00')] : []),
        ...names.map((name) => `${path.replace(/:\w+/g, 'x')}?${name}=a%00b`),
      ]
      for (const address of paths) {
        expect([address, (await server().call('GET', address, { token: alice.token })).status]).toEqual([
          address,
          400,
        ])
      }
    }
  })

  test('tools survive any arguments, and change nothing when they refuse', async () => {
    const { tools } = await overMcp(server(), alice, 'tools/list', {})
    expect(tools.length).toBeGreaterThan(8)
    for (const { name, inputSchema } of tools) {
      await fc.assert(
        fc.asyncProperty(nearlyValuesOf(inputSchema), async (given) => {
          const before = await seqOf(server(), alice)
          const answer = await overMcp(server(), alice, 'tools/call', { name, arguments: given })
          expect(JSON.stringify(answer)).not.toMatch(/on our side|-32603/)
          if (answer.isError || answer.code !== undefined) expect(await seqOf(server(), alice)).toBe(before)
        }),
        { numRuns: runs },
      )
    }
  })
})

/** The result of a call over MCP, or its error. */
async function overMcp({ url }: TestServer, { token }: Person, method: string, params: object) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(500)
  const { result, error } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)
  return result ?? error
}
