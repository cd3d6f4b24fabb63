import { Worker } from 'node:worker_threads'

export type Order = {
  url: string
  method: string
  headers: Record<string, string>
  body?: Buffer | undefined
}

/** Sends requests from a thread of its own, so that this thread does only the server's work. */
export function startSender() {
  const worker = new Worker(program, { eval: true })
  return {
    /** The status and length of the answer. */
    async send(order: Order): Promise<{ status: number; bytes: number; text: string }> {
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number
        bytes: number
        text: string
      }>()
      worker.once('message', resolve)
      worker.once('error', reject)
      const body = order.body === undefined ? undefined : new Uint8Array(order.body)
      worker.postMessage({ ...order, body }, body === undefined ? [] : [body.buffer])
      return promise.finally(() => worker.removeAllListeners('error'))
    },
    close: () => worker.terminate(),
  }
}

// A server that refuses a body closes the connection: then the answer counts, not the failure to send the rest.
const program = `
  const { parentPort } = require('node:worker_threads')
  const { request } = require('node:http')
  parentPort.on('message', ({ url, method, headers, body }) => {
    let isOver = false
    const finish = (answer) => {
      if (!isOver) parentPort.postMessage(answer)
      isOver = true
    }
    const outgoing = request(url, { method, headers: { ...headers, connection: 'close' } }, (answer) => {
      const status = answer.statusCode
      let bytes = 0
      let text = ''
      answer.on('data', (chunk) => {
        bytes += chunk.length
        if (text.length < 300) text += chunk.toString('latin1', 0, 300)
      })
      answer.on('close', () => finish({ status, bytes, text: text.slice(0, 300) }))
    })
    outgoing.on('error', (error) => setTimeout(finish, 1_000, { status: 0, bytes: 0, text: String(error) }))
    outgoing.end(body)
  })
`
