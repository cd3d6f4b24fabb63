import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { hasMemoryForThreads } from '../../ground/memory-limit.ts'
import type { Progress } from './import-progress.ts'
import { createPreparation } from './prepare-units.ts'
import { type ImportUnit, readUnits } from './read-units.ts'
import type { ReadingOrder } from './read-units-thread.ts'

/** Smaller files are read by this thread: starting another takes a few hundred milliseconds. */
const threadFromBytes = 256 * 1024
const batchesAhead = 8
/** Limits the heap of a thread that produces much garbage. */
const youngGenerationMb = 8
/** V8 fills most of its limit before it collects garbage. Room for ten lines of the maximum length. */
const oldGenerationMb = 256

/** The units of a file from the current position of an import, ready to store. */
export function unitsToImport(
  file: FileHandle,
  bytes: number,
  { pass, position }: Progress,
): AsyncGenerator<ImportUnit, void> {
  const isPrepared = pass === 'entities'
  const isSmall = bytes - position.offset < threadFromBytes
  if (isSmall || !hasMemoryForThreads()) return readHere(file, position, isPrepared)
  return readInThread({ fd: file.fd, from: position, isPrepared, batchesAhead })
}

async function* readHere(
  file: FileHandle,
  from: Progress['position'],
  isPrepared: boolean,
): AsyncGenerator<ImportUnit, void> {
  const prepare = createPreparation()
  for await (const unit of readUnits(file, from)) {
    if (isPrepared) await prepare(unit)
    yield unit
  }
}

/** Reads, checks and analyses some batches ahead in another thread. */
async function* readInThread(order: ReadingOrder): AsyncGenerator<ImportUnit, void> {
  const worker = new Worker(new URL('./read-units-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb, maxOldGenerationSizeMb: oldGenerationMb },
  })
  const received: string[] = []
  let failure: unknown
  let wake = () => {}
  worker.on('message', (batch: string) => {
    received.push(batch)
    wake()
  })
  const fail = (error: unknown) => {
    failure ??= error
    wake()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The thread that reads the file has ended')))
  try {
    for (;;) {
      const batch = received.shift()
      if (batch === '') return
      if (batch !== undefined) {
        worker.postMessage('more')
        yield* JSON.parse(batch) as ImportUnit[]
      } else if (failure !== undefined) throw failure
      else {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
    }
  } finally {
    await worker.terminate()
  }
}
