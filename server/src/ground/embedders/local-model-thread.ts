/// <reference path="./huggingface-transformers.d.ts" />
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { env, pipeline } from '@huggingface/transformers'

export type ThreadOrder = { id: number; texts: string[] }
export type ThreadAnswer = { id: number; vectors?: number[][]; failure?: string }

const { dir, isQuantized } = workerData as { dir: string; isQuantized: boolean }

env.allowRemoteModels = false
env.localModelPath = dirname(dir)
const extractor = await pipeline('feature-extraction', basename(dir), {
  dtype: isQuantized ? 'q8' : 'fp32',
  local_files_only: true,
})
const pooling = readPooling(dir)

parentPort!.on('message', async ({ id, texts }: ThreadOrder) => {
  const answer = await extractor(texts, { pooling, normalize: true }).then(
    (tensor): ThreadAnswer => ({ id, vectors: tensor.tolist() }),
    (error: unknown): ThreadAnswer => ({
      id,
      failure: error instanceof Error ? error.message : String(error),
    }),
  )
  parentPort!.postMessage(answer)
})

/** How token vectors are pooled; read from the folder in sentence-transformers' format. */
function readPooling(folder: string): 'mean' | 'cls' | 'last_token' {
  const file = join(folder, '1_Pooling', 'config.json')
  if (!existsSync(file)) return 'mean'
  const modes: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'))
  if (modes.pooling_mode_cls_token === true) return 'cls'
  return modes.pooling_mode_lasttoken === true ? 'last_token' : 'mean'
}
