import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { checkInstalled, type Guest } from './check-installed.ts'
import { type Installed, runCommand, start } from './installed.ts'

const metricsToken = 'token-of-the-metrics'
const day = 86_400

/** Everything beyond a user's first hour: each thread, each lazily loaded part, and the commands. */
export async function checkThoroughly(installed: Installed): Promise<void> {
  const env = {
    LOCI_METRICS_TOKEN: metricsToken,
    LOCI_TEST_CLOCK: 'true',
    LOCI_WEBHOOKS_ALLOW_PRIVATE: 'true',
  }
  await checkInstalled({ ...installed, env }, async (guest) => {
    await checkInvoice(guest)
    await checkLongText(guest)
    await checkLargeImport(guest)
    await checkWebhook(guest)
    await checkOAuth(guest)
    await checkMetrics(guest)
  })
  await checkCommands(installed)
  await checkAudit(installed)
  checkStripe(installed)
}

/** Analysed in a thread. */
async function checkLongText({ rest }: Guest): Promise<void> {
  const content = 'The engine weaves algebraic patterns. '.repeat(400)
  await rest.createEntity({ body: { name: 'Engine', type: 'machine', observations: [content] } })
  const { results } = await rest.search({ query: { query: 'algebraic pattern' } })
  assert.equal(results[0]?.entity.name, 'Engine')
}

/** Read in a thread. */
async function checkLargeImport({ rest }: Guest): Promise<void> {
  const lines = Array.from({ length: 900 }, (_, i) =>
    JSON.stringify({
      type: 'entity',
      name: `Imported ${i}`,
      entityType: 'note',
      observations: [`Number ${i}: ${'word '.repeat(1_000)}`],
    }),
  )
  const answer = await rest.import({
    body: lines.join('\n'),
    headers: { 'content-type': 'application/jsonl' },
  })
  assert.equal(answer.import.state, 'finished')
}

/** Sent by a thread. */
async function checkWebhook({ rest }: Guest): Promise<void> {
  const server = createServer(async (request, response) => {
    received.resolve(await text(request))
    response.end()
  })
  const received = Promise.withResolvers<string>()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { webhook } = await rest.createWebhook({ body: { url: `http://127.0.0.1:${port}/` } })
  await rest.testWebhook({ params: { id: webhook.id } })
  assert.match(await received.promise, /test/)
  server.close()
}

/** A plan paid with a test card, and its invoice as PDF. */
async function checkInvoice({ rest, url }: Guest): Promise<void> {
  const { clientSecret } = await rest.createSetupIntent({ body: {} })
  const card = { number: '4242 4242 4242 4242', expMonth: 12, expYear: 2090, cvc: '123' }
  await rest.confirmTestCard({ body: { ...card, clientSecret } })
  const checkout = await rest.createCheckout({
    body: { priceId: 'price_sandbox_pro', successUrl: `${url}/dashboard`, cancelUrl: `${url}/billing` },
  })
  const form = new URLSearchParams({ action: 'on_file' })
  await fetch(checkout.url, { method: 'POST', body: form, redirect: 'manual' })
  await rest.moveTestClock({ body: { advanceBySeconds: 40 * day } })
  const { invoices } = await rest.listInvoices()
  const pdf = await fetch(invoices[0]!.invoicePdf!)
  assert.match(await pdf.text(), /^%PDF/)
}

async function checkOAuth({ url }: Guest): Promise<void> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    }),
  })
  assert.equal(response.status, 201)
}

async function checkMetrics({ url }: Guest): Promise<void> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  assert.match(await (await fetch(`${url}/metrics`, { headers })).text(), /process_cpu/)
}

/** The memory of another server, in an empty home: without an account, and nothing is stored. */
async function checkAudit(installed: Installed): Promise<void> {
  const home = join(installed.folder, 'empty-home')
  await mkdir(home)
  const path = join(installed.folder, 'memory.json')
  const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
  const observations = [`The token is ${secret}`, 'Likes tea', 'Likes tea.']
  await writeFile(path, JSON.stringify({ type: 'entity', name: 'Ada', entityType: 'person', observations }))
  const env = { HOME: home, LOCI_DATA_DIR: join(home, 'data') }
  const page = join(installed.folder, 'report.html')
  const child = start({ ...installed, env }, ['audit', path, '--html', page])
  const [out, [code]] = await Promise.all([text(child.stdout!), once(child, 'exit')])
  assert.equal(code, 1)
  assert.match(out, /Secrets[\s\S]*Duplicates/)
  assert.match(await readFile(page, 'utf8'), /<html/)
  for (const shown of [out, await readFile(page, 'utf8')]) assert.ok(!shown.includes(secret))
  assert.deepEqual(await readdir(home), [])
}

async function checkCommands(installed: Installed): Promise<void> {
  const run = (...args: string[]) => runCommand(installed, args)
  assert.match(await run('check'), /No differences found/)
  assert.match(await run('mcp', '--help'), /Usage: loci/)
  const notes = join(installed.folder, 'notes.jsonl')
  await writeFile(
    notes,
    '{"type":"entity","name":"Note","entityType":"note","observations":["by command"]}\n',
  )
  await run('import', notes, '--account', 'ada@example.org')
  const exported = join(installed.folder, 'exported.jsonl')
  await run('export', exported, '--account', 'ada@example.org')
  await run('backup', join(installed.folder, 'backup.tar'))
}

/** Its SDK is loaded lazily and calls the outside network. */
function checkStripe({ folder }: Installed): void {
  const require = createRequire(join(folder, 'index.js'))
  const Stripe = require('./node_modules/@loci/loci/server/dist/stripe.cjs')
  assert.equal(typeof new Stripe('sk_test_1').subscriptions.list, 'function')
}
