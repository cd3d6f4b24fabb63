import { CreateApiKey } from '@loci/contract/keys'
import type { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { createKey } from '../features/keys/keys.service.ts'
import { findActorByEmail } from '../features/users/local-actor.ts'
import { toValidationError } from '../http/routes.ts'
import { withContext } from './with-context.ts'

/** `loci key create`: an API key without a session, for whoever hosts the server. */
export function registerKeyCommands(program: Command): void {
  program
    .command('key')
    .description('manage API keys')
    .command('create')
    .description('create an API key and print it, once')
    .argument('<email>', 'whose account')
    .argument('<name>', 'what the key is for')
    .option('--expires-at <time>', 'ISO-8601 date or date-time; never when left out')
    .action(create)
}

async function create(email: string, name: string, options: { expiresAt?: string }): Promise<void> {
  const input = CreateApiKey.safeParse({ name, ...options })
  if (!input.success) throw new ConfigError(toValidationError(input.error).message)
  await withContext(async (ctx) => {
    const { apiKey } = await createKey(ctx, await findActorByEmail(ctx, email), input.data)
    process.stdout.write(`${apiKey}\n`)
  })
}
