import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

const withBody = Object.entries<Endpoint>(api).filter(
  ([, { access, body, consumes }]) => access !== 'public' && (body !== undefined || consumes !== undefined),
)

describeOnBothDatabases('credentials and bodies', (server) => {
  /** Sends `parts` of a body with pauses in between; returns the response. */
  async function send(path: string, parts: (string | number)[], headers: Record<string, string>) {
    const outgoing = request(server().url + path, { method: 'POST', headers })
    outgoing.on('error', () => {})
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    outgoing.flushHeaders()
    for (const part of parts) await (typeof part === 'number' ? sleep(part) : outgoing.write(part))
    const ended = parts.at(-1) === ''
    if (ended) outgoing.end()
    const [answer] = await answered
    const body = JSON.parse(await text(answer))
    outgoing.destroy()
    return { status: answer.statusCode, code: body.error?.data?.code ?? body.error?.code }
  }

  test.each(withBody)('%s answers 401 to a stranger, whatever the body', async (_, { method, path }) => {
    for (const type of ['application/json', 'text/plain', 'application/jsonl']) {
      const { status } = await server().call(method, path.replace(/:\w+/g, 'x'), {
        body: '{not json',
        headers: { 'content-type': type },
      })
      expect([type, status]).toEqual([type, 401])
    }
  })

  test.each(['/api/entities', '/api/import', '/mcp'])(
    '%s refuses a stranger before the body has come',
    async (path) => {
      const type = path === '/api/import' ? 'application/jsonl' : 'application/json'
      const headers = { 'content-type': type, 'content-length': '8000000' }
      expect(await send(path, ['{'], headers)).toEqual({ status: 401, code: 'not_authenticated' })
    },
  )

  test('a key that ends while the body arrives stores nothing', async () => {
    const { rest } = await server().signUp()
    const { id, apiKey } = await rest.createKey({ body: { name: 'agent' } })
    const body = JSON.stringify({ name: 'Late', type: 'thing' })
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    }
    const sending = send('/api/entities', [body.slice(0, 5), 1_100, body.slice(5), ''], headers)
    await sleep(300)
    await rest.deleteKey({ params: { id } })
    expect(await sending).toEqual({ status: 401, code: 'not_authenticated' })
    expect((await rest.listEntities()).total).toBe(0)
  })

  test('bodies without credentials must be small', async () => {
    const body = { email: 'a@example.com', password: 'x'.repeat(100_000) }
    const { status, body: answer } = await server().call('POST', '/auth/login', { body })
    expect([status, answer.error]).toEqual([
      413,
      { code: 'body_too_large', message: 'The body is larger than 96 KiB' },
    ])
  })
})
