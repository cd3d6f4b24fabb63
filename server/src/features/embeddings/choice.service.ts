import type { ChooseEmbeddings, EmbeddingsChoice, LocalModelId } from '@loci/contract/embeddings'
import type { EmbeddingsHost } from '../../ground/embedders/embeddings.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import {
  chooseLocal,
  chooseServer,
  isChoiceError,
  turnOffEmbeddings,
} from '../../search/meaning/choose-embedder.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { ownsServer } from '../users/local-actor.ts'

/** The installations of this process, and how to stop them. */
const installing = new WeakMap<EmbeddingsHost, { stop: AbortController; end: Promise<void> }>()

/** The embeddings choice of a server's owner. If the server has several accounts, says only that there is no choice. */
export async function getChoice(ctx: Context, actor: Actor): Promise<EmbeddingsChoice> {
  const { embeddings } = ctx
  if (!(await ownsServer(ctx, actor.accountId))) {
    return { isOffered: false, isFixed: embeddings.isFixed, chosen: null, installation: null }
  }
  const { chosen, isFixed } = embeddings
  return {
    isOffered: true,
    isFixed,
    chosen:
      chosen === undefined
        ? null
        : {
            provider: chosen.provider,
            model: chosen.model,
            url: chosen.url ?? null,
            hasKey: chosen.key !== undefined,
          },
    installation: embeddings.installation ?? null,
  }
}

/** Tries an embedding server immediately; installs a local model after responding. */
export async function choose(ctx: Context, actor: Actor, input: ChooseEmbeddings): Promise<EmbeddingsChoice> {
  await requireMayChoose(ctx, actor)
  if (ctx.embeddings.isFixed) {
    throw new AppError(
      'embeddings_conflict',
      'The embedding model is set by environment variables. Unset them first.',
    )
  }
  if (installing.has(ctx.embeddings)) {
    throw new AppError(
      'embeddings_conflict',
      'A model is being installed. Wait until it is done, or cancel it.',
    )
  }
  if (input.provider === 'local') startInstalling(ctx, input.model)
  else {
    await chooseServer(ctx, input).catch(refuse)
    ctx.embeddings.installation = undefined
  }
  return getChoice(ctx, actor)
}

function startInstalling(ctx: Context, model: LocalModelId): void {
  const { embeddings, log } = ctx
  const stop = new AbortController()
  embeddings.installation = { model, step: 'model', bytesDone: 0, bytes: 0, failure: null }
  const end = chooseLocal(ctx, model, {
    signal: stop.signal,
    onProgress: (progress) => {
      embeddings.installation = progress
    },
  })
    .then(
      () => {
        embeddings.installation = undefined
      },
      (error: unknown) => {
        if (stop.signal.aborted) {
          embeddings.installation = undefined
          return
        }
        log.warn({ err: error, model }, 'a local model could not be installed')
        const failure = isChoiceError(error) ? error.message : 'It failed; the log of the server says why.'
        embeddings.installation = { ...embeddings.installation!, failure }
      },
    )
    .finally(() => installing.delete(embeddings))
  installing.set(embeddings, { stop, end })
}

/** Stops an installation, or clears the error of the last one; the previous choice is kept. */
export async function cancelInstallation(ctx: Context, actor: Actor): Promise<EmbeddingsChoice> {
  await requireMayChoose(ctx, actor)
  await stopInstalling(ctx)
  ctx.embeddings.installation = undefined
  return getChoice(ctx, actor)
}

/** Stops an installation, then removes the choice with all its vectors and downloads. */
export async function turnOff(ctx: Context, actor: Actor): Promise<EmbeddingsChoice> {
  await requireMayChoose(ctx, actor)
  await stopInstalling(ctx)
  ctx.embeddings.installation = undefined
  await turnOffEmbeddings(ctx).catch(refuse)
  return getChoice(ctx, actor)
}

/** Stops this process's installation; downloads are kept for the next time. */
export async function stopInstalling({ embeddings }: Context): Promise<void> {
  const { stop, end } = installing.get(embeddings) ?? {}
  stop?.abort()
  await end
}

async function requireMayChoose(ctx: Context, { accountId }: Actor): Promise<void> {
  if (await ownsServer(ctx, accountId)) return
  throw new AppError(
    'not_permitted',
    'Only the owner of a self-hosted server can choose the embedding model.',
  )
}

function refuse(error: unknown): never {
  if (!isChoiceError(error)) throw error
  throw new AppError('embedder_unavailable', error.message, { cause: error })
}
