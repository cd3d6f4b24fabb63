import type { Invoice } from '@loci/contract/billing'
import { formatMoney } from '@loci/contract/money'

export type InvoiceMark = { text: string; color: 'gray' | 'orange' | 'red' }

/** What became of the invoice's money, besides its status. */
export function marksOf({ amount, currency, refunded, credited, dispute }: Invoice): InvoiceMark[] {
  const money = (value: number) => formatMoney(value, currency)
  const marks: (InvoiceMark | false)[] = [
    dispute !== null && disputes[dispute],
    refunded > 0 && {
      text: refunded < amount ? `${money(refunded)} refunded` : 'refunded',
      color: 'gray',
    },
    credited > 0 && { text: `${money(credited)} credit note`, color: 'gray' },
  ]
  return marks.filter((mark) => mark !== false)
}

const disputes = {
  open: { text: 'disputed', color: 'red' },
  lost: { text: 'dispute lost', color: 'red' },
  won: { text: 'dispute won', color: 'gray' },
} as const
