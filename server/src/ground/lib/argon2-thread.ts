import { parentPort, workerData } from 'node:worker_threads'
import { argon2id } from 'hash-wasm'
import type { Argon2Order } from './argon2.ts'

const { message, nonce, memory, passes, parallelism, tagLength } = workerData as Argon2Order
const tag = await argon2id({
  password: message,
  salt: nonce,
  memorySize: memory,
  iterations: passes,
  parallelism,
  hashLength: tagLength,
  outputType: 'binary',
})
parentPort!.postMessage(tag)
