import { normalizeEmail } from '@loci/contract/auth'
import type { Command } from 'commander'
import { finishRemovals } from '../../features/removals/removals.ts'
import {
  type AccountLine,
  deleteAccountOf,
  listAccounts,
  setPlanOfUser,
} from '../../features/users/administer-accounts.ts'
import { type Column, jsonOption, printList } from './print-list.ts'
import { requireConsent } from './prompt.ts'
import { withContext, withReadContext } from './with-context.ts'

/** `loci account list|set-plan|delete`: for the operator, also while a server runs. */
export function registerAccountCommands(program: Command): void {
  const account = program.command('account').description('manage accounts and their plans')
  account
    .command('list')
    .description('list all accounts with their owner, plan and size')
    .option(...jsonOption)
    .action((options) => withReadContext((ctx) => printList(listAccounts(ctx), columns, options)))
  account
    .command('set-plan')
    .description('give an account a plan without payment, effective at once')
    .argument('<email>', 'whose account')
    .argument('<plan>', 'free, starter, pro, power-user, team or self-hosted (no limits)')
    .action((email: string, plan: string) =>
      withContext(async (ctx) => {
        await setPlanOfUser(ctx, normalizeEmail(email), plan)
        process.stdout.write(`The account of ${email} has the plan ${plan}.\n`)
      }),
    )
  account
    .command('delete')
    .description('permanently delete an account with its users and its memory')
    .argument('<email>', 'its owner')
    .option('--yes', 'do not ask')
    .action(async (email: string, options: { yes?: boolean }) => {
      await requireConsent(`This deletes the account of ${email} with everything in it, for good.`, options)
      await withContext(async (ctx) => {
        await deleteAccountOf(ctx, normalizeEmail(email))
        await finishRemovals(ctx)
      })
      process.stdout.write(`Deleted the account of ${email}.\n`)
    })
}

const columns: readonly Column<AccountLine>[] = [
  {
    title: 'OWNER',
    width: 32,
    value: ({ owner, suspended }) => `${owner ?? '-'}${suspended ? ' (suspended)' : ''}`,
  },
  { title: 'PLAN', width: 18, value: ({ plan }) => plan },
  { title: 'ENTITIES', width: 10, value: ({ entities }) => entities },
  { title: 'BYTES', width: 12, value: ({ storedBytes }) => storedBytes },
  { title: 'CREATED', width: 24, value: ({ createdAt }) => createdAt },
  { title: 'ID', width: 0, value: ({ id }) => id },
]
