import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient, type RestClient } from '@loci/client/rest'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkAll } from '../src/features/checks/checks.service.ts'
import type { Config } from '../src/ground/config/config.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import type { Context } from '../src/tenancy/context.ts'
import { arrayOf } from './array-of.ts'
import { type DialectName, testConfig } from './harness.ts'
import { canCutPower, createPowerCut } from './power-cut.ts'
import { type ServerProcess, seededRandom, startServerProcess } from './server-process.ts'

const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000)
/** `CRASH_KILLS=200 npx vitest run server/test/crash.test.ts` produces the figures of docs/reliability.md. */
const kills = Number(process.env.CRASH_KILLS ?? 2)
/** On a busy machine. */
const roundMs = 150_000
const clockJumps = join(import.meta.dirname, 'clock-jumps.js')
const writers = 6

/** What a writer knows about an entity: its last write was acknowledged, or the outcome is unknown. */
type Fate = 'there' | 'gone' | 'unknown'
type Known = { fate: Fate; observations: string[] }
type Ledger = {
  acknowledged: number
  /** Calls started, whatever their outcome, including reads. */
  begun: number
  entities: Map<string, Known>
  relations: { from: string; to: string; type: string }[]
}

type Place = { name: string; dialect: DialectName; losesPower?: boolean; jumps?: boolean }

const places: Place[] = [
  { name: 'killed, sqlite', dialect: 'sqlite' },
  { name: 'killed, postgres', dialect: 'postgres' },
  ...(canCutPower()
    ? [{ name: 'cut from power, sqlite', dialect: 'sqlite' as const, losesPower: true }]
    : []),
  ...(process.env.CRASH_CLOCK === 'jumps'
    ? [{ name: 'killed while its clock jumps, sqlite', dialect: 'sqlite' as const, jumps: true }]
    : []),
]

describe.each(places)(`a server that is $name (CRASH_SEED=${seed})`, ({ dialect, losesPower, jumps }) => {
  const power = losesPower ? createPowerCut() : undefined
  const random = seededRandom(seed)
  let config: Config
  let remove: () => Promise<void>
  let token: string

  beforeAll(async () => {
    ;({ config, remove } = await testConfig(dialect))
    const server = await startServerProcess(config)
    const session = await createRestClient({ baseUrl: server.url }).register({
      body: {
        email: 'crash@example.com',
        password: 'correct horse battery',
        firstName: 'C',
        lastName: 'R',
      },
    })
    token = session.user.apiKey!
    await server.stop()
    await withDatabase(({ db }) => db.updateTable('accounts').set({ plan: 'power-user' }).execute())
  })
  afterAll(async () => {
    power?.remove()
    await remove?.()
  })

  const start = () =>
    startServerProcess(config, {
      env: power?.begin(config.dataDir) ?? {},
      execArgv: jumps ? ['--import', clockJumps] : [],
    })

  async function end(server: ServerProcess): Promise<void> {
    await server.kill()
    power?.apply(config.dataDir, random)
  }

  async function withDatabase<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    const ctx = await openContext(config, pino({ level: 'silent' }))
    try {
      return await work(ctx)
    } finally {
      await closeContext(ctx)
    }
  }

  /** What `loci check` finds, and the count that the month's limit is checked against. */
  async function inspect(): Promise<{ differences: string[]; counted: number }> {
    return withDatabase(async (ctx) => {
      const differences = (await arrayOf(checkAll(ctx))).map(({ message }) => message)
      const rows = await ctx.db.selectFrom('month_counts').select('operations').execute()
      return { differences, counted: rows.reduce((sum, { operations }) => sum + operations, 0) }
    })
  }

  test('has every write it acknowledged, and no half of any other', {
    timeout: 120_000 + kills * roundMs,
  }, async () => {
    const ledger: Ledger = { acknowledged: 0, begun: 0, entities: new Map(), relations: [] }
    for (let round = 0; round < kills; round++) {
      const server = await start()
      const rest = createRestClient({ baseUrl: server.url, token: () => token })
      ledger.begun++
      expect(contradictions(ledger, await exportOf(rest))).toEqual([])
      const work = Array.from({ length: writers }, (_, writer) =>
        write({ ledger, random, rest, url: server.url, token, name: `r${round}w${writer}` }),
      )
      const enough = ledger.acknowledged + 5 + random() * 60
      while (ledger.acknowledged < enough) await sleep(1)
      await sleep(random() * 20)
      await end(server)
      await Promise.all(work)
      const { differences, counted } = await inspect()
      expect(differences).toEqual([])
      expect(counted).toBeGreaterThanOrEqual(ledger.acknowledged)
      expect(counted).toBeLessThanOrEqual(ledger.begun)
    }
    if (process.env.CRASH_KILLS !== undefined) report(ledger, (await inspect()).counted)
    const server = await startServerProcess(config)
    const rest = createRestClient({ baseUrl: server.url, token: () => token })
    expect(contradictions(ledger, await exportOf(rest))).toEqual([])
    await server.stop()
  })

  test('continues an interrupted import', { timeout: 120_000 + kills * roundMs }, async () => {
    const count = 600
    const file = importFile(count)
    for (let attempt = 0; attempt < 2; attempt++) {
      const server = await start()
      const sent = createRestClient({ baseUrl: server.url, token: () => token }).import({ body: file })
      const ended = sent.then(
        () => 'finished',
        () => 'lost',
      )
      await Promise.race([ended, sleep(50 + random() * 300)])
      await end(server)
      await ended
    }
    const server = await startServerProcess(config)
    const rest = createRestClient({ baseUrl: server.url, token: () => token })
    const { import: report } = await rest.import({ body: file })
    expect(report).toMatchObject({ state: 'finished', problems: { total: 0 } })
    const { entities, relations } = await exportOf(rest)
    const imported = [...entities].filter(([name]) => name.startsWith('imported '))
    expect(imported).toHaveLength(count)
    expect(imported.every(([, texts]) => texts.length === 2 && texts[0] === texts[1])).toBe(true)
    expect([...relations].filter((relation) => relation.includes('follows'))).toHaveLength(count - 1)
    await server.stop()
    expect((await inspect()).differences).toEqual([])
  })
})

function report({ acknowledged, begun }: Ledger, counted: number): void {
  console.log({ kills, acknowledged, unanswered: begun - kills - acknowledged, counted })
}

/** Two observations of each text: shows whether an import ran a chunk twice or merged it. */
function importFile(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `imported ${index}`)
  const entities = names.map((name) =>
    JSON.stringify({ type: 'entity', name, entityType: 'n', observations: [`of ${name}`, `of ${name}`] }),
  )
  const relations = names
    .slice(1)
    .map((name, index) =>
      JSON.stringify({ type: 'relation', from: name, to: names[index], relationType: 'follows' }),
    )
  return [...entities, ...relations].join('\n')
}

type Writer = {
  ledger: Ledger
  random: () => number
  rest: RestClient
  url: string
  token: string
  name: string
}

/** Writes until the server is gone, and records every acknowledgement. */
async function write({ ledger, random, rest, url, token, name }: Writer): Promise<void> {
  const own: { id: string; name: string }[] = []
  for (let step = 0; ; step++) {
    const known: Known = { fate: 'unknown', observations: [] }
    const entity = `${name}s${step}`
    ledger.begun++
    const texts = [`${entity} one`, `${entity} two`, `${entity} three`]
    try {
      const kind = random()
      if (kind < 0.5 || own.length < 2) {
        ledger.entities.set(entity, known)
        const body = { name: entity, type: 'thing', observations: texts }
        own.push({ id: (await rest.createEntity({ body })).entity.id, name: entity })
        Object.assign(known, { fate: 'there', observations: texts })
      } else if (kind < 0.65) {
        ledger.entities.set(entity, known)
        await createOverMcp(url, token, entity, texts)
        Object.assign(known, { fate: 'there', observations: texts })
      } else if (kind < 0.8) {
        const target = own[0]!
        const before = ledger.entities.get(target.name)!
        await rest.createObservations({ params: { id: target.id }, body: { observations: texts } })
        before.observations = [...before.observations, ...texts]
      } else if (kind < 0.9) {
        const [from, to] = [own.at(-1)!, own[0]!]
        await rest.createRelation({ body: { fromEntityId: from.id, toEntityId: to.id, type: entity } })
        ledger.relations.push({ from: from.name, to: to.name, type: entity })
      } else {
        const target = own.pop()!
        const before = ledger.entities.get(target.name)!
        before.fate = 'unknown'
        await rest.deleteEntity({ params: { id: target.id } })
        before.fate = 'gone'
      }
      ledger.acknowledged++
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

async function createOverMcp(
  url: string,
  token: string,
  name: string,
  observations: string[],
): Promise<void> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'create_entities',
        arguments: { entities: [{ name, entityType: 'thing', observations }] },
      },
    }),
  })
  const text = await response.text()
  if (!response.ok || !text.includes(name)) throw new Error(`MCP answered ${response.status}: ${text}`)
}

type Graph = { entities: Map<string, string[]>; relations: Set<string> }
type Line = {
  type: string
  name: string
  observations: string[]
  from: string
  to: string
  relationType: string
}

async function exportOf(rest: RestClient): Promise<Graph> {
  const graph: Graph = { entities: new Map(), relations: new Set() }
  const text = await (await rest.export({ query: { format: 'mcp-memory' } })).text()
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const { type, name, observations, from, to, relationType }: Line = JSON.parse(line)
    if (type === 'entity') graph.entities.set(name, observations)
    else graph.relations.add(`${from} ${relationType} ${to}`)
  }
  return graph
}

/** Contradictions between the graph and what was acknowledged to the writers. */
function contradictions(ledger: Ledger, { entities, relations }: Graph): string[] {
  const found: string[] = []
  for (const [name, { fate, observations }] of ledger.entities) {
    const stored = entities.get(name)
    if (fate === 'there' && stored === undefined) found.push(`${name} is lost`)
    if (fate === 'gone' && stored !== undefined) found.push(`${name} is back`)
    if (stored === undefined) continue
    for (const text of observations) if (!stored.includes(text)) found.push(`${name} lost ${text}`)
    // Every write has three texts with the same prefix.
    for (const [write, texts] of Map.groupBy(stored, (text) => text.split(' ')[0])) {
      if (texts.length !== 3) found.push(`${name} has half of ${write}`)
    }
  }
  const isThere = (name: string) => ledger.entities.get(name)?.fate === 'there'
  for (const { from, to, type } of ledger.relations) {
    if (isThere(from) && isThere(to) && !relations.has(`${from} ${type} ${to}`))
      found.push(`relation ${type} is lost`)
  }
  return found
}
