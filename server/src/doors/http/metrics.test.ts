import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { connect } from '../../../test/socket.ts'
import { writeBackup } from '../../features/backups/write-backup.ts'
import { readConfig } from '../../ground/config/config.ts'
import { findSecret } from '../../ground/secret.ts'
import { graphUri } from '../mcp/addresses.ts'

const token = 'metrics-token-of-the-test'

/** Values by name and labels, as printed. */
async function scrape({ url }: TestServer): Promise<Map<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

describe.each<DialectName>(['sqlite', 'postgres'])('metrics (%s)', (dialect) => {
  let server: TestServer
  let alice: Person

  beforeAll(async () => {
    server = await startTestServer(dialect, { metricsToken: token })
    alice = await server.signUp()
  })
  afterAll(() => server.close())

  test('are for whoever has their token, and not for API keys', async () => {
    for (const authorization of [undefined, `Bearer ${token}x`, `Bearer ${alice.apiKey}`, 'Bearer', token]) {
      const headers = authorization === undefined ? {} : { authorization }
      const { status, body } = await server.call('GET', '/metrics', { headers })
      expect([authorization, status, body.error.code]).toEqual([authorization, 401, 'not_authenticated'])
    }
  })

  test('count requests by route pattern, and never include an id', async () => {
    const { entity } = await alice.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    const one =
      'loci_http_request_duration_seconds_count{method="GET",route="/api/entities/:id",status="200"}'
    const before = (await scrape(server)).get(one) ?? 0
    await alice.rest.getEntity({ params: { id: entity.id } })
    await server.call('GET', '/nowhere/at/all', { token: alice.token })
    const after = await scrape(server)
    expect(after.get(one)).toBe(before + 1)
    expect(
      after.get('loci_http_request_duration_seconds_count{method="GET",route="unknown",status="404"}'),
    ).toBeGreaterThan(0)
    const printed = [...after.keys()].join('\n')
    for (const secret of [entity.id, alice.accountId, alice.userId, alice.email, 'nowhere']) {
      expect(printed).not.toContain(secret)
    }
  })

  test('measure transactions, waits for the database, tools and the process', async () => {
    const committed = 'loci_db_transaction_duration_seconds_count{outcome="committed"}'
    const before = (await scrape(server)).get(committed) ?? 0
    await alice.rest.createEntity({ body: { name: 'Babbage', type: 'person' } })
    const client = await connectOverHttp(server, alice.apiKey, 'auto')
    await client.callTool({ name: 'read_graph', arguments: {} })
    await client.callTool({ name: 'open_nodes', arguments: { names: 1 } })
    await client.close()
    const after = await scrape(server)
    expect(after.get(committed)).toBeGreaterThan(before)
    expect(after.get('loci_db_transactions_waiting')).toBe(0)
    expect(after.get('loci_db_transaction_wait_seconds_count')).toBeGreaterThan(0)
    expect(after.get('loci_mcp_tool_duration_seconds_count{tool="read_graph",outcome="ok"}')).toBe(1)
    expect(after.get('loci_mcp_tool_duration_seconds_count{tool="open_nodes",outcome="refused"}')).toBe(1)
    expect(after.get('loci_imports_running')).toBe(0)
    expect(after.get('loci_calls_waiting')).toBe(0)
    expect(after.get('loci_embeddings_waiting')).toBe(0)
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
      expect(after.get(name)).toBeGreaterThan(0)
    }
    if (dialect === 'sqlite') return
    expect(after.get('loci_db_pool_connections{state="idle"}')).toBeGreaterThan(0)
    expect(after.get('loci_db_pool_waiting')).toBe(0)
    expect(after.get('loci_db_pool_wait_seconds_count')).toBeGreaterThan(0)
  })

  test('count open MCP streams, and callers who disconnect before the answer', async () => {
    const aborted = (method: string, route: string) =>
      `loci_http_requests_aborted_total{method="${method}",route="${route}"}`
    const client = await connectOverHttp(server, alice.apiKey, 'auto')
    const stream = await client.listen({ resourceSubscriptions: [graphUri] })
    expect((await scrape(server)).get('loci_mcp_streams')).toBe(1)
    await stream.close()
    await client.close()
    await expect.poll(async () => (await scrape(server)).get('loci_mcp_streams')).toBe(0)
    const headers = { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' }
    const half = request(`${server.url}/api/entities`, { method: 'POST', headers }).on('error', () => {})
    half.write('{"name":')
    await once(half, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
    expect((await scrape(server)).has(aborted('POST', '/api/entities'))).toBe(false)
    half.destroy()
    await expect.poll(async () => (await scrape(server)).get(aborted('POST', '/api/entities'))).toBe(1)
  })

  test('count open sockets, and the time until a change is delivered', async () => {
    const { send, heard, socket } = await connect(server.url, alice.token)
    send({ type: 'subscribe_to_graph_changes', payload: {} })
    await heard('subscribed')
    await alice.rest.createEntity({ body: { name: 'Clement', type: 'person' } })
    await expect
      .poll(async () => (await scrape(server)).get('loci_change_delivery_seconds_count') ?? 0)
      .toBeGreaterThan(0)
    expect((await scrape(server)).get('loci_realtime_connections')).toBe(1)
    socket.close()
    await expect.poll(async () => (await scrape(server)).get('loci_realtime_connections')).toBe(0)
  })
})

test('are scraped by IP address, whatever the public address is', async () => {
  const server = await startTestServer('sqlite', { metricsToken: token, publicUrl: 'https://loci.example' })
  const headers = { authorization: `Bearer ${token}`, host: '10.1.2.3:7400' }
  const [response] = await once(request(`${server.url}/metrics`, { headers }).end(), 'response')
  expect(response.resume().statusCode).toBe(200)
  await server.close()
})

test('are absent without their token', async () => {
  const server = await startTestServer('sqlite')
  expect((await server.call('GET', '/metrics', { headers: { authorization: 'Bearer x' } })).status).toBe(404)
  await server.close()
})

/** The metrics of our own with a row in docs/operations.md. */
function documentedMetrics(): string[] {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const rows = document.split('\n').filter((line) => line.startsWith('| `loci_'))
  return rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(loci_\w+)/g)].map(([, name]) => name!))
}

/** The metrics that a file for operators reads, without the suffixes of histograms. */
function metricsIn(file: string): Set<string> {
  const text = readFileSync(join(import.meta.dirname, '../../../../deploy', file), 'utf8')
  const names = text.matchAll(/\b((?:loci|nodejs|process)_[a-z_0-9]+?)(?:_count|_sum|_bucket)?\b(?!:)/g)
  return new Set([...names].map(([, name]) => name!))
}

test('are all in docs/operations.md, and all that are there exist', async () => {
  const names = new Set<string>()
  const others = new Set<string>()
  const plans = ['STARTER', 'PRO', 'POWER_USER'].flatMap((plan) => [`${plan}_MONTHLY`, `${plan}_ANNUAL`])
  const { billing, stripe } = readConfig({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    ...Object.fromEntries(plans.map((plan) => [`STRIPE_PRICE_${plan}`, `price_${plan}`])),
  })
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const server = await startTestServer(dialect, { metricsToken: token, billing, stripe })
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    for (const [, name] of (await response.text()).matchAll(/^# TYPE (\w+)/gm))
      (name!.startsWith('loci_') ? names : others).add(name!)
    await server.close()
  }
  expect([...names].toSorted()).toEqual(documentedMetrics().toSorted())
  const watched = metricsIn('prometheus/alerts.yml').union(metricsIn('grafana/dashboard.json'))
  expect([...watched.difference(names).difference(others)], 'metrics that alerts or panels read').toEqual([])
  expect(watched.size).toBeGreaterThan(20)
})

test('say how large the database is, when it was backed up, and what failed', async () => {
  const server = await startTestServer('sqlite', { metricsToken: token })
  const person = await server.signUp()
  const file = server.config.dataDir
  const wrong = { email: person.email, password: 'not the password' }
  expect((await server.call('POST', '/auth/login', { body: wrong })).status).toBe(401)
  await writeBackup(join(file, 'copy.backup'), {
    dataDir: file,
    secret: findSecret(server.config)!,
    passphrase: undefined,
  })
  const values = await scrape(server)
  expect(values.get('loci_database_bytes')).toBeGreaterThan(100_000)
  expect(values.get('loci_disk_free_bytes')).toBeGreaterThan(0)
  expect(values.get('loci_backup_timestamp_seconds')).toBeGreaterThan(Date.now() / 1_000 - 600)
  expect(values.get('loci_database_full')).toBe(0)
  expect(values.get('loci_database_damaged')).toBe(0)
  expect(values.get('loci_sign_ins_failed_total')).toBe(1)
  await server.close()
})
