import { expect, test } from 'vitest'
import { addressOf, agentClients, isReachableByChats } from './snippets.ts'

const address = addressOf('https://loci.example.org', 'loci_key', '')

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
    'Other clients (HTTP)',
    'Other clients (stdio)',
  ])
})

test.each(agentClients)('the text for $name holds the address and the key, and is sound', (client) => {
  const text = client.text(address)
  expect(text).toContain('https://loci.example.org')
  // VS Code asks for the key and keeps it; chats sign in.
  expect(text.includes('loci_key')).toBe(client.id !== 'vscode' && !client.isChat)
  if (client.where.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow()
})

test('clients that start a program get its place on this machine, where the server tells it', () => {
  const stdio = agentClients.find(({ id }) => id === 'stdio')!
  const local = addressOf('http://127.0.0.1:7400', 'loci_key', '/opt/loci/server/bin/loci.js')
  expect(JSON.parse(stdio.text(local)).mcpServers.loci.args[0]).toBe('/opt/loci/server/bin/loci.js')
  expect(stdio.hint(local)).not.toContain('put in the path')
  expect(stdio.text(address)).toContain('/path/to/loci/')
  expect(stdio.hint(address)).toContain('put in the path')
})

test('chats reach a server with a public name over https, and no other', () => {
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
