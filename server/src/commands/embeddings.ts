import type { EmbeddingsStatus } from '@loci/contract/embeddings'
import type { Command } from 'commander'
import { forgetVectors, getTotalStatus } from '../features/embeddings/embeddings.service.ts'
import { withContext } from './with-context.ts'

/** `loci embeddings status|rebuild`. */
export function registerEmbeddingsCommands(program: Command): void {
  const embeddings = program.command('embeddings').description('look after search by meaning')
  embeddings
    .command('status')
    .description('say how far the vectors are made')
    .action(() =>
      withContext(async (ctx) => {
        process.stdout.write(`${inWords(await getTotalStatus(ctx))}\n`)
      }),
    )
  embeddings
    .command('rebuild')
    .description('forget all vectors; the server makes them anew, if an embedder is configured')
    .action(() =>
      withContext(async (ctx) => {
        await forgetVectors(ctx)
        process.stdout.write('All vectors are forgotten. A running server makes them anew.\n')
      }),
    )
}

function inWords({ state, model, dimensions, embedded, waiting, failure }: EmbeddingsStatus): string {
  if (state === 'off')
    return 'Off: set LOCI_EMBEDDINGS_URL and LOCI_EMBEDDINGS_MODEL, or LOCI_EMBEDDINGS_DIR.'
  const size = dimensions === null ? '' : `, ${dimensions} dimensions`
  const progress = `${embedded} of ${embedded + waiting} texts have vectors`
  const trouble = failure === null ? '' : `\nNot reached at ${failure.at}: ${failure.message}`
  return `${model}${size}: ${progress}${trouble}`
}
