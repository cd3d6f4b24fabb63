import { expect, test } from 'vitest'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { withClient, withUserAgent } from './client-name.ts'

const actor = { accountId: 1 } as Actor

test('a program is known by its User-Agent, a library is not', () => {
  const nameOf = (userAgent?: string) => withUserAgent(actor, userAgent).client
  expect(nameOf('claude-code/2.1.0 (cli)')).toBe('claude-code')
  expect(nameOf('Cursor/3.4')).toBe('Cursor')
  expect(nameOf('openai-mcp')).toBe('openai-mcp')
  for (const other of [
    'node',
    'undici',
    'Mozilla/5.0 (X11)',
    'python-httpx/0.28',
    'python/3.13',
    '',
    '(none)',
    undefined,
  ])
    expect(nameOf(other)).toBeUndefined()
})

test("the client's own name takes precedence, without characters that databases refuse", () => {
  const named = withClient(withUserAgent(actor, 'x/1'), { name: ' a\0b\ud800 ', version: '1' })
  expect(named.client).toBe('a b\ufffd')
})
