import { once } from 'node:events'
import { type Command, InvalidArgumentError } from 'commander'
import { inBillingTime } from '../../features/billing/billing-time.ts'
import { checkLedger } from '../../features/billing/ledger/check-ledger.ts'
import { exportLedger } from '../../features/billing/ledger/export-ledger.ts'
import { withContext, withReadContext } from './with-context.ts'

/** `loci ledger check|export`: the books of all accounts, for the operator. */
export function registerLedgerCommands(program: Command): void {
  const ledger = program
    .command('ledger')
    .description('the books: what was sold, paid, refunded and disputed')
  ledger
    .command('check')
    .description(
      'compare the books of every account with its invoices, or with Stripe, and list what differs',
    )
    .action(() => withContext(async (ctx) => check(await inBillingTime(ctx))))
  ledger
    .command('export')
    .description('print the books of all accounts as CSV, for a bookkeeper')
    .option('--from <day>', 'first day, such as 2027-01-01 (UTC)', readDay, 0)
    .option('--before <day>', 'day after the last', readDay, Number.MAX_SAFE_INTEGER)
    .action(({ from, before }: { from: number; before: number }) =>
      withReadContext(async (ctx) => {
        for await (const line of exportLedger(ctx, { after: from, before })) {
          if (!process.stdout.write(line)) await once(process.stdout, 'drain')
        }
      }),
    )
}

async function check(ctx: Parameters<typeof checkLedger>[0]): Promise<void> {
  let [accounts, differing] = [0, 0]
  for await (const { account, differences } of checkLedger(ctx)) {
    accounts++
    if (differences.length === 0) continue
    differing++
    process.stdout.write(`${account}\n${differences.map((line) => `  ${line}\n`).join('')}`)
  }
  process.stdout.write(`Checked the books of ${accounts} accounts: ${differing} differ\n`)
  if (differing > 0) process.exitCode = 1
}

function readDay(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('Write a day such as 2027-01-31.')
  return at
}
