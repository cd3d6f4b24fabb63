import { PassThrough } from 'node:stream'
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { parseJson } from '../../ground/lib/json.ts'
import { cancelledBy } from './finish-calls.ts'

/** The only protocol that has batches over stdio. */
const batchVersion = '2025-03-26'

/** Requests whose responses are sent together, once all have one. */
type Batch = { waiting: Set<unknown>; responses: object[] }

/**
 * MCP on standard input and output. Unlike the SDK's transport it answers lines that are no message, as JSON-RPC
 * requires, so that no client waits for a response; and in protocol 2025-03-26 a line can be a batch.
 */
export function createStdioTransport(): Transport {
  const { stdin: input, stdout: output } = process
  // The SDK's transport sends, and closes when the input ends; the lines are read here.
  const end = new PassThrough()
  const transport: Transport = new StdioServerTransport(end, output)
  let version: string | undefined
  transport.setProtocolVersion = (negotiated) => {
    version = negotiated
  }
  const write = (answer: object) => void output.write(`${JSON.stringify(answer)}\n`)
  const takeBatch = batchesOf(transport, write)
  const takeLine = (line: string) => {
    const message = parseJson(line)
    if (message === undefined) write(toRefusal(null, ProtocolErrorCode.ParseError, 'This line is not JSON'))
    else if (isMessage(message)) transport.onmessage?.(message)
    else if (Array.isArray(message) && message.length > 0 && version === batchVersion) takeBatch(message)
    else refusalsOf(message).forEach(write)
  }
  const take = lineReader(takeLine, (error) => {
    transport.onerror?.(error)
    void transport.close()
  })
  const { start, close } = transport
  transport.start = async () => {
    await start.call(transport)
    input.on('data', take).once('end', () => end.end())
    if (input.readableEnded || input.destroyed) end.end()
  }
  transport.close = async () => {
    input.off('data', take).pause()
    await close.call(transport)
  }
  return transport
}

/** Takes the messages of a batch. Their responses become one, which is left out if there are none. */
function batchesOf(transport: Transport, write: (answer: object) => void): (members: unknown[]) => void {
  const batches = new Set<Batch>()
  const settle = (id: unknown, ...responses: object[]) => {
    const batch = [...batches].find(({ waiting }) => waiting.delete(id))
    batch?.responses.push(...responses)
    if (batch !== undefined) endIfAnswered(batch)
    return batch !== undefined
  }
  const endIfAnswered = (batch: Batch) => {
    if (batch.waiting.size > 0) return
    batches.delete(batch)
    if (batch.responses.length > 0) write(batch.responses)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if ('method' in message || !settle(message.id, message)) await send(message, options)
  }
  return (members) => {
    const requests = members.filter((member) => isJSONRPCRequest(member))
    const batch = { waiting: new Set(requests.map(({ id }) => id)), responses: members.flatMap(refusalsOf) }
    batches.add(batch)
    for (const message of members.filter(isMessage)) {
      transport.onmessage?.(message)
      // The SDK does not respond to calls that the client cancelled.
      settle(cancelledBy(message))
    }
    endIfAnswered(batch)
  }
}

/** As in the SDK. */
const lineBytesMax = 10 * 1024 ** 2

function lineReader(take: (line: string) => void, fail: (error: Error) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    let from = 0
    for (let to = chunk.indexOf('\n'); to !== -1; to = chunk.indexOf('\n', from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, to)]).toString('utf8')
      rest = []
      bytes = 0
      from = to + 1
      if (line.trim() !== '') take(line)
    }
    bytes += chunk.length - from
    rest.push(chunk.subarray(from))
    if (bytes > lineBytesMax) fail(new Error(`A line has more than ${lineBytesMax} bytes`))
  }
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)

/** Empty for messages, and for what looks like a response: two sides that refuse each other's would never end. */
function refusalsOf(value: unknown): object[] {
  if (isMessage(value)) return []
  const { id, method, result, error } = Object(value) as Record<string, unknown>
  if (method === undefined && (result !== undefined || error !== undefined)) return []
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  const says = Array.isArray(value)
    ? 'A line is one message; only protocol 2025-03-26 has batches, of one or more'
    : 'This is not a JSON-RPC 2.0 request or notification'
  return [toRefusal(isId ? (id as RequestId) : null, ProtocolErrorCode.InvalidRequest, says)]
}

const toRefusal = (id: RequestId | null, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
