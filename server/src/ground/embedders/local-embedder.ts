import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ConfigError, type EmbeddingsConfig } from '../config/config.ts'
import { toUnit } from '../lib/vectors.ts'
import { type Embedder, EmbedderError, toInput } from './embedder.ts'
import type { ThreadAnswer, ThreadOrder } from './local-model-thread.ts'

const library = '@huggingface/transformers'
const needed = ['config.json', 'tokenizer.json']
const models = ['onnx/model.onnx', 'onnx/model_quantized.onnx']

/**
 * A sentence-transformers folder with an ONNX model, run in a thread of this process. The library is not installed
 * with Loci, since it and its runtime are hundreds of megabytes. Throws {@link ConfigError} if something is missing.
 */
export function createLocalEmbedder(config: EmbeddingsConfig, dir: string): Embedder {
  requireFiles(dir)
  requireLibrary()
  const thread = new ModelThread(dir, !existsSync(join(dir, models[0]!)))
  return {
    identity: JSON.stringify([`dir:${basename(dir)}`, null, config.queryPrefix, config.passagePrefix]),
    model: basename(dir),
    // A question waits for the current call.
    textsPerCall: 8,
    callsAtOnce: 1,
    async embed(texts, kind, signal) {
      const vectors = await thread.ask(
        texts.map((text) => toInput(config, text, kind)),
        signal,
      )
      return vectors.map((values) => {
        const vector = toUnit(values)
        if (vector === undefined) throw new EmbedderError('The model answered something that is no vector')
        return vector
      })
    },
    close: () => thread.close(),
  }
}

function requireFiles(dir: string): void {
  const missing = needed.filter((file) => !existsSync(join(dir, file)))
  if (!models.some((file) => existsSync(join(dir, file)))) missing.push(models.join(' or '))
  if (missing.length === 0) return
  throw new ConfigError(`LOCI_EMBEDDINGS_DIR: ${dir} lacks ${missing.join(', ')}`)
}

function requireLibrary(): void {
  try {
    createRequire(import.meta.url).resolve(library)
  } catch (cause) {
    throw new ConfigError(
      `LOCI_EMBEDDINGS_DIR needs the package ${library}, which is not installed. Run: npm install ${library}`,
      { cause },
    )
  }
}

type Asker = { resolve: (vectors: number[][]) => void; reject: (error: unknown) => void }

/** Starts with its first text, and again after it crashed. */
class ModelThread {
  readonly #order: { dir: string; isQuantized: boolean }
  readonly #askers = new Map<number, Asker>()
  #worker: Worker | undefined
  #asked = 0

  constructor(dir: string, isQuantized: boolean) {
    this.#order = { dir, isQuantized }
  }

  ask(texts: string[], signal: AbortSignal): Promise<number[][]> {
    const id = ++this.#asked
    const { promise, resolve, reject } = Promise.withResolvers<number[][]>()
    this.#askers.set(id, { resolve, reject })
    signal.addEventListener('abort', () => this.#settle(id)?.reject(signal.reason), { once: true })
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, texts } satisfies ThreadOrder)
    return promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./local-model-thread.ts', import.meta.url), {
      workerData: this.#order,
    })
    worker.unref()
    worker.on('message', ({ id, vectors, failure }: ThreadAnswer) => {
      const asker = this.#settle(id)
      if (vectors !== undefined) asker?.resolve(vectors)
      else asker?.reject(new EmbedderError(`The model failed: ${failure}`))
    })
    const fail = (reason: string) => {
      if (this.#worker === worker) this.#worker = undefined
      for (const id of [...this.#askers.keys()]) {
        this.#settle(id)?.reject(new EmbedderError(`The model cannot be run: ${reason}`))
      }
    }
    worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => fail('its thread ended'))
    return worker
  }

  #settle(id: number): Asker | undefined {
    const asker = this.#askers.get(id)
    this.#askers.delete(id)
    return asker
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}
