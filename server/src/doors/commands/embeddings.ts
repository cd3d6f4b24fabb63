import type { EmbeddingsProvider, EmbeddingsStatus } from '@loci/contract/embeddings'
import { Argument, type Command } from 'commander'
import { getTotalStatus } from '../../features/embeddings/embeddings.service.ts'
import { ownCommand } from '../../ground/lib/own-command.ts'
import { turnOffEmbeddings } from '../../search/meaning/choose-embedder.ts'
import { forgetVectors } from '../../search/meaning/forget-vectors.ts'
import type { Context } from '../../tenancy/context.ts'
import { inOwnWords, type UseOptions, useEmbeddings } from './use-embeddings.ts'
import { withContext, withReadContext } from './with-context.ts'

/** `loci embeddings use|status|rebuild|off`. */
export function registerEmbeddingsCommands(program: Command): void {
  const embeddings = program.command('embeddings').description('manage search by meaning')
  embeddings
    .command('use')
    .description('compare whole sentences: with a small model on this machine, or with a server')
    .addArgument(new Argument('<provider>', 'what makes vectors').choices(['local', 'ollama', 'openai']))
    .option(
      '--model <name>',
      'the model; for local bge-small-en-v1.5 (English), multilingual-e5-small (100 languages), or use-lite-en (English, from npm alone)',
    )
    .option('--url <address>', 'address of the server; for openai, any server with a compatible /embeddings')
    .option(
      '--key-stdin',
      'read the key from standard input, or ask for it on a terminal; without this it is OPENAI_API_KEY',
    )
    .action((provider: EmbeddingsProvider, options: UseOptions) =>
      withContext((ctx) => useEmbeddings(ctx, provider, options)),
    )
  embeddings
    .command('status')
    .description('show how many vectors have been computed')
    .action(() =>
      withReadContext(async (ctx) => {
        process.stdout.write(`${inWords(ctx, await getTotalStatus(ctx))}\n`)
      }),
    )
  embeddings
    .command('rebuild')
    .description('delete all vectors; the server recomputes them if an embedder is configured')
    .action(() =>
      withContext(async (ctx) => {
        await forgetVectors(ctx)
        process.stdout.write('All vectors are deleted. A running server recomputes them.\n')
      }),
    )
  embeddings
    .command('off')
    .description('stop using a model; delete all vectors, models and their runtime')
    .action(() => withContext(turnOff))
}

async function turnOff(ctx: Context): Promise<void> {
  await inOwnWords(turnOffEmbeddings(ctx))
  process.stdout.write('Vectors, models and the settings of search by meaning are deleted.\n')
  if (!ctx.embeddings.isFixed) return
  process.stdout.write('It stays on, because environment variables (LOCI_EMBEDDINGS_...) configure it.\n')
}

function inWords(ctx: Context, status: EmbeddingsStatus): string {
  const { state, model, dimensions, embedded, waiting, failure } = status
  if (state === 'off') return `Off. To turn it on: ${ownCommand('embeddings use local')}`
  if (state === 'built_in') {
    return `Built in: the meaning of words in English and nine other languages. For sentences: ${ownCommand('embeddings use local')}`
  }
  const size = dimensions === null ? '' : `, ${dimensions} dimensions`
  const progress = `${embedded} of ${embedded + waiting} texts have vectors`
  const trouble = failure === null ? '' : `\nNot reached at ${failure.at}: ${failure.message}`
  return `${model}${size}: ${progress}${trouble}${madeBy(ctx)}`
}

/** The embedder, if it was chosen rather than configured. */
function madeBy({ embeddings }: Context): string {
  const { chosen, isFixed } = embeddings
  if (isFixed || chosen === undefined) return ''
  return `\nMade ${chosen.url === undefined ? 'on this machine' : `by ${chosen.url}`}.`
}
