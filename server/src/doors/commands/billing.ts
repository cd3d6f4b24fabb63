import type { Command } from 'commander'
import { endSandboxPlans, reconcileBilling } from '../../features/billing/billing.service.ts'
import { describeMissingEvents } from '../../features/billing/stripe/missing-events.ts'
import { registerInvoiceCommands } from './invoices.ts'
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
