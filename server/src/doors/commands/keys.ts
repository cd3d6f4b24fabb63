import { type ApiKey, CreateApiKey } from '@loci/contract/keys'
import type { WritePolicy } from '@loci/contract/write-policy'
import type { Command } from 'commander'
import { createKey, deleteKey, listKeys, updateKey } from '../../features/keys/keys.service.ts'
import { onAccount, readingAccount } from './account-option.ts'
import { parseInput } from './parse-input.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { wordsOfPolicy, writesOption } from './writes-option.ts'

/** `loci key create|list|change|revoke`: API keys without a session, for the operator. */
export function registerKeyCommands(program: Command): void {
  const key = program.command('key').description('manage API keys')
  key
    .command('create')
    .description('create an API key and print it, once')
    .argument('<email>', 'whose account')
    .argument('<name>', 'what the key is for')
    .option('--expires-at <time>', 'ISO-8601 date or date-time; never expires if omitted')
    .addOption(writesOption())
    .action(create)
  key
    .command('list')
    .description('list the API keys of an account')
    .argument('<email>', 'whose account')
    .option(...jsonOption)
    .action(list)
  key
    .command('change')
    .description('change whether what an API key writes waits for a review; takes effect with its next call')
    .argument('<email>', 'whose account')
    .argument('<id>', 'as shown by "loci key list"')
    .addOption(writesOption().makeOptionMandatory())
    .action(change)
  key
    .command('revoke')
    .description('delete an API key; it stops working at once, and its open connections are closed')
    .argument('<email>', 'whose account')
    .argument('<id>', 'as shown by "loci key list"')
    .action(revoke)
}

type Options = { expiresAt?: string; writes?: WritePolicy }

async function create(email: string, name: string, options: Options): Promise<void> {
  const input = parseInput(CreateApiKey, { name, ...options })
  await onAccount(email, 'key create', async (ctx, actor) => {
    const { apiKey } = await createKey(ctx, actor, input)
    process.stdout.write(`${apiKey}\n`)
  })
}

const columns: readonly Column<ApiKey>[] = [
  { title: 'ID', width: 32, value: ({ id }) => id },
  { title: 'NAME', width: 24, value: ({ name }) => name },
  { title: 'KEY', width: 14, value: ({ keyPreview }) => keyPreview },
  { title: 'MADE BY', width: 20, value: ({ createdBy }) => createdBy.name },
  { title: 'WRITES', width: 8, value: ({ writes }) => writes },
  { title: 'LAST USED', width: 24, value: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
  {
    title: 'EXPIRES',
    width: 0,
    value: ({ expiresAt, isExpired }) => (isExpired ? 'expired' : (expiresAt ?? 'never')),
  },
]

async function list(email: string, options: { json?: boolean }): Promise<void> {
  await readingAccount(email, 'key list', async (ctx, actor) =>
    printList(await listKeys(ctx, actor), columns, options),
  )
}

async function change(email: string, id: string, options: { writes: WritePolicy }): Promise<void> {
  await onAccount(email, 'key change', (ctx, actor) => updateKey(ctx, actor, id, options))
  process.stdout.write(`What ${id} writes ${wordsOfPolicy(options.writes)}.\n`)
}

async function revoke(email: string, id: string): Promise<void> {
  await onAccount(email, 'key revoke', (ctx, actor) => deleteKey(ctx, actor, id))
  process.stdout.write(`Revoked ${id}.\n`)
}
