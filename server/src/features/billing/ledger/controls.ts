import { formatMoney } from '@loci/contract/money'
import type { LedgerAccount, LedgerKind } from '../../../store/schema.ts'
import { balanceOf, type LedgerEntry } from './ledger.rules.ts'

/**
 * A sum that the gateway states by itself, such as what is open of an invoice. It is compared with the books, which were
 * made from single movements.
 */
export type Control = {
  account: LedgerAccount
  /** Null: of all invoices, and of what belongs to none. */
  invoiceId: string | null
  /** For people: `A-12`. */
  name: string
  currency: string
  amount: number
  /** Which entries count; all but fees if undefined. */
  kinds?: readonly LedgerKind[]
}

/** Where the books differ, a line each: `A-12 receivable: $0.00 in the books, $5.00 at the gateway`. */
export function differencesIn(entries: readonly LedgerEntry[], controls: readonly Control[]): string[] {
  return controls.flatMap(({ account, invoiceId, name, currency, amount, kinds }) => {
    const own = entries.filter(
      (entry) =>
        entry.currency === currency &&
        (invoiceId === null || entry.invoiceId === invoiceId) &&
        (kinds === undefined ? entry.kind !== 'fee' : kinds.includes(entry.kind)),
    )
    const booked = balanceOf(own, account)
    if (booked === amount) return []
    const [here, there] = [booked, amount].map((value) => formatMoney(value, currency))
    return [`${name} ${account}: ${here} in the books, ${there} at the gateway`]
  })
}
