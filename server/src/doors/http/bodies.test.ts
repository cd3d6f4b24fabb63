import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

type Sent = { status: number; code: string | undefined; message: string | undefined }

describeOnBothDatabases('a body', (server, dialect) => {
  let alice: Person
  let count = 0
  beforeAll(async () => {
    alice = await server().signUp()
  })

  /** Sends bytes as they are, with the given headers, and reads the answer. */
  async function sendRaw(
    body: Buffer,
    headers: Record<string, string>,
    path = '/api/entities',
  ): Promise<Sent> {
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
    const head = Object.entries({
      host: '127.0.0.1',
      connection: 'close',
      authorization: `Bearer ${alice.token}`,
      'content-type': 'application/json',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
    socket.write(body)
    const answer = await text(socket)
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
    const [, code] = /"code":"(\w+)"/.exec(answer) ?? []
    const [, message] = /"message":"([^"]+)"/.exec(answer) ?? []
    return { status, code, message }
  }

  const send = (body: Buffer, headers: Record<string, string> = {}) =>
    sendRaw(body, { 'content-length': String(body.length), ...headers })

  const sendInPieces = (body: Buffer, headers: Record<string, string> = {}) =>
    sendRaw(
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
      { 'transfer-encoding': 'chunked', ...headers },
    )

  const entity = (name: string) => JSON.stringify({ name, type: 'thing' })
  const fresh = (prefix = 'Thing') => `${prefix} ${++count}`
  const stored = async () =>
    (await alice.rest.listEntities({ query: { limit: '500' } })).entities.map(({ name }) => name)

  test('arrives whole or in pieces, with or without a charset', async () => {
    const names = ['Ünïcode 🧠', 'Pieces 🧠', 'Charset']
    expect((await send(Buffer.from(entity(names[0]!)))).status).toBe(201)
    expect((await sendInPieces(Buffer.from(entity(names[1]!)))).status).toBe(201)
    const named = { 'content-type': 'Application/JSON; Charset="UTF-8"' }
    expect((await send(Buffer.from(entity(names[2]!)), named)).status).toBe(201)
    expect(await stored()).toEqual(expect.arrayContaining(names))
  })

  test('may begin with a byte order mark', async () => {
    const name = fresh()
    expect((await send(Buffer.from(`\ufeff${entity(name)}`))).status).toBe(201)
    expect(await stored()).toContain(name)
  })

  test.each([
    ['whole', send],
    ['in pieces', sendInPieces],
  ])(
    'in another encoding that comes %s is refused, and nothing of it is stored',
    async (_title, sendBytes) => {
      const name = fresh('Caf\u00e9')
      for (const type of ['application/json', 'application/json; charset=iso-8859-1']) {
        const answer = await sendBytes(Buffer.from(entity(name), 'latin1'), { 'content-type': type })
        expect(answer).toEqual({
          status: 400,
          code: 'malformed_json',
          message: 'The body is not valid UTF-8',
        })
      }
      expect((await sendBytes(Buffer.from(entity(name), 'utf16le'))).code).toBe('malformed_json')
      expect((await stored()).filter((kept) => kept.startsWith('Caf'))).toEqual([])
    },
  )

  test.each(['gzip', 'br', 'x-unknown'])(
    'that is compressed with %s is refused with a reason',
    async (encoding) => {
      const answer = await send(gzipSync(entity(fresh())), { 'content-encoding': encoding })
      expect([answer.status, answer.code]).toEqual([415, 'not_json'])
      expect(answer.message).toContain('Content-Encoding')
    },
  )

  test('that says it is not compressed is taken', async () => {
    expect((await send(Buffer.from(entity(fresh())), { 'content-encoding': 'identity' })).status).toBe(201)
  })

  test.each([
    ['cut off in the middle', '{"name":"x",'],
    ['two values', '{} {}'],
    ['a comma too many', '{"name":"x","type":"y",}'],
    ['single quotes', "{'name':'x'}"],
    ['a comment', '{"name":"x"/* y */}'],
    ['not a number', '{"name":NaN}'],
    ['a line break in a text', '{"name":"a\nb","type":"y"}'],
  ])('of %s is malformed', async (_title, body) => {
    expect(await send(Buffer.from(body))).toMatchObject({ status: 400, code: 'malformed_json' })
  })

  test.each([
    ['a prototype', '{"name":"x","type":"y","__proto__":{"isAdmin":true}}'],
    ['a prototype within', '{"name":"x","type":"y","metadata":{"__proto__":{"isAdmin":true}}}'],
    [
      'a constructor with a prototype',
      '{"name":"x","metadata":{"constructor":{"prototype":{"isAdmin":true}}}}',
    ],
    ['a prototype and much else', `{"__proto__":{"isAdmin":true},"name":"${'x'.repeat(100_000)}"}`],
  ])('with %s is refused, naming the key', async (_title, body) => {
    const { status, code, message } = await send(Buffer.from(body))
    expect([status, code]).toEqual([400, 'validation_failed'])
    expect(message).toContain('__proto__')
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  })

  test.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '7'],
    ['nothing', ''],
    ['white space', ' \n'],
  ])('of %s is no entity', async (_title, body) => {
    const { status, code } = await send(Buffer.from(body))
    expect(status).toBe(400)
    expect(['validation_failed', 'malformed_json']).toContain(code)
  })

  test('nested very deep is answered, and the server goes on', async () => {
    const deep = `{"name":"x","type":"y","metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`
    expect((await send(Buffer.from(deep))).status).toBe(400)
    expect((await send(Buffer.from('['.repeat(200_000)))).status).toBe(400)
    expect((await send(Buffer.from(entity(fresh())))).status).toBe(201)
  })

  test('with a name twice counts with the last one', async () => {
    const name = fresh()
    expect((await send(Buffer.from(`{"name":"First","name":"${name}","type":"t"}`))).status).toBe(201)
    expect(await stored()).toContain(name)
    expect(await stored()).not.toContain('First')
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '',
  ])('of the type %j is refused with the one that is wanted', async (type) => {
    const answer = await send(Buffer.from(entity(fresh())), { 'content-type': type })
    expect(answer).toMatchObject({ status: 415, code: 'not_json' })
    expect(answer.message).toContain('application/json')
  })

  test.runIf(dialect === 'sqlite')('of a sign-in is at most 96 KiB, at the limit and one over', async () => {
    const withSize = (size: number) => {
      const start = '{"email":"a@b.de","password":"x","more":"'
      return Buffer.from(`${start}${'x'.repeat(size - start.length - 2)}"}`)
    }
    const login = (body: Buffer) => sendRaw(body, { 'content-length': String(body.length) }, '/auth/login')
    expect((await login(withSize(96 * 1024))).code).toBe('invalid_credentials')
    expect(await login(withSize(96 * 1024 + 1))).toEqual({
      status: 413,
      code: 'body_too_large',
      message: 'The body is larger than 96 KiB',
    })
  })

  /** Opens a connection and sends the head of a request to create an entity on it. */
  function begin(headers: Record<string, string>) {
    const socket = connect(Number(new URL(server().url).port), '127.0.0.1').on('error', () => {})
    const all = { host: '127.0.0.1', authorization: `Bearer ${alice.token}`, ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /api/entities HTTP/1.1\r\n${lines.join('')}\r\n`)
    return socket
  }

  test.runIf(dialect === 'sqlite').each([
    ['application/json', 413],
    ['text/plain', 415],
  ])(
    'of the type %s that is refused is answered to a client that sends all of it first',
    async (type, status) => {
      const body = Buffer.alloc(20 * 1024 * 1024, 'x')
      const socket = begin({
        'content-type': type,
        'content-length': String(body.length),
        connection: 'close',
      })
      await new Promise((resolve) => socket.write(body, resolve))
      expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    },
  )

  test.runIf(dialect === 'sqlite')('that never ends is cut off', async () => {
    const socket = begin({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    const closed = new Promise((resolve) => socket.on('close', resolve))
    const chunk = Buffer.from(`100000\r\n${'x'.repeat(0x100000)}\r\n`)
    const send = () => void (socket.destroyed || socket.write(chunk, () => setImmediate(send)))
    send()
    await closed
  })

  test('twice at once with one name makes one entity', async () => {
    const body = Buffer.from(entity(fresh()))
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })
})
