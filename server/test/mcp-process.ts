import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compiledCode } from './compiled-code.ts'

const program = fileURLToPath(new URL('../bin/loci.js', import.meta.url))

/** `loci mcp` with only the test on its pipes. */
export type McpProcess = {
  child: ChildProcessWithoutNullStreams
  send: (message: object) => void
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into messages of every shape.
  nextLine: () => Promise<any>
  /** Its output, once it has exited. */
  ended: Promise<{ code: number | null; out: string; err: string }>
}

/** The request that opens a connection in the 2025 protocols. */
export const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

export function startMcpProcess(env: Record<string, string>, cwd?: string): McpProcess {
  const child = spawn(process.execPath, [program, 'mcp'], {
    cwd,
    env: { PATH: process.env.PATH, ...compiledCode, ...env },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const lines = createInterface(child.stdout)
  return {
    child,
    send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    nextLine: async () => JSON.parse(String((await once(lines, 'line'))[0])),
    ended: once(child, 'close').then(([code]) => ({ code, out, err })),
  }
}
