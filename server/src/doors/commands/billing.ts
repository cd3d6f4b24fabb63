import { normalizeEmail } from '@loci/contract/auth'
import { type Command, InvalidArgumentError } from 'commander'
import { endSandboxPlans, reconcileBilling } from '../../features/billing/billing.service.ts'
import { toDollars } from '../../features/billing/format.ts'
import { describeMissingEvents } from '../../features/billing/stripe/missing-events.ts'
import { correctInvoiceOfUser } from '../../features/users/administer-accounts.ts'
import { withContext } from './with-context.ts'

/** `loci billing`: reconciling with Stripe, and moving from the sandbox to it. */
export function registerBillingCommands(program: Command): void {
  const billing = program.command('billing').description('manage subscriptions and invoices')
  registerInvoiceCommands(billing)
  billing
    .command('reconcile')
    .description('read every subscription, card and invoice from Stripe again, and list what differed')
    .option('--dry-run', 'store nothing')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      withContext(async (ctx) => {
        const { accounts, failed, differed } = await reconcileBilling(ctx, { dryRun })
        for (const { account, differences } of differed) {
          process.stdout.write(`${account}\n${differences.map((line) => `  ${line}\n`).join('')}`)
        }
        const what = dryRun ? 'differ; nothing was stored' : 'differed and follow Stripe now'
        process.stdout.write(
          `Read ${accounts} accounts from Stripe: ${differed.length} ${what}, ${failed} could not be read\n`,
        )
        const silence = await describeMissingEvents(ctx)
        if (silence !== undefined) process.stdout.write(`${silence}\n`)
        if (failed > 0) process.exitCode = 1
      }),
    )
  billing
    .command('end-sandbox')
    .description('after the move to Stripe: let plans of the sandbox end with their period')
    .option('--dry-run', 'change nothing')
    .action(({ dryRun = false }: { dryRun?: boolean }) =>
      withContext(async (ctx) => {
        const accounts = await endSandboxPlans(ctx, { dryRun })
        for (const { account, plan, endsAt } of accounts) {
          const end = endsAt === null ? 'nothing left' : `until ${new Date(endsAt).toISOString()}`
          process.stdout.write(`${account}  ${plan}  ${end}\n`)
        }
        const what = dryRun ? 'would be taken' : 'were taken'
        process.stdout.write(`${accounts.length} accounts ${what} out of the sandbox\n`)
      }),
    )
}

type AmountOption = { amount?: number }

/** `loci billing refund|credit|close-dispute`: what the operator does to invoices of the sandbox. */
function registerInvoiceCommands(billing: Command): void {
  ofInvoice(billing.command('refund').description('pay an invoice of the sandbox back'))
    .option(...amountOption)
    .action((email: string, number: string, { amount }: AmountOption) =>
      withContext(async (ctx) => {
        const cents = await correctInvoiceOfUser(ctx, email, { kind: 'refund', number, amount })
        process.stdout.write(`Refunded ${toDollars(cents)} of ${number}.\n`)
      }),
    )
  ofInvoice(billing.command('credit').description('write a credit note for an invoice of the sandbox'))
    .option(...amountOption)
    .action((email: string, number: string, { amount }: AmountOption) =>
      withContext(async (ctx) => {
        const cents = await correctInvoiceOfUser(ctx, email, { kind: 'credit', number, amount })
        process.stdout.write(`Credited ${toDollars(cents)} of ${number}.\n`)
      }),
    )
  ofInvoice(billing.command('close-dispute').description('decide the dispute of a payment in the sandbox'))
    .argument('<outcome>', 'won or lost', readOutcome)
    .action((email: string, number: string, won: boolean) =>
      withContext(async (ctx) => {
        await correctInvoiceOfUser(ctx, email, { kind: 'dispute', number, won })
        process.stdout.write(`The dispute of ${number} is ${won ? 'won' : 'lost'}.\n`)
      }),
    )
}

const ofInvoice = (command: Command) =>
  command.argument('<email>', 'whose account', normalizeEmail).argument('<number>', 'of the invoice')

const amountOption = ['--amount <dollars>', 'such as 4.50; without it, all that is left', readAmount] as const

function readAmount(text: string): number {
  if (!/^\d{1,9}(\.\d{2})?$/.test(text)) throw new InvalidArgumentError('Write an amount such as 4.50.')
  return Math.round(Number(text) * 100)
}

function readOutcome(text: string): boolean {
  if (text !== 'won' && text !== 'lost') throw new InvalidArgumentError('The outcome is won or lost.')
  return text === 'won'
}
