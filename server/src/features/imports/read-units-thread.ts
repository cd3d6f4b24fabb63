import { read } from 'node:fs'
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import type { Position } from './import-progress.ts'
import { createPreparation } from './prepare-units.ts'
import { readUnits, weightOf } from './read-units.ts'

export type ReadingOrder = {
  /** Descriptor of the open file, which the other thread closes. */
  fd: number
  from: Position
  isPrepared: boolean
  batchesAhead: number
}

/** Approximate rows and characters per batch: few enough to read between two turns of the other thread. */
const rowsPerBatch = 250
const batchLengthMax = 256 * 1024

const { fd, from, isPrepared, batchesAhead } = workerData as ReadingOrder
const port = parentPort!
const readAt = promisify(read)

/** How many more batches the other thread wants. */
let wanted = batchesAhead
let wake: (() => void) | undefined
port.on('message', () => {
  wanted += 1
  wake?.()
})

/** Sent as JSON: objects would take the other thread longer to receive. */
async function post(batch: readonly string[]): Promise<void> {
  while (wanted === 0) {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    await promise
  }
  wanted -= 1
  port.postMessage(`[${batch.join(',')}]`)
}

const prepare = createPreparation()
let batch: string[] = []
let rows = 0
let length = 0
const file = {
  read: (buffer: Buffer, offset: number, length: number, position: number) =>
    readAt(fd, buffer, offset, length, position),
}
for await (const unit of readUnits(file, from)) {
  if (isPrepared) await prepare(unit)
  const text = JSON.stringify(unit)
  batch.push(text)
  rows += weightOf(unit)
  length += text.length
  if (rows < rowsPerBatch && length < batchLengthMax) continue
  await post(batch)
  batch = []
  rows = 0
  length = 0
}
if (batch.length > 0) await post(batch)
port.postMessage('')
port.close()
