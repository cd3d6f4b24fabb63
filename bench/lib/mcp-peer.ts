import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { processorMsOf } from './process-use.ts'

/** A minimal client, so that the benchmark measures the server. One call at a time. */
export type McpPeer = {
  /** Calls a tool; returns the text of its result. Throws if the tool refuses. */
  call: (tool: string, args: object) => Promise<string>
  /** Milliseconds of processor time used by the server's process; NaN if unknown. */
  processorMs: () => number
  close: () => Promise<void>
}

type Send = (message: object) => Promise<string>
type Answer = { error?: object; result: { isError?: boolean; content: { text: string }[] } }

const protocolVersion = '2025-06-18'
export const hello = {
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}

export function callTool(tool: string, args: object, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args } }
}

function toPeer(send: Send, close: McpPeer['close'], pid?: number): McpPeer {
  return {
    async call(tool, args) {
      const { error, result } = JSON.parse(await send(callTool(tool, args))) as Answer
      if (error !== undefined || result.isError)
        throw new Error(`${tool}: ${JSON.stringify(error ?? result)}`)
      return result.content[0]?.text ?? ''
    },
    processorMs: () => (pid === undefined ? Number.NaN : processorMsOf(pid)),
    close,
  }
}

/** A Node program that speaks MCP on its standard input and output. */
export async function startStdioPeer(args: readonly string[], env: Record<string, string>): Promise<McpPeer> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = createInterface(child.stdout)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${args.join(' ')} ended with ${code}`)
  })
  ended.catch(() => {})
  const send = async (message: object) => {
    const answer = Promise.race([once(lines, 'line'), ended])
    child.stdin.write(`${JSON.stringify(message)}\n`)
    return String((await answer)[0])
  }
  await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return toPeer(
    send,
    async () => {
      child.kill()
      await once(child, 'exit')
    },
    child.pid,
  )
}

/** Headers of a stateless call over HTTP. */
export const mcpHeaders = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': protocolVersion,
})

/** A server at an address. */
export function connectHttpPeer(url: string, token: string): McpPeer {
  const agent = new Agent({ keepAlive: true })
  const send = async (message: object) => {
    const call = request(`${url}/mcp`, { method: 'POST', agent, headers: mcpHeaders(token) })
    call.end(JSON.stringify(message))
    const [answer] = await once(call, 'response')
    const body = await text(answer)
    // An event stream of one event, or the JSON itself.
    return /^data: (.*)$/m.exec(body)?.[1] ?? body
  }
  return toPeer(send, async () => agent.destroy())
}
