import type { EmbeddingsConfig } from '../config/config.ts'
import { toUnit } from '../lib/vectors.ts'
import { type Embedder, EmbedderError, toInput } from './embedder.ts'

type ServerSource = Extract<EmbeddingsConfig['source'], { url: string }>

const callTimeoutMs = 30_000
const answerBytesMax = 32 * 1024 * 1024
/** Statuses caused by the texts, not by the caller or the server. */
const refusals = [400, 413, 422]

/** Any server with an OpenAI-compatible `/embeddings`: OpenAI, Ollama, LM Studio, vLLM, Text Embeddings Inference. */
export function createHttpEmbedder(
  config: EmbeddingsConfig,
  { url, model, key, provider }: ServerSource,
): Embedder {
  const address = addressOf(url)
  const advice = adviceFor(model, provider)
  const { dimensions } = config
  return {
    identity: JSON.stringify([model, dimensions ?? null, config.queryPrefix, config.passagePrefix]),
    model,
    textsPerCall: 32,
    callsAtOnce: 2,
    async embed(texts, kind, signal) {
      const body = {
        model,
        input: texts.map((text) => toInput(config, text, kind)),
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      }
      const answer = await call({ address, key, advice }, body, signal)
      return readVectors(answer, texts.length, dimensions)
    },
    close: async () => {},
  }
}

/** Accepts `http://host/v1` and `http://host/v1/embeddings`; a query string is kept. */
function addressOf(base: string): URL {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`
  return url
}

type Advice = { forKey: string; forModel: string }
type Server = { address: URL; key: string | undefined; advice: Advice }

/** Advice for when a server refuses the key, or does not know the model. */
const adviceFor = (model: string, provider: ServerSource['provider']): Advice => ({
  forKey: `: it does not accept ${provider === undefined ? 'LOCI_EMBEDDINGS_KEY' : 'the key'}`,
  forModel:
    provider === 'ollama'
      ? `: it does not know the model ${model}. Run: ollama pull ${model}`
      : ': it does not know the address or the model',
})

async function call({ address, key, advice }: Server, body: object, signal: AbortSignal): Promise<unknown> {
  const timeout = AbortSignal.timeout(callTimeoutMs)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      // A redirect must not carry the key elsewhere.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw errorOf(address, response, advice)
    }
    return JSON.parse(await readText(address, response))
  } catch (error) {
    if (error instanceof EmbedderError) throw error
    if (timeout.aborted)
      throw new EmbedderError(`${address.origin} took longer than ${callTimeoutMs / 1_000} s`)
    if (error instanceof SyntaxError) throw new EmbedderError(`${address.origin} answered no JSON`)
    // fetch's message can contain the URL with its query string, so only the system's error code is reported.
    throw new EmbedderError(`${address.origin} cannot be reached${codeOf(error)}`)
  }
}

/** Never includes the body, which can repeat the input. */
function errorOf({ origin }: URL, { status, headers }: Response, advice: Advice): EmbedderError {
  const wait = Number(headers.get('retry-after') ?? Number.NaN)
  const reason = status === 401 || status === 403 ? advice.forKey : status === 404 ? advice.forModel : ''
  return new EmbedderError(`${origin} answered ${status}${reason}`, {
    isRefusal: refusals.includes(status),
    retryAfterMs: Number.isFinite(wait) ? wait * 1_000 : undefined,
  })
}

async function readText({ origin }: URL, response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > answerBytesMax) throw new EmbedderError(`${origin} answered more than 32 MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function codeOf(error: unknown): string {
  const code = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code
  return typeof code === 'string' ? ` (${code})` : ''
}

type Answer = { data?: { index?: unknown; embedding?: unknown }[] } | null

/** Validates the response: one vector per text, in order, all of the same size. */
function readVectors(answer: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  const data = (answer as Answer)?.data
  if (!Array.isArray(data) || data.length !== count) throw vectorMissing()
  const vectors: Float32Array[] = []
  data.forEach((item, place) => {
    const vector = isNumbers(item?.embedding) ? toUnit(item.embedding) : undefined
    if (vector === undefined) throw new EmbedderError('The embedder answered something that is no vector')
    vectors[typeof item.index === 'number' ? item.index : place] = vector
  })
  const size = dimensions ?? vectors[0]?.length
  for (let place = 0; place < count; place++) {
    const length = vectors[place]?.length
    if (length === undefined) throw vectorMissing()
    if (length !== size) {
      throw new EmbedderError(`The embedder answered ${length} dimensions instead of ${size}`)
    }
  }
  return vectors
}

const vectorMissing = () => new EmbedderError('The embedder did not answer with a vector for each text')

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')
}
