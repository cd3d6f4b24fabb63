import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server'
import { secondMs } from '../../ground/lib/time.ts'

/** How long running calls can keep a closing transport open. */
const waitMsMax = 10 * secondMs

/**
 * Makes a served transport answer all requests received before it closes, for at most `waitMs`. The
 * SDK's own close aborts them, so an agent that closes our input right after its last call would lose
 * that call. Resolves when it is closed, which it also does by itself.
 */
export function finishCallsBeforeClose(transport: Transport, waitMs = waitMsMax): Promise<void> {
  const running = new Set<unknown>()
  let onIdle = () => {}
  const settle = (id: unknown) => {
    if (running.delete(id) && running.size === 0) onIdle()
  }
  const { onmessage: deliver } = transport
  transport.onmessage = (message, extra) => {
    if (isCall(message)) running.add(message.id)
    deliver?.(message, extra)
    // The SDK does not respond to calls that the client cancelled.
    settle(cancelledBy(message))
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    try {
      await send(message, options)
    } finally {
      if (!('method' in message)) settle(message.id)
    }
  }
  const idle = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      onIdle = () => resolve(clearTimeout(timer))
      if (running.size === 0) onIdle()
    })
  const close = transport.close.bind(transport)
  return new Promise((resolve) => {
    let closing: Promise<void> | undefined
    transport.close = () => {
      closing ??= idle().then(close).finally(resolve)
      return closing
    }
  })
}

/** The id of the request that a message cancels. Transports deliver only valid messages. */
export const cancelledBy = (message: JSONRPCMessage): unknown =>
  'method' in message && message.method === 'notifications/cancelled' ? message.params?.requestId : undefined

/** A request with one response; a subscription's response stays open for as long as the connection does. */
function isCall(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.method !== 'subscriptions/listen'
}
