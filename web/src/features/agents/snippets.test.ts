import { expect, test } from 'vitest'
import { addressOf, agentClients } from './snippets.ts'

const address = addressOf('https://loci.example.org', 'loci_key')

test('the clients are offered by their names', () => {
  expect(agentClients.map(({ name }) => name)).toEqual([
    'Claude Code',
    'Claude Desktop',
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
  // VS Code asks for the key and keeps it.
  expect(text.includes('loci_key')).toBe(client.id !== 'vscode')
  if (client.where.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow()
})
