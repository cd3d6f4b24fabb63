import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Copies the write-ahead log into the database file (https://www.sqlite.org/wal.html#ckpt) in a separate thread. */
export type Checkpointer = {
  /** Resolves when a checkpoint that began after this call has ended. */
  run: () => Promise<void>
  isRunning: () => boolean
  close: () => Promise<void>
}

/**
 * Inlined as text, so that a bundle needs no file beside it. Pages that one checkpoint fails to copy are copied by
 * the next.
 */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData, { timeout: 0 })
  const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
  parentPort.on('message', (message) => {
    if (message === 'close') {
      database.close()
      parentPort.close()
      return
    }
    try {
      checkpoint.get()
    } catch {}
    parentPort.postMessage('done')
  })
`

/**
 * The thread starts when it is first needed.
 * @param runHere runs a checkpoint in this thread, for when the other has died
 */
export function createCheckpointer(file: string, runHere: () => void): Checkpointer {
  const waiting: (() => void)[] = []
  let worker: Worker | undefined
  let hasDied = false

  function start(): Worker {
    const started = new Worker(program, { eval: true, workerData: file })
    // Callers that wait keep the process alive; the thread alone does not.
    started.unref()
    started.on('message', () => waiting.shift()?.())
    started.on('error', () => {
      hasDied = true
      for (const resolve of waiting.splice(0)) resolve()
    })
    return started
  }

  return {
    isRunning: () => waiting.length > 0,
    async run() {
      if (hasDied) return runHere()
      worker ??= start()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      worker.postMessage('checkpoint')
      await promise
    },
    async close() {
      if (worker === undefined || hasDied) return
      const exited = once(worker, 'exit')
      worker.ref()
      worker.postMessage('close')
      await exited
    },
  }
}
