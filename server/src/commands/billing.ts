import type { Command } from 'commander'
import { reconcileBilling } from '../features/billing/billing.service.ts'
import { withContext } from './with-context.ts'

/** `loci billing reconcile`: for when events of Stripe were lost. */
export function registerBillingCommands(program: Command): void {
  program
    .command('billing')
    .description('look after subscriptions')
    .command('reconcile')
    .description('read every subscription, card and invoice from Stripe again')
    .action(() =>
      withContext(async (ctx) => {
        const { accounts, failed } = await reconcileBilling(ctx)
        process.stdout.write(`Read ${accounts} accounts from Stripe, ${failed} could not be read\n`)
        if (failed > 0) process.exitCode = 1
      }),
    )
}
