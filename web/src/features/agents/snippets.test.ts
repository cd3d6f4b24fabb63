import { expect, test } from 'vitest'
import { agentClients, isReachableByChats } from './snippets.ts'

const address = {
  server: 'loci',
  origin: 'https://loci.example.org',
  url: 'https://loci.example.org/mcp',
  space: undefined,
  key: 'loci_key',
  program: undefined,
}
const ofSpace = {
  ...address,
  server: 'loci-client-work',
  url: 'https://loci.example.org/mcp/spaces/spc_2',
  space: 'spc_2',
}

test('the clients are offered by their names', () => {
  expect(agentClients.map(({ name }) => name)).toEqual([
    'Claude Code',
    'Claude Desktop',
    'Claude (web, phone)',
    'ChatGPT',
    'Cursor',
    'VS Code',
    'Codex',
    'Gemini CLI',
    'Copilot CLI',
    'opencode',
    'Qwen Code',
    'Other clients (HTTP)',
    'Other clients (stdio)',
  ])
})

test.each(agentClients)('the text for $name contains the address and the key, and is valid', (client) => {
  const text = client.text(address)
  expect(text).toContain('https://loci.example.org')
  // VS Code asks for the key and stores it; chat clients sign in.
  expect(text.includes('loci_key')).toBe(client.id !== 'vscode' && !client.isChat)
  if (client.where.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow()
})

test('clients that start a program get its path on this machine, else the published package', () => {
  const stdio = agentClients.find(({ id }) => id === 'stdio')!
  const started = (program: string | undefined) =>
    JSON.parse(stdio.text({ ...address, program })).mcpServers.loci
  expect(started('/opt/loci/server/bin/loci.js')).toMatchObject({
    command: 'node',
    args: ['/opt/loci/server/bin/loci.js', 'mcp'],
  })
  expect(started(undefined)).toMatchObject({
    command: 'npx',
    args: ['-y', '--prefer-offline', expect.stringMatching(/^@loci\/loci@\d+\.\d+\.\d+$/), 'mcp'],
  })
})

test.each(agentClients)('the text for $name leads to a space by its own server name', (client) => {
  const text = client.text(ofSpace)
  const isProgram = text.includes('LOCI_URL')
  expect(text).toContain(isProgram ? '"--space",' : ofSpace.url)
  expect(text).toContain(client.isChat ? ofSpace.url : 'loci-client-work')
  const link = client.link && decodeURIComponent(client.link(ofSpace))
  if (link !== undefined) expect(link).toContain('loci-client-work')
})

test("install links contain the server's address and no key", () => {
  const linkOf = (id: string) => agentClients.find((client) => client.id === id)!.link!(address)
  const cursor = new URL(linkOf('cursor'))
  expect([cursor.protocol, cursor.searchParams.get('name')]).toEqual(['cursor:', 'loci'])
  expect(JSON.parse(atob(cursor.searchParams.get('config')!))).toEqual({
    url: 'https://loci.example.org/mcp',
  })
  const [scheme, config] = linkOf('vscode').split('?')
  expect(scheme).toBe('vscode:mcp/install')
  expect(JSON.parse(decodeURIComponent(config!))).toEqual({
    name: 'loci',
    type: 'http',
    url: 'https://loci.example.org/mcp',
  })
})

test('chat clients can reach only a server with a public name over https', () => {
  expect(isReachableByChats('https://loci.example.org')).toBe(true)
  for (const origin of [
    'http://loci.example.org',
    'https://localhost:7400',
    'http://127.0.0.1:7400',
    'https://192.168.1.4',
    'https://nas.local',
    'https://nas',
    'https://[::1]:7400',
  ]) {
    expect([origin, isReachableByChats(origin)]).toEqual([origin, false])
  }
})
