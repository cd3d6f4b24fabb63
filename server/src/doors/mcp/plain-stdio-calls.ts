import type { CallToolResult, JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { OnGone } from '../../ground/lib/call-queue.ts'
import { cancelledBy } from './finish-calls.ts'
import { findTool } from './profiles.ts'
import { isToolCall, type ToolCall } from './quick-call.ts'
import type { Tool } from './tool.ts'

type PlainCall = ToolCall & { tool: Tool }
/** Must not throw. */
export type Answer = (tool: Tool, args: unknown, onGone: OnGone) => Promise<CallToolResult>

/** Parameters of a call that needs nothing of the SDK. Our tools report no progress. */
const plainParameters = new Set(['name', 'arguments', '_meta'])
const plainMeta = new Set(['progressToken'])

/**
 * Answers plain tool calls on a served transport without the SDK, which validates each request and result
 * again. While `answerNow` returns undefined, and for anything unusual or malformed, the SDK answers.
 */
export function answerPlainCalls(
  transport: Transport,
  answerNow: () => Answer | undefined,
  onerror: (error: unknown) => void,
): void {
  /** How to end each running call that waits for its turn. */
  const running = new Map<unknown, () => void>()
  const run = async ({ id, tool, params }: PlainCall, answer: Answer) => {
    running.set(id, () => {})
    const result = await answer(tool, params.arguments, (leave) => running.set(id, leave))
    // Cancelled calls get no response.
    if (running.delete(id)) await transport.send({ jsonrpc: '2.0', id, result })
  }
  const { onmessage: deliver } = transport
  transport.onmessage = (message, extra) => {
    const cancelled = cancelledBy(message)
    const leave = running.get(cancelled)
    if (leave !== undefined) {
      running.delete(cancelled)
      leave()
      return
    }
    const call = toPlainCall(message)
    const answer = call === undefined || running.has(call.id) ? undefined : answerNow()
    if (answer === undefined) deliver?.(message, extra)
    else void run(call!, answer).catch(onerror)
  }
}

function toPlainCall(message: JSONRPCMessage): PlainCall | undefined {
  if (!isToolCall(message) || message.id === undefined) return undefined
  const { id, params } = message
  const isPlain =
    Object.keys(params).every((key) => plainParameters.has(key)) &&
    Object.keys(params._meta ?? {}).every((key) => plainMeta.has(key))
  const tool = isPlain ? findTool(params.name) : undefined
  return tool && { id, params, tool }
}
