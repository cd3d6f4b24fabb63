import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

export type Argon2Order = {
  message: Buffer
  nonce: Buffer
  /** In KiB. */
  memory: number
  passes: number
  parallelism: number
  /** In bytes. */
  tagLength: number
}

/** Built into Node from 24.7 on. */
const native: typeof crypto.argon2 | undefined = crypto.argon2

/** argon2id (RFC 9106), never on the thread that serves calls. */
export const argon2id: (order: Argon2Order) => Promise<Buffer> =
  native === undefined
    ? argon2idAside
    : (order) =>
        (promisify(native) as (algorithm: string, order: Argon2Order) => Promise<Buffer>)('argon2id', order)

/** The same in WebAssembly in a separate thread, for Node versions without it. */
export async function argon2idAside(order: Argon2Order): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const worker = new Worker(new URL('./argon2-thread.ts', import.meta.url), { workerData: order })
  worker.on('message', (tag: Uint8Array) => resolve(Buffer.from(tag)))
  worker.on('error', reject)
  worker.on('exit', () => reject(new Error('The thread that hashes a password has ended')))
  return promise
}
