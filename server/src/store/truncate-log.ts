import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Readers and other writers can hold the log for a moment. Inlined as text, so that a bundle needs no file beside it.
 */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData, { timeout: 500 })
  // Copies most of it without keeping writers waiting.
  database.prepare('pragma wal_checkpoint(passive)').get()
  let isBusy = true
  for (let tries = 0; isBusy && tries < 40; tries++) {
    isBusy = database.prepare('pragma wal_checkpoint(truncate)').get().busy === 1
    if (isBusy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  database.close()
  parentPort.postMessage(isBusy)
`

/**
 * Copies the write-ahead log into the database file and empties it, since it keeps earlier versions of pages. Returns
 * false if others used it all the time; then it is emptied when they have closed the database.
 */
export async function truncateLog(file: string): Promise<boolean> {
  const [isBusy] = await once(new Worker(program, { eval: true, workerData: file }), 'message')
  return isBusy === false
}
