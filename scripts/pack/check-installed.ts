import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { type Installed, outputOf, start, startServer } from './installed.ts'
import { root } from './sources.ts'

export type Guest = { url: string; token: string; apiKey: string; rest: RestClient }

const fetchText = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  assert.equal(response.status, 200, url)
  return response.text()
}

/**
 * A new user's first hour with the installed packages: the web app, an account, memory over REST and MCP, the
 * client.
 */
export async function checkInstalled(
  installed: Installed,
  more: (guest: Guest) => Promise<void> = async () => {},
): Promise<void> {
  const server = await startServer(installed)
  try {
    await checkWebApp(server.url)
    const guest = await signUp(server.url)
    await checkMemory(guest)
    await checkClient(installed, guest)
    await checkMcp(installed, guest)
    await more(guest)
  } finally {
    await server.close()
  }
}

async function checkWebApp(url: string): Promise<void> {
  assert.match(await fetchText(url), /<title>Loci/)
  const page = await fetchText(`${url}/signup`, { headers: { accept: 'text/html' } })
  const [asset] = /\/assets\/app-[\w-]+\.js/.exec(page) ?? assert.fail('the page of the app names no script')
  const response = await fetch(url + asset, { headers: { 'accept-encoding': 'br' } })
  assert.equal(response.headers.get('content-encoding'), 'br')
  assert.match(await response.text(), /import|export/)
  assert.match(await fetchText(`${url}/api/docs/swagger-ui-bundle.js`), /SwaggerUIBundle/)
}

async function signUp(url: string): Promise<Guest> {
  const person = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' }
  const anybody = createRestClient({ baseUrl: url })
  await assert.rejects(anybody.register({ body: { ...person, password: 'password1' } }), /too common/)
  await anybody.register({ body: { ...person, password: 'engines weave algebra' } })
  const { token, user } = await anybody.login({
    body: { email: person.email, password: 'engines weave algebra' },
  })
  return { url, token, apiKey: user.apiKey!, rest: createRestClient({ baseUrl: url, token: () => token }) }
}

/** Covers the files that search reads: irregular forms, the dictionary. */
async function checkMemory({ rest }: Guest): Promise<void> {
  await rest.createEntity({
    body: { name: 'Grace', type: 'person', observations: ['Ran a marathon in Vienna in spring 2024'] },
  })
  for (const query of ['Who runs marathons?', 'marathn vienna', 'race in spring 2024']) {
    const { results } = await rest.search({ query: { query } })
    assert.equal(results[0]?.entity.name, 'Grace', query)
  }
}

/** Runs the examples of its README one after the other. */
async function checkClient({ folder, node }: Installed, { url, apiKey }: Guest): Promise<void> {
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code)
  await writeFile(join(folder, 'examples.js'), examples.join('\n'))
  const child = spawn(node, ['examples.js'], {
    cwd: folder,
    env: { ...process.env, LOCI_URL: url, LOCI_API_KEY: apiKey },
  })
  assert.equal(
    await outputOf(child, 'the examples'),
    'Ada Lives in Vienna\n409 entity_name_taken An entity with this name already exists\nnew: Vienna\n',
  )
}

/** On this machine's memory, beside the server, and through the server. */
async function checkMcp(installed: Installed, { url, apiKey }: Guest): Promise<void> {
  const key = { LOCI_API_KEY: apiKey }
  for (const env of [key, { ...key, LOCI_URL: url }])
    assert.match(await searchOverStdio({ ...installed, env }, 'Grace'), /Ran a marathon/)
}

/** The output of `loci mcp` when an agent searches. */
async function searchOverStdio(installed: Installed, query: string): Promise<string> {
  const child = start(installed, ['mcp'])
  const send = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'check', version: '1' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'search_nodes', arguments: { query } } })
  let answers = ''
  child.stdout!.on('data', (data) => {
    answers += data
    if (answers.includes('"id":2')) child.stdin!.end()
  })
  return outputOf(child, 'loci mcp')
}
