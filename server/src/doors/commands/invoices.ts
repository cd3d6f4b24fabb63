import { normalizeEmail } from '@loci/contract/auth'
import { type Command, InvalidArgumentError } from 'commander'
import { toDollars } from '../../features/billing/format.ts'
import { correctInvoiceOfUser } from '../../features/users/administer-accounts.ts'
import { withContext } from './with-context.ts'

type AmountOption = { amount?: number }

/** `loci billing refund|credit|close-dispute`: what the operator does to invoices of the sandbox. */
export function registerInvoiceCommands(billing: Command): void {
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
