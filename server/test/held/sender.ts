import { Worker } from 'node:worker_threads'

export type Order = {
  url: string
  method: string
  headers: Record<string, string>
  body?: Buffer | undefined
}

/** `text` is the beginning of the answer, or of the error of a tool. */
type Answer = { status: number; text: string }

/** Sends requests from a thread of its own, so that this thread does only the server's work. */
export function startSender() {
  const worker = new Worker(program, { eval: true })
  return {
    async send(order: Order): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
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
// Connections are not used again, since one that is about to close would refuse the next call.
const program = `
  const { parentPort } = require('node:worker_threads')
  const { request } = require('node:http')
  parentPort.on('message', ({ url, method, headers, body }) => {
    let isOver = false
    const finish = (answer) => {
      if (!isOver) parentPort.postMessage(answer)
      isOver = true
    }
    const length = body === undefined ? {} : { 'content-length': body.length }
    const outgoing = request(url, { method, headers: { ...headers, ...length }, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('latin1')
      answer.on('data', (chunk) => (text += chunk))
      answer.on('close', () => {
        const status = text.includes('"isError":true') ? 400 : answer.statusCode
        finish({ status, text: text.slice(0, 300) })
      })
    })
    outgoing.on('error', (error) => setTimeout(finish, 1_000, { status: 0, text: String(error) }))
    outgoing.end(body)
  })
`
