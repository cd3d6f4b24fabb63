/**
 * Runs a small model in a separate process with a lower priority than the server's, so that crashes and memory use do
 * not affect the server. The runtime is loaded from a directory in the data directory, not from our packages.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTask } from 'node:timers/promises'
import type {
  GraphSettings,
  ModelAnswer,
  ModelOrder,
  ModelSettings,
  PackagedSettings,
} from './model-process.ts'

type Tensor = { data: Float32Array; dims: readonly number[] }
/** The parts that we use of onnxruntime-node, onnxruntime-web and @huggingface/tokenizers. */
type Library = {
  env: { wasm: { numThreads: number } }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object
  InferenceSession: {
    create: (
      graph: string | Uint8Array,
      options: object,
    ) => Promise<{
      inputNames: readonly string[]
      run: (inputs: Record<string, object>) => Promise<{ last_hidden_state: Tensor }>
    }>
  }
}
type Tokenizers = {
  Tokenizer: new (tokenizer: object, config: object) => { encode: (text: string) => { ids: number[] } }
}
/** The parts that we use of @energetic-ai/embeddings and its model. */
type SentenceLibrary = {
  initModel: (source: unknown) => Promise<{ embed: (texts: readonly string[]) => Promise<number[][]> }>
}

type Embed = (text: string) => Promise<Float32Array>
type Job = { id: number; texts: readonly string[]; vectors: Float32Array[] }

/** Texts that somebody waits for go before background texts. */
const urgent: Job[] = []
const waiting: Job[] = []
let isRunning = false

setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.on('disconnect', () => process.exit())
process.once('message', (settings: ModelSettings) => {
  const model = openModel(settings)
  model.catch(() => {})
  process.on('message', (order: ModelOrder) => {
    take(order)
    if (!isRunning) void run(model)
  })
})

function take(order: ModelOrder): void {
  if ('cancels' in order) {
    drop(urgent, order.cancels)
    drop(waiting, order.cancels)
    return
  }
  const { id, texts, isUrgent } = order
  const list = isUrgent ? urgent : waiting
  list.push({ id, texts, vectors: [] })
}

/** One text at a time, so that a question waits for one text at most. */
async function run(model: Promise<Embed>): Promise<void> {
  isRunning = true
  for (let job = urgent[0] ?? waiting[0]; job !== undefined; job = urgent[0] ?? waiting[0]) {
    const { id, texts, vectors } = job
    try {
      vectors.push(await (await model)(texts[vectors.length]!))
      if (vectors.length === texts.length) finish({ id, vectors })
    } catch (error) {
      finish({ id, failure: error instanceof Error ? error.message : String(error) })
    }
    await nextTask()
  }
  isRunning = false
}

function finish(answer: ModelAnswer): void {
  if (drop(urgent, answer.id) || drop(waiting, answer.id)) process.send!(answer)
}

/** False if it was already cancelled. */
function drop(list: Job[], id: number): boolean {
  const place = list.findIndex((job) => job.id === id)
  if (place !== -1) list.splice(place, 1)
  return place !== -1
}

const openModel = (settings: ModelSettings): Promise<Embed> =>
  'graph' in settings ? openGraph(settings) : openPackaged(settings)

async function openPackaged({ runtime, library, packagedModel }: PackagedSettings): Promise<Embed> {
  const requireThere = createRequire(join(runtime, 'package.json'))
  const { initModel }: SentenceLibrary = requireThere(library)
  const model = await initModel(requireThere(packagedModel).modelSource)
  return async (text) => Float32Array.from((await model.embed([text]))[0]!)
}

async function openGraph(settings: GraphSettings): Promise<Embed> {
  const { runtime, library, graph, tokensMax, pooling } = settings
  const requireThere = createRequire(join(runtime, 'package.json'))
  const { InferenceSession, Tensor, env }: Library = requireThere(library)
  const { Tokenizer }: Tokenizers = requireThere('@huggingface/tokenizers')
  const tokenizer = new Tokenizer(readJson(settings.tokenizer), readJson(settings.tokenizerConfig))
  const isWeb = library === 'onnxruntime-web'
  if (isWeb) env.wasm.numThreads = 1
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 }
  const session = await InferenceSession.create(isWeb ? readFileSync(graph) : graph, options)
  const known = new Set(session.inputNames)
  return async (text) => {
    const ids = cut(tokenizer.encode(text).ids, tokensMax)
    const toTensor = (value: (id: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      )
    const inputs = {
      input_ids: toTensor((id) => id),
      attention_mask: toTensor(() => 1),
      token_type_ids: toTensor(() => 0),
    }
    const wanted = Object.fromEntries(Object.entries(inputs).filter(([name]) => known.has(name)))
    const { data, dims } = (await session.run(wanted)).last_hidden_state
    return pool(data, dims.at(-1)!, pooling)
  }
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** Truncates, keeping the last token, which ends a text. */
const cut = (ids: number[], max: number) =>
  ids.length <= max ? ids : [...ids.slice(0, max - 1), ids.at(-1)!]

/** The first token's vector, or the sum of all, which has the same direction as their mean. */
function pool(data: Float32Array, dimensions: number, pooling: GraphSettings['pooling']): Float32Array {
  if (pooling === 'cls') return data.slice(0, dimensions)
  const sums = new Float32Array(dimensions)
  data.forEach((value, place) => {
    sums[place % dimensions]! += value
  })
  return sums
}
