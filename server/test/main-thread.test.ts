import { api, type OperationId } from '@loci/contract/api'
import { bodyBytesMax, type Endpoint, plainBodyBytesMax } from '@loci/contract/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { toolsIn } from '../src/doors/mcp/profiles.ts'
import { finishRemovals } from '../src/features/removals/removals.ts'
import { toNumber } from '../src/ground/lib/ids.ts'
import { setPlan } from './accounts.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { longestPieceOf, slownessNow } from './held/longest-piece.ts'
import { addTargets, preparedCalls } from './held/prepared-calls.ts'
import { startSender } from './held/sender.ts'
import { makeUgly, type UglyMemory } from './held/ugly-memory.ts'
import { largestOf, refusedBodies, worstOf } from './held/worst-bodies.ts'
import { type WorstCall, worstArguments, worstCalls } from './held/worst-calls.ts'
import type { JsonSchema } from './hostile-values.ts'

/** The longest piece of the thread on a quiet machine, in milliseconds. */
const quietMsMax = 50
/** Beside other tests single pieces measure longer, however they are calibrated. */
const pieceMsMax = process.env.UGLY === undefined ? 1.5 * quietMsMax : quietMsMax
const manyKeys = 'keys as many as a body may have'

/** Other work of the machine lengthens single pieces: the best of these counts. */
const triesMax = 4
const mcp: Endpoint = {
  method: 'POST',
  path: '/mcp',
  access: 'memory:read',
  summary: '',
  tag: '',
  status: 200,
}
const messageOf = (name: string, args: unknown) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
})

test('every operation takes the largest body that its schema allows, up to the largest of all', () => {
  for (const [id, { body, bodyBytesMax: declared = plainBodyBytesMax }] of Object.entries<Endpoint>(api)) {
    if (body === undefined) continue
    expect([id, Math.min(largestOf(toSchema(body)), bodyBytesMax) <= declared]).toEqual([id, true])
  }
})

describeOnBothDatabases('the main thread', (server, dialect) => {
  const sender = startSender()
  const table: string[] = []
  let alice: Person
  let ugly: UglyMemory
  let runs = 0

  async function newUglyPerson(): Promise<Person> {
    const person = await server().signUp()
    await setPlan(server(), person, 'power-user')
    ugly = await makeUgly(person)
    return person
  }

  beforeAll(async () => {
    alice = await newUglyPerson()
  }, 300_000)
  afterAll(async () => {
    await sender.close()
    if (process.env.UGLY !== undefined) process.stdout.write(`${table.sort().join('\n')}\n`)
  })

  const send = (
    { method, path, consumes }: Endpoint,
    { params = [], query = {}, body }: WorstCall,
    { token }: Person,
    afterwards = async () => {},
  ) => {
    const filled = [...params]
    const address = path.replace(/:\w+/g, () => filled.shift() ?? 'ent_unknown')
    const bytes = Buffer.isBuffer(body) || body === undefined ? body : Buffer.from(textOf(body))
    return longestPieceOf(async () => {
      const answer = await sender.send({
        url: `${server().url}${address}?${new URLSearchParams(query)}`,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json, text/event-stream',
          ...(bytes === undefined ? {} : { 'content-type': consumes?.[0] ?? 'application/json' }),
        },
        body: bytes,
      })
      await afterwards()
      return answer
    })
  }

  /** Repeats a call that seems to hold the thread for too long, since only the call itself does so each time. */
  async function requireShortPieces(
    title: string,
    endpoint: Endpoint,
    call: (run: number) => WorstCall | Promise<WorstCall>,
    { isLegal = false, caller = () => alice, afterwards = async () => {} } = {},
  ) {
    let best = Number.POSITIVE_INFINITY
    for (let tried = 0; tried < triesMax && best > pieceMsMax; tried++) {
      runs += 1
      const { result, ms } = await send(endpoint, await call(runs), caller(), afterwards)
      expect(result.status, result.text).toBeLessThan(isLegal ? 300 : 500)
      // A tool that fails answers 200.
      if (isLegal) expect(result.text).not.toContain('"isError":true')
      best = Math.min(best, ms <= pieceMsMax ? ms : ms / slownessNow())
      if (best <= pieceMsMax || tried === triesMax - 1)
        table.push(`${dialect} ${best.toFixed(0).padStart(5)} ms  ${result.status}  ${title}`)
    }
    expect(`${title}: ${best > pieceMsMax ? best.toFixed(0) : 'short'}`).toBe(`${title}: short`)
  }

  /** Bodies that never reach a database: once is enough. */
  async function refuse(id: string, endpoint: Endpoint) {
    if (dialect !== 'sqlite' || endpoint.body === undefined) return
    const params = endpoint.path.startsWith('/api/entities/:id') ? [ugly.hub] : []
    for (const [what, body] of Object.entries(refusedBodies)) {
      if (body.length <= (endpoint.bodyBytesMax ?? plainBodyBytesMax))
        await requireShortPieces(`${id}, ${what}`, endpoint, () => ({ params, body }))
    }
  }

  const { deleteAccount, ...others } = api
  test.each(Object.entries<Endpoint>(others))('is never held by %s', async (name, endpoint) => {
    const id = name as OperationId
    const known = worstCalls(ugly, 0)[id]?.()
    const given = known ?? [fromSchema(endpoint)]
    for (const i of given.keys()) {
      let caller = alice
      const callOf = async (run: number): Promise<WorstCall> => {
        const prepare = preparedCalls[id]
        if (prepare === undefined) return worstCalls(ugly, run)[id]?.()[i] ?? given[i]!
        caller = await server().signUp()
        return prepare(server(), caller)
      }
      const isLegal = known !== undefined || id in preparedCalls
      await requireShortPieces(`${id} ${i}`, endpoint, callOf, { isLegal, caller: () => caller })
    }
    await refuse(id, endpoint)
  })

  test('is never held by a body that is too large for its operation', async () => {
    for (const [what, body] of Object.entries(refusedBodies))
      await requireShortPieces(`updateRelation, ${what}`, api.updateRelation, () => ({ body }))
  })

  test.each(toolsIn('chatgpt').map(({ name }) => name))('is never held by the tool %s', async (name) => {
    if (!['search', 'fetch', 'open_conversation'].includes(name))
      expect(Object.keys(worstArguments(0))).toContain(name)
    const path = `${mcp.path}?profile=chatgpt&`
    const callOf = async (run: number): Promise<WorstCall> => {
      const setId = needsTargets(name) ? await addTargets(alice, run, name) : undefined
      const number = toNumber('set', setId ?? '')
      const id = name === 'open_conversation' ? ugly.conversation : ugly.big
      const given = worstArguments(run)[name]?.() ?? { query: 'word', id }
      return { body: messageOf(name, name === 'undo_changes' ? { number } : given) }
    }
    await requireShortPieces(name, { ...mcp, path }, callOf, { isLegal: true })
    if (dialect !== 'sqlite') return
    for (const what of ['items as many as a body may have', manyKeys]) {
      const wrong = refusedBodies[what]!.toString()
      await requireShortPieces(`${name}, ${what}`, { ...mcp, path }, () => ({
        body: JSON.stringify(messageOf(name, 0)).replace('"arguments":0', `"arguments":${wrong}`),
      }))
      await requireShortPieces(`${name}, ${what} as text`, { ...mcp, path }, () => ({
        body: messageOf(name, wrong),
      }))
    }
  })

  test('is never held by a batch of messages', async () => {
    const body = Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    await requireShortPieces('batch', mcp, () => ({ body }))
    await requireShortPieces('batch of a hundred', mcp, () => ({ body: body.slice(0, 100) }))
  })

  // Last, since it takes the memory of all others away, which takes long to make.
  test('is never held by deleteAccount', async () => {
    await refuse('deleteAccount', deleteAccount)
    let caller: Person | undefined
    const callOf = async (): Promise<WorstCall> => {
      caller = caller === undefined ? alice : await newUglyPerson()
      return { body: { password: caller.password } }
    }
    await requireShortPieces('deleteAccount', deleteAccount, callOf, {
      isLegal: true,
      caller: () => caller!,
      afterwards: () => finishRemovals(server().ctx),
    })
  })
})

/** Whether a tool changes or takes away what a call before it created. */
const needsTargets = (name: string) => /^(?:add|update|merge|delete|undo|create_relations)/.test(name)

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

/** The largest body of the schema; operations without one cost what is stored. A stream has no schema. */
function fromSchema({ body, consumes }: Endpoint): WorstCall {
  if (consumes !== undefined)
    throw new Error('Add the worst files that this operation takes to worst-calls.ts')
  if (body === undefined) return {}
  return { body: worstOf(toSchema(body)) }
}

const toSchema = (body: z.ZodType) =>
  z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
