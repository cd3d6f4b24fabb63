import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { listDeletedSpaces } from '../src/features/spaces/spaces.repo.ts'
import { findNextRetry, listBehind } from '../src/features/webhooks/sending/targets.repo.ts'
import { findProgress, listProgress } from '../src/search/meaning/embeddings.repo.ts'
import type { Db } from '../src/store/db.ts'
import { openTwin, scopeOf } from './accounts.ts'
import { isOnCitus } from './citus.ts'
import { type Person, startTestServer } from './harness.ts'

/** The calls that send a statement, and the most nodes that one run of it queried. */
type Seen = { calls: Set<string>; nodes: number }

type Notice = { message?: string | undefined; detail?: string | undefined }

const snapshot = new URL('cluster-statements.snapshot.md', import.meta.url)
const introduction = `# Statements on a cluster

The SQL statements that the commonest calls send to a Citus cluster, with the number of nodes that answer each, as
\`citus.log_remote_commands\` shows. \`npm run test:citus\` writes this list (\`server/test/cluster-statements.test.ts\`)
and fails if a statement asks more than one node. What belongs to no account is on the coordinator.
`
const namedCallsMax = 4

/** Records which nodes each statement queries while `callOf` names a call. */
function watchStatements(callOf: () => string | undefined) {
  const seen = new Map<string, Seen>()
  const running = new WeakMap<pg.Client, { text: string; nodes: Set<string> }>()
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const call = callOf()
    const text = textOf(args[0])
    if (!running.has(this)) this.on('notice', (notice) => note(this, notice))
    running.set(this, { text, nodes: new Set() })
    if (call !== undefined && isOfTables(text)) {
      const known = seen.get(text) ?? { calls: new Set(), nodes: 0 }
      seen.set(text, known)
      known.calls.add(call)
    }
    return Reflect.apply(query, this, args)
  } as typeof query)
  function note(client: pg.Client, { message = '', detail = '' }: Notice) {
    const node = /on server (\S+)/.exec(detail)?.[1]
    if (!message.startsWith('issuing') || node === undefined) return
    const { text, nodes } = running.get(client)!
    nodes.add(node)
    const known = seen.get(text)
    if (known !== undefined) known.nodes = Math.max(known.nodes, nodes.size)
  }
  return { seen, stop: () => spy.mockRestore() }
}

/** Statements that differ only in their number of rows count as one. */
const textOf = (query: unknown): string =>
  (typeof query === 'string' ? query : (query as { text: string }).text)
    .replaceAll(/\s+/g, ' ')
    .replace(/( values \([^)]*\))(, \([^)]*\))+/, '$1, ...')
    .replace(/( values \([^)]*\))(?=$| on conflict| returning)/, '$1, ...')
    .trim()

const isOfTables = (text: string) =>
  /^(select|insert|update|delete|with)\b.*\b(from|into|update)\b/i.test(text)

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
type Call = (name: string, method: string, path: string, body?: unknown) => Promise<any>

/** Everyday calls of people, programs and agents, ordered so that each finds its prerequisites. */
async function makeCalls(call: Call, { email, password }: Person) {
  await call('sign in', 'POST', '/auth/login', { email, password })
  await call('set up an authenticator', 'POST', '/auth/me/totp', { password })
  await call('see second factors', 'GET', '/auth/me/second-factors')
  await call('create a key', 'POST', '/api/keys', { name: 'agent' })
  await call('list keys', 'GET', '/api/keys')
  await call('list members', 'GET', '/api/members')
  await call('read the audit log', 'GET', '/api/audit?limit=20')
  const observations = ['Drinks green tea in the morning', 'Met Grace at the opera in Vienna in May 2026']
  const ada = await call('create an entity', 'POST', '/api/entities', {
    name: 'Ada',
    type: 'person',
    observations,
  })
  const { id } = ada.entity
  const grace = await call('create an entity', 'POST', '/api/entities', { name: 'Grace', type: 'person' })
  const batch = Array.from({ length: 120 }, (_, i) => ({
    name: `Note ${i}`,
    type: 'note',
    observations: [`Remark number ${i} on tea`],
  }))
  await call('create many entities', 'POST', '/api/entities/batch', { entities: batch })
  await call('add observations', 'POST', `/api/entities/${id}/observations`, {
    observations: ['Plays chess'],
  })
  const related = { fromEntityId: id, toEntityId: grace.entity.id, type: 'wrote' }
  const { relation } = await call('create a relation', 'POST', '/api/relations', related)
  const read = await call('read an entity', 'GET', `/api/entities/${id}`)
  await call('list entities', 'GET', '/api/entities?type=note&limit=20')
  await call('list types', 'GET', '/api/entities/types')
  await call('list relations', 'GET', `/api/relations?entityId=${id}`)
  await call('read the graph', 'GET', '/api/relations/graph/data?limit=50')
  await call('search', 'GET', '/api/search?query=green%20tea')
  await call('search observations', 'GET', '/api/search/observations?query=opera')
  await call('list changes', 'GET', '/api/changes?limit=20')
  await call('see usage', 'GET', '/api/analytics/usage')
  await call('see oneself', 'GET', '/auth/me')
  await call('find duplicates', 'GET', '/api/duplicates')
  await call('see the plan', 'GET', '/api/billing/subscription')
  const [first] = read.entity.observations
  await call('edit an observation', 'PUT', `/api/entities/${id}/observations/${first.id}`, {
    content: 'Drinks tea',
  })
  await call('edit an entity', 'PUT', `/api/entities/${id}`, { name: 'Ada', type: 'engineer' })
  await call('delete an observation', 'DELETE', `/api/entities/${id}/observations/${first.id}`)
  await call('delete a relation', 'DELETE', `/api/relations/${relation.id}`)
  const tools: [string, Record<string, unknown>][] = [
    [
      'create_entities',
      { entities: [{ name: 'Tea house', entityType: 'place', observations: ['Opens at nine'] }] },
    ],
    ['add_observations', { observations: [{ entityName: 'Ada', contents: ['Likes opera'] }] }],
    ['create_relations', { relations: [{ from: 'Ada', to: 'Tea house', relationType: 'visits' }] }],
    ['recall', { query: 'Who likes opera?' }],
    ['search_nodes', { query: 'opera' }],
    ['open_nodes', { names: ['Ada', 'Tea house'] }],
    ['explore_entity', { name: 'Ada' }],
    ['find_path', { from: 'Ada', to: 'Tea house' }],
    ['read_graph', {}],
    ['list_changes', {}],
    ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['Likes opera'] }] }],
    ['delete_relations', { relations: [{ from: 'Ada', to: 'Tea house', relationType: 'visits' }] }],
    ['delete_entities', { entityNames: ['Tea house'] }],
  ]
  for (const [name, args] of tools) {
    const params = { name, arguments: args }
    const { result } = await call(name, 'POST', '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params,
    })
    expect([name, result.isError ?? false, result]).toEqual([name, false, result])
  }
  await call('delete an entity', 'DELETE', `/api/entities/${id}`)
}

/** As the background jobs do once they are told of a commit of these accounts. */
async function lookForWork(db: Db, accountIds: readonly number[]): Promise<void> {
  await findNextRetry(db, accountIds)
  await listBehind(db, { accountId: 0, id: '' }, 1_000, accountIds)
  await listDeletedSpaces(db, { accountId: 0, spaceId: 0 }, 100, accountIds)
  await listProgress(db, 1, { accountId: 0, spaceId: 0 }, 100, accountIds)
}

function describeSeen(seen: Map<string, Seen>): string {
  const lines = [...seen].map(([text, { calls, nodes }]) =>
    [`- ${nodesOf(nodes)}: ${listCalls([...calls])}`, '  ```sql', `  ${text}`, '  ```'].join('\n'),
  )
  return `${introduction}\n${lines.join('\n')}\n`
}

function listCalls(calls: readonly string[]): string {
  const named = calls.slice(0, namedCallsMax).join(', ')
  return calls.length > namedCallsMax ? `${named} and ${calls.length - namedCallsMax} more` : named
}

const nodesOf = (nodes: number) => (nodes === 0 ? 'coordinator' : nodes === 1 ? 'one node' : `${nodes} nodes`)

describe.runIf(isOnCitus)('on a cluster of postgres servers', () => {
  test('each statement of a call goes to one node', async () => {
    const first = await startTestServer('postgres')
    const person: Person = await first.signUp()
    await sql`do $$ begin execute format('alter database %I set citus.log_remote_commands = on', current_database());
      end $$`.execute(first.ctx.db)
    // It opens new connections, which log.
    const server = await openTwin(first)
    const calls = new AsyncLocalStorage<string>()
    const { seen, stop } = watchStatements(() => calls.getStore())
    try {
      const isForPeople = (path: string) => /^\/(auth|api\/(keys|members|audit|billing))/.test(path)
      const call: Call = (name, method, path, body) =>
        calls.run(name, async () => {
          const answer = await server.app.inject({
            method: method as 'GET',
            url: path,
            headers: {
              authorization: `Bearer ${isForPeople(path) ? person.token : person.apiKey}`,
              accept: 'application/json, text/event-stream',
            },
            ...(body === undefined ? {} : { payload: body as object }),
          })
          expect([name, answer.statusCode < 300 ? 'ok' : answer.body]).toEqual([name, 'ok'])
          return answer.body === '' ? undefined : answer.json()
        })
      // Once a second it would be stored in the name of whichever call is running.
      const flush = vi.spyOn(server.ctx.usage, 'flush').mockResolvedValue()
      await makeCalls(call, person)
      flush.mockRestore()
      await calls.run('store usage', () => server.ctx.usage.flush())
      const { accountId } = await scopeOf(server, person)
      await calls.run('look for work after a commit', () => lookForWork(server.ctx.db, [accountId]))
      await calls.run('search by meaning', () => findProgress(server.ctx.db, 1, { accountId, spaceId: 1 }))
    } finally {
      stop()
      await server.close()
      await first.close()
    }
    expect([...seen].filter(([, { nodes }]) => nodes > 1).map(([text]) => text)).toEqual([])
    writeFileSync(snapshot, describeSeen(seen))
  })
})
