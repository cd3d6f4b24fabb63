import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Actor } from '../auth/actor.ts'
import type { Context } from '../context.ts'
import { createMcpServer } from './server.ts'

/** Serves MCP on standard input and output until the input ends. */
export async function serveMcpOverStdio(ctx: Context, actor: Actor): Promise<void> {
  const handle = serveStdio(() => createMcpServer(ctx, actor), {
    onerror: (error) => ctx.log.warn({ err: error }, 'mcp'),
  })
  await endOfInput()
  await handle.close()
}

/** Resolves when whoever started us closes our input or asks us to stop. */
export function endOfInput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
