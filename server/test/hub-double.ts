import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  graphPath,
  type LocalModel,
  tokenizerConfigPath,
  tokenizerPath,
} from '../src/ground/embedders/local-models.ts'
import type { LocalSource } from '../src/ground/embedders/local-source.ts'
import { type Runtime, runtimesHere } from '../src/ground/embedders/runtimes.ts'

/** How a hub misbehaves: it breaks off in the middle, serves something else, or nothing. */
type HubMood = 'good' | 'breaks off' | 'other bytes' | 'longer' | 'missing' | 'stuck'

type Files = Record<string, Uint8Array>
type Call = { path: string; range: string | undefined }

/** A model hub with the files of one model, at addresses like the real hub's. */
export async function startHubDouble(files: Files) {
  const calls: Call[] = []
  const double = { mood: 'good' as HubMood }
  const server = createServer((request, response) => {
    const { range } = request.headers
    calls.push({ path: request.url!, range })
    const name = Object.keys(files).find((path) => request.url!.endsWith(`/${path}`))
    if (name === undefined || double.mood === 'missing')
      return void response.writeHead(404).end('Entry not found')
    const whole = Buffer.from(files[name]!)
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const bytes = whole.subarray(from)
    response.writeHead(from > 0 ? 206 : 200)
    if (double.mood === 'other bytes') return void response.end(Buffer.from(bytes).fill(7))
    if (double.mood === 'longer') return void response.end(Buffer.concat([bytes, bytes]))
    if (double.mood === 'good') return void response.end(bytes)
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
      if (double.mood === 'breaks off') setTimeout(() => request.socket.destroy(), 20)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}

export type HubDouble = Awaited<ReturnType<typeof startHubDouble>>

/** A catalogue entry like the real one, but for these files. */
export function tinyModel(files: Files, dimensions: number): LocalModel {
  return {
    id: 'bge-small-en-v1.5',
    repository: 'Somebody/tiny',
    revision: '0123456789abcdef0123456789abcdef01234567',
    files: Object.entries(files).map(([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
    dimensions,
    tokensMax: 16,
    pooling: 'mean',
  }
}

/** Words that the tiny model knows; those of a group mean the same. */
const wordGroups = [
  ['[UNK]'],
  ['car', 'automobile'],
  ['doctor', 'physician'],
  ['hums'],
  ['cooking'],
  ['bought'],
]
export const tinyWords = wordGroups.flat()

/** A vector per word, with one direction per group. */
export const tinyTable = wordGroups.flatMap((group, direction) =>
  group.map(() => wordGroups.map((_, place) => (place === direction ? 1 : 0.01))),
)

/** Files for the runtime double, which reads the table as JSON. */
export const tinyFiles: Files = {
  [graphPath]: Buffer.from(JSON.stringify(tinyTable)),
  [tokenizerPath]: Buffer.from(JSON.stringify(tinyWords)),
  [tokenizerConfigPath]: Buffer.from('{}'),
}

const runtimeDouble = `
exports.InferenceSession = {
  create: async (graph) => {
    const table = JSON.parse(require('node:fs').readFileSync(graph, 'utf8'))
    return {
      inputNames: ['input_ids'],
      run: async ({ input_ids: { data } }) => ({
        last_hidden_state: {
          data: Float32Array.from([...data].flatMap((id) => table[Number(id)])),
          dims: [1, data.length, table[0].length],
        },
      }),
    }
  },
}
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }) } }
`
const tokenizerDouble = `
exports.Tokenizer = class {
  constructor(words) { this.words = words }
  encode(text) {
    const found = text.toLowerCase().match(/[a-z]+/g) ?? ['']
    return { ids: found.map((word) => Math.max(0, this.words.indexOf(word))) }
  }
}
`

/** Puts packages there that look like the real ones and run the tiny model. */
async function installRuntimeDouble({ library }: Runtime, directory: string): Promise<void> {
  for (const [name, code] of [
    [library, runtimeDouble],
    ['@huggingface/tokenizers', tokenizerDouble],
  ] as const) {
    const place = join(directory, 'node_modules', name)
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'index.js'), code)
  }
  await writeFile(join(directory, 'installed'), '')
}

/** A model source that needs neither the hub nor the registry. */
export const localSourceDouble = (hub: HubDouble): LocalSource => ({
  hub: hub.url,
  models: [tinyModel(tinyFiles, wordGroups.length)],
  runtimes: runtimesHere().slice(0, 1),
  installRuntime: installRuntimeDouble,
})
