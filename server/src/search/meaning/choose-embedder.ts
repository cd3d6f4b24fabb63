import { rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChooseEmbeddings, LocalModelId } from '@loci/contract/embeddings'
import { configOfChoice } from '../../ground/embedders/config-of-choice.ts'
import { createEmbedder } from '../../ground/embedders/create-embedder.ts'
import { EmbedderError } from '../../ground/embedders/embedder.ts'
import {
  type Choice,
  deleteChoice,
  embeddingsDirectory,
  writeChoice,
} from '../../ground/embedders/embedder-choice.ts'
import { InstallError } from '../../ground/embedders/install-error.ts'
import {
  type InstallOptions,
  installLocal,
  removeLocal,
  withInstallLock,
} from '../../ground/embedders/install-local.ts'
import type { Context } from '../../tenancy/context.ts'
import { forgetVectors } from './forget-vectors.ts'

type ServerChoice = Exclude<ChooseEmbeddings, { provider: 'local' }>

const trialMs = 60_000

/** Installs a model in the data directory and makes it the embedder. Throws `InstallError`. */
export async function chooseLocal(ctx: Context, model: LocalModelId, options: InstallOptions): Promise<void> {
  await installLocal(ctx, model, options)
  await keep(ctx, { provider: 'local', model })
}

/**
 * Tests a server and makes it the embedder. Without a key, the one stored for the same URL is used. Throws
 * `EmbedderError` if it returns no vector.
 */
export async function chooseServer(ctx: Context, input: ServerChoice): Promise<void> {
  const { provider, model } = input
  const url = addressOf(input)
  const former = ctx.embeddings.chosen
  const key = input.key ?? (former?.url === url ? former.key : undefined)
  const choice = { provider, model, url, key }
  const embedder = createEmbedder(configOfChoice(ctx.config, choice, ctx.embeddings.local)!)
  await embedder.embed(['A first sentence.'], 'passage', AbortSignal.timeout(trialMs))
  await keep(ctx, choice)
}

/** People paste Ollama's base URL, but its OpenAI-compatible API is below `/v1`. */
function addressOf({ provider, url }: ServerChoice): string {
  const address = new URL(url)
  if (provider === 'ollama' && /^\/*$/.test(address.pathname)) address.pathname = '/v1'
  return address.href.replace(/\/+$/, '')
}

async function keep(ctx: Context, choice: Choice): Promise<void> {
  await writeChoice(ctx.config, ctx.secretBox, choice)
  await ctx.embeddings.refresh(ctx.secretBox)
  const { models } = ctx.embeddings.local
  const local = choice.provider === 'local' ? models.find(({ id }) => id === choice.model) : undefined
  // Another process may hold the lock; remaining files are deleted when embeddings are turned off.
  await withInstallLock(ctx, () => removeLocal(ctx, local)).catch(() => {})
}

/** Deletes the choice, all vectors, models and runtimes. */
export async function turnOffEmbeddings(ctx: Context): Promise<void> {
  const directory = embeddingsDirectory(ctx.config)
  await withInstallLock(ctx, async () => {
    await deleteChoice(ctx.config)
    await ctx.embeddings.refresh(ctx.secretBox)
    await forgetVectors(ctx)
    await removeLocal(ctx)
  })
  await rm(join(directory, 'install.lock'), { force: true })
  // Not empty: it contains other files.
  await rmdir(directory).catch(() => {})
}

/** Whether an error can be shown to the person who chose. */
export const isChoiceError = (error: unknown): error is Error =>
  error instanceof InstallError || error instanceof EmbedderError
