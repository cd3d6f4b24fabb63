import type { Connection } from '@loci/contract/connections'
import type { WritePolicy } from '@loci/contract/write-policy'
import type { Command } from 'commander'
import {
  deleteConnection,
  listConnections,
  updateConnection,
} from '../../features/connections/connections.service.ts'
import { onAccount, readingAccount } from './account-option.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { wordsOfPolicy, writesOption } from './writes-option.ts'

/** `loci connections list|change|revoke`: the apps connected over OAuth, for the operator. */
export function registerConnectionCommands(program: Command): void {
  const connections = program
    .command('connections')
    .description('manage the apps connected to an account over OAuth')
  connections
    .command('list')
    .description('list the connected apps of everybody in an account')
    .argument('<email>', 'an owner or admin of the account')
    .option(...jsonOption)
    .action(list)
  connections
    .command('change')
    .description('change whether what an app writes waits for a review; takes effect with its next call')
    .argument('<email>', 'an owner or admin of the account')
    .argument('<id>', 'as shown by "loci connections list"')
    .addOption(writesOption().makeOptionMandatory())
    .action(change)
  connections
    .command('revoke')
    .description('disconnect an app at once')
    .argument('<email>', 'an owner or admin of the account')
    .argument('<id>', 'as shown by "loci connections list"')
    .action(revoke)
}

const columns: readonly Column<Connection>[] = [
  { title: 'ID', width: 32, value: ({ id }) => id },
  { title: 'APP', width: 24, value: ({ client }) => client.name },
  { title: 'OF', width: 32, value: ({ person }) => person?.email ?? '-' },
  { title: 'RIGHTS', width: 26, value: ({ scopes }) => scopes.join(' ') },
  { title: 'WRITES', width: 8, value: ({ writes }) => writes },
  { title: 'SPACE', width: 16, value: ({ space }) => space.name },
  { title: 'LAST USED', width: 0, value: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
]

async function list(email: string, options: { json?: boolean }): Promise<void> {
  await readingAccount(email, 'connections list', async (ctx, actor) =>
    printList(await listConnections(ctx, actor, { all: true }), columns, options),
  )
}

async function change(email: string, id: string, options: { writes: WritePolicy }): Promise<void> {
  await onAccount(email, 'connections change', async (ctx, actor) => {
    await updateConnection(ctx, actor, id, options)
  })
  process.stdout.write(`What ${id} writes ${wordsOfPolicy(options.writes)}.\n`)
}

async function revoke(email: string, id: string): Promise<void> {
  await onAccount(email, 'connections revoke', (ctx, actor) => deleteConnection(ctx, actor, id))
  process.stdout.write(`Disconnected ${id}.\n`)
}
