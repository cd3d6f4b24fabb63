import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { toRpcError } from './http.ts'
import { getPrompt, listPrompts, promptRights } from './prompts.ts'
import { toQuickCall } from './quick-call.ts'

const current = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': current,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const plain = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_graph', arguments: {} } }

const requestOf = (body: unknown, headers: Record<string, string> = {}, change = {}) =>
  ({ method: 'POST', body, headers, query: {}, ...change }) as unknown as FastifyRequest

const modern = (change = {}, headers = {}) =>
  requestOf(
    { ...plain, params: { ...plain.params, _meta: meta, ...change } },
    { 'mcp-protocol-version': current, 'mcp-method': 'tools/call', 'mcp-name': 'read_graph', ...headers },
  )

describe('a plain tool call', () => {
  test.each([
    ['without a version', {}],
    ['of the first version', { 'mcp-protocol-version': '2025-03-26' }],
    [
      'of a later version',
      { 'mcp-protocol-version': '2025-06-18', accept: 'application/json, text/event-stream' },
    ],
    ['that takes anything', { accept: '*/*' }],
  ])('%s is answered at once in the older form', (_title, headers) => {
    const call = toQuickCall(requestOf(plain, headers))!
    expect(call.tool.name).toBe('read_graph')
    const result = { content: [] }
    expect(call.toAnswer(result)).toEqual({ jsonrpc: '2.0', id: 1, result })
  })

  test.each([0, 'a', '', -1])('with the id %j is answered with that id', (id) => {
    expect(toQuickCall(requestOf({ ...plain, id }))?.toAnswer({ content: [] })).toMatchObject({ id })
  })

  test('of the current version is answered in its form, and tells who calls', () => {
    const clientInfo = { name: 'Agent\n', version: '1' }
    const withClient = { ...meta, 'io.modelcontextprotocol/clientInfo': clientInfo }
    const call = toQuickCall(modern({ _meta: withClient }))!
    expect(call.toAnswer({ content: [] })).toMatchObject({
      id: 1,
      result: { resultType: 'complete', _meta: expect.objectContaining({}) },
    })
    expect(call.callerOf({ client: 'old' } as unknown as Actor)).toEqual({ client: 'Agent' })
  })

  test.each<[string, FastifyRequest]>([
    ['a batch', requestOf([plain])],
    ['another method', requestOf({ ...plain, method: 'tools/list' })],
    ['no body', requestOf(undefined)],
    ['a text', requestOf('tools/call')],
    ['GET', requestOf(plain, {}, { method: 'GET' })],
    ['no parameters', requestOf({ ...plain, params: undefined })],
    ['parameters in a list', requestOf({ ...plain, params: ['read_graph'] })],
    ['a name that is no text', requestOf({ ...plain, params: { name: 7 } })],
    ['an unknown tool', requestOf({ ...plain, params: { name: 'explode' } })],
    ['a tool of another profile', requestOf({ ...plain, params: { name: 'fetch' } })],
    ['the name of a method of objects', requestOf({ ...plain, params: { name: 'constructor' } })],
    ['arguments in a list', requestOf({ ...plain, params: { name: 'read_graph', arguments: [] } })],
    ['arguments that are null', requestOf({ ...plain, params: { name: 'read_graph', arguments: null } })],
    ['meta that is no object', requestOf({ ...plain, params: { name: 'read_graph', _meta: 7 } })],
    ['a notification, which wants no answer', requestOf({ ...plain, id: undefined })],
    ['an id that is null', requestOf({ ...plain, id: null })],
    ['an id that is an object', requestOf({ ...plain, id: {} })],
    ['another version of JSON-RPC', requestOf({ ...plain, jsonrpc: '1.0' })],
    ['no version of JSON-RPC', requestOf({ ...plain, jsonrpc: undefined })],
    ['an unknown version of the protocol', requestOf(plain, { 'mcp-protocol-version': '2031-01-01' })],
    ['the current version in its header alone', requestOf(plain, { 'mcp-protocol-version': current })],
    ['a method in the header of an older call', requestOf(plain, { 'mcp-method': 'tools/call' })],
    ['a page that wants HTML', requestOf(plain, { accept: 'text/html' })],
    ['a stream alone', requestOf(plain, { accept: 'text/event-stream' })],
    ['another name in the header', modern({}, { 'mcp-name': 'open_nodes' })],
    ['another method in the header', modern({}, { 'mcp-method': 'tools/list' })],
    ['another version in the header', modern({}, { 'mcp-protocol-version': '2025-06-18' })],
  ])('with %s is left to the SDK', (_title, request) => {
    expect(toQuickCall(request)).toBeUndefined()
  })

  test('of the profile for ChatGPT finds its tools', () => {
    const call = { ...plain, params: { name: 'fetch', arguments: { id: 'ent_1' } } }
    expect(toQuickCall(requestOf(call, {}, { query: { profile: 'chatgpt' } }))?.tool.name).toBe('fetch')
  })
})

describe('prompts', () => {
  test('are listed by the rights of the caller', () => {
    const names = (right?: string) =>
      listPrompts((own) => right === undefined || own === right).map(({ name }) => name)
    expect(names()).toEqual(promptRights.map(({ name }) => name))
    expect(names('memory:read')).toEqual(['recall_before_task'])
    expect(names('none')).toEqual([])
  })

  const textOf = (name: string, args?: Record<string, string>) => {
    const [message] = getPrompt(name, args).messages
    return message?.content.type === 'text' ? message.content.text : ''
  }

  test('hold what the caller gives, as it is', () => {
    const task = 'Fix `a` & <b>\n$& {task} 🧠'
    expect(textOf('recall_before_task', { task })).toMatch(/Task: Fix/)
    expect(textOf('recall_before_task', { task }).endsWith(`Task: ${task}`)).toBe(true)
    expect(textOf('save_after_task', { focus: 'tea' })).toMatch(/Pay attention to: tea$/)
    expect(textOf('save_after_task')).toBe(textOf('save_after_task', { focus: '' }))
    expect(textOf('save_after_task')).not.toContain('Pay attention')
  })

  test.each([
    ['recall_before_task', {}, 'Argument task is required'],
    ['forget_everything', {}, 'Prompt forget_everything not found'],
    ['', {}, 'Prompt  not found'],
    ['toString', {}, 'Prompt toString not found'],
  ])('%j with %j are refused', (name, args, message) => {
    expect(() => getPrompt(name, args)).toThrow(message)
  })
})

describe('a refusal before there is a call', () => {
  test.each([
    ['malformed_json', -32_700],
    ['validation_failed', -32_600],
    ['internal', -32_603],
    ['not_authenticated', -32_000],
    ['rate_limited', -32_000],
    ['database_unavailable', -32_000],
  ] as const)('%s has the code %d, and our own beside it', (code, rpcCode) => {
    expect(toRpcError(new AppError(code, 'Words'))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: rpcCode, message: 'Words', data: { code } },
    })
  })

  test('keeps its details', () => {
    const details = [{ path: 'name' }]
    expect(toRpcError(new AppError('validation_failed', 'Words', { details }))).toMatchObject({
      error: { data: { code: 'validation_failed', details } },
    })
  })
})
