import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { minuteMs } from '../lib/time.ts'
import { EmbedderError, type TextKind } from './embedder.ts'

/** A directory with packages, and the one that runs the model. */
type RuntimeSettings = { runtime: string; library: string }
/** With paths of the model's files. */
export type GraphSettings = RuntimeSettings & {
  graph: string
  tokenizer: string
  tokenizerConfig: string
  tokensMax: number
  pooling: 'cls' | 'mean'
}
/** With the package that is the model. */
export type PackagedSettings = RuntimeSettings & { packagedModel: string }

/** Start parameters of a model's process. */
export type ModelSettings = GraphSettings | PackagedSettings

export type ModelOrder =
  | { id: number; texts: readonly string[]; isUrgent: boolean }
  /** The number of a request that nobody waits for any more. */
  | { cancels: number }
export type ModelAnswer = { id: number; vectors?: Float32Array[]; failure?: string }

type Asker = { resolve: (vectors: Float32Array[]) => void; reject: (error: unknown) => void }

const program = fileURLToPath(new URL('./model-program.ts', import.meta.url))
/** An idle model is stopped to release its memory. */
const idleMs = 15 * minuteMs

/** A model in a separate process, which starts with the first text, restarts after a crash, and stops when idle. */
export class ModelProcess {
  readonly #settings: ModelSettings
  readonly #askers = new Map<number, Asker>()
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #asked = 0

  constructor(settings: ModelSettings) {
    this.#settings = settings
  }

  ask(texts: readonly string[], kind: TextKind, signal: AbortSignal): Promise<Float32Array[]> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const id = ++this.#asked
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>()
    this.#askers.set(id, { resolve, reject })
    clearTimeout(this.#idle)
    this.#child ??= this.#start()
    hold(this.#child)
    this.#child.send({ id, texts, isUrgent: kind === 'query' } satisfies ModelOrder)
    const cancel = () => {
      this.#settle(id)?.reject(signal.reason)
      if (this.#child?.connected) this.#child.send({ cancels: id } satisfies ModelOrder)
    }
    signal.addEventListener('abort', cancel, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', cancel))
  }

  #start(): ChildProcess {
    // On Windows programs need some of the variables.
    const env = process.platform === 'win32' ? undefined : {}
    const child = fork(program, [], { env, execArgv: [], serialization: 'advanced', stdio: 'ignore' })
    child.send(this.#settings)
    child.on('message', (answer: ModelAnswer) => this.#take(answer))
    const fail = (reason: string) => {
      if (this.#child === child) this.#child = undefined
      for (const id of [...this.#askers.keys()]) {
        this.#settle(id)?.reject(new EmbedderError(`The model cannot be run: ${reason}`))
      }
    }
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code, signal) => fail(`its process ended (${signal ?? code})`))
    return child
  }

  #take({ id, vectors, failure }: ModelAnswer): void {
    const asker = this.#settle(id)
    if (vectors !== undefined) asker?.resolve(vectors)
    else asker?.reject(new EmbedderError(`The model failed: ${failure}`))
  }

  #settle(id: number): Asker | undefined {
    const asker = this.#askers.get(id)
    this.#askers.delete(id)
    if (this.#askers.size === 0) {
      if (this.#child !== undefined) letGo(this.#child)
      clearTimeout(this.#idle)
      this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    }
    return asker
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#child
    this.#child = undefined
    if (child === undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.ref()
    child.kill('SIGKILL')
    await ended
  }
}

/** Keeps our own process alive until the response arrives. */
function hold(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
