import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { describe, expect, test, vi } from 'vitest'
import { ApiError, createRestClient, type RestClient, type RestOptions } from './rest.ts'

type Sent = { url: string; method: string; headers: Headers; body: unknown; signal: unknown; duplex: unknown }
type AnyCall = (input?: object) => Promise<unknown>

/** A client whose requests are recorded and answered with `answer`. */
function recorder(answer: () => Response = () => Response.json({}), options: Partial<RestOptions> = {}) {
  const sent: Sent[] = []
  const record = async (url: string | URL | Request, init: RequestInit & { duplex?: string } = {}) => {
    const { method = 'GET', headers, body, signal, duplex } = init
    sent.push({ url: String(url), method, headers: new Headers(headers), body, signal, duplex })
    return answer()
  }
  const rest = createRestClient({ baseUrl: 'http://loci.test', fetch: record as typeof fetch, ...options })
  return { rest, sent, callOf: (id: keyof RestClient) => rest[id] as unknown as AnyCall }
}

const operations = Object.entries<Endpoint>(api)
const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

describe('each call of the contract', () => {
  test.each(operations)(
    '%s is a method that goes to its address',
    async (id, { method, path, consumes, produces }) => {
      const { sent, callOf } = recorder()
      const params = Object.fromEntries(namesIn(path).map((name) => [name, `a/b ${name}?`]))
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const answer = await callOf(id as keyof RestClient)({ params, ...(hasBody ? { body: { a: 1 } } : {}) })
      const [{ url, headers, ...request }] = sent as [Sent]
      expect(request.method).toBe(method)
      const expected = path.replace(/:(\w+)/g, (_, name) => `a%2Fb%20${name}%3F`)
      expect(url).toBe(`http://loci.test${expected}`)
      if (hasBody) expect(headers.get('content-type')).toBe(consumes?.[0] ?? 'application/json')
      if (hasBody && consumes === undefined) expect(request.body).toBe('{"a":1}')
      expect(answer instanceof Response).toBe(produces !== undefined)
    },
  )

  test('has an address of its own', () => {
    const addresses = operations.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})

describe('a request', () => {
  test('carries the token and the headers of this moment, and those of the call before them', async () => {
    let token: string | undefined
    const { rest, sent } = recorder(undefined, {
      token: () => token,
      headers: () => ({ 'loci-space': token ?? 'none', 'if-match': 'old' }),
    })
    await rest.me()
    token = 'two'
    await rest.me({ headers: { 'If-Match': 'new' } } as never)
    expect(sent.map(({ headers }) => [headers.get('authorization'), headers.get('loci-space')])).toEqual([
      [null, 'none'],
      ['Bearer two', 'two'],
    ])
    expect(sent[0]!.headers.get('content-type')).toBe(null)
  })

  test('leaves undefined parameters out and encodes the others', async () => {
    const { rest, sent } = recorder()
    await rest.listEntities({
      query: { query: 'a&b=c d', types: 'x,y', limit: undefined, cursor: '' } as never,
    })
    const { search, searchParams } = new URL(sent[0]!.url)
    expect([...searchParams.keys()]).toEqual(['query', 'types', 'cursor'])
    expect(searchParams.get('query')).toBe('a&b=c d')
    expect(search).not.toContain(' ')
  })

  test('sends a file as it is, and a stream in halves', async () => {
    const { callOf, sent } = recorder()
    const body = new Blob(['{}'])
    const upload = operations.find(([, { consumes }]) => consumes !== undefined)![0] as keyof RestClient
    await callOf(upload)({ body })
    expect([sent[0]!.body, sent[0]!.duplex]).toEqual([body, 'half'])
  })

  test('that is aborted ends with the reason', async () => {
    const never = (_url: unknown, { signal }: RequestInit = {}) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const rest = createRestClient({ baseUrl: '', fetch: never as typeof fetch })
    const stop = new AbortController()
    const asked = rest.listEntities({ signal: stop.signal } as never)
    stop.abort(new Error('The person left'))
    await expect(asked).rejects.toThrow('The person left')
  })
})

describe('a response', () => {
  test('without a body is undefined', async () => {
    const { rest } = recorder(() => new Response(null, { status: 204 }))
    expect(await rest.deleteEntity({ params: { id: 'ent_1' } })).toBeUndefined()
  })

  test('shows its headers to who asks, unless it is a refusal', async () => {
    const onHeaders = vi.fn()
    const { rest } = recorder(() => Response.json({}, { headers: { etag: '"7"' } }))
    await rest.getEntity({ params: { id: 'ent_1' }, onHeaders })
    expect(onHeaders.mock.calls[0]![0].get('etag')).toBe('"7"')
    const refused = recorder(() => Response.json({}, { status: 404, headers: { etag: '"7"' } }))
    await expect(refused.rest.getEntity({ params: { id: 'ent_1' }, onHeaders })).rejects.toThrow()
    expect(onHeaders).toHaveBeenCalledOnce()
  })

  test.each<[string, number, string, object]>([
    [
      'of ours',
      409,
      '{"error":{"code":"entity_name_taken","message":"Taken","details":[{"id":"ent_1"}]}}',
      { code: 'entity_name_taken', message: 'Taken', details: [{ id: 'ent_1' }] },
    ],
    [
      'without details',
      404,
      '{"error":{"code":"not_found","message":"No"}}',
      { code: 'not_found', details: [] },
    ],
    ['of a proxy in HTML', 502, '<html>', { code: 'internal', message: 'The server answered 502' }],
    ['without a body', 503, '', { code: 'internal', message: 'The server answered 503' }],
    ['that is JSON of another kind', 400, '{"error":"no"}', { code: 'internal' }],
    ['that is null', 500, 'null', { code: 'internal' }],
    ['with a code that is no text', 500, '{"error":{"code":7,"message":"x"}}', { code: 'internal' }],
  ])('that refuses, %s, is an ApiError', async (_title, status, body, expected) => {
    const onError = vi.fn()
    const { rest } = recorder(() => new Response(body, { status }), { onError })
    const error = await rest.me().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ name: 'ApiError', status, details: [], ...expected })
    expect(onError).toHaveBeenCalledExactlyOnceWith(error)
  })

  test('that never came is the error of the network, and none of ours', async () => {
    const onError = vi.fn()
    const { rest } = recorder(
      () => {
        throw new TypeError('fetch failed')
      },
      { onError },
    )
    await expect(rest.me()).rejects.toThrow('fetch failed')
    expect(onError).not.toHaveBeenCalled()
  })
})
