import type { BillingDetails } from '@loci/contract/billing'
import type { Seller } from '../../ground/config/config-invoices.ts'
import { findOwnerEmail } from '../../tenancy/auth/accounts.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import { getBillingDetailsRow } from './billing-details.repo.ts'

/** One side of an invoice, as printed: a name and the lines below it. */
export type Party = { name: string; lines: string[] }
export type InvoiceParties = { seller: Party; buyer: Party }

/** Seller and buyer at this time. The invoice stores them, so later changes do not affect it. */
export async function readParties({ config, db }: Context, accountId: number): Promise<InvoiceParties> {
  const email = await findOwnerEmail(db, accountId)
  return {
    seller: toSellerParty(config.seller),
    buyer: toBuyerParty(await getBillingDetailsRow(db, accountId), email),
  }
}

export function toSellerParty(seller: Seller | undefined): Party {
  if (seller === undefined) return { name: 'Loci', lines: [] }
  return { name: seller.name, lines: present([...seller.address, seller.taxId, seller.email]) }
}

/** Without billing details, the buyer is the owner's e-mail address. */
export function toBuyerParty(details: BillingDetails, email: string | undefined): Party {
  const { name, line1, line2, city, region, postalCode, country, taxId } = details
  const place = present([[postalCode, city].filter(Boolean).join(' '), region]).join(', ')
  const lines = present([line1, line2, place, nameOfCountry(country), taxId, email])
  return name === '' ? { name: lines.at(-1) ?? '', lines: lines.slice(0, -1) } : { name, lines }
}

const present = (lines: readonly (string | undefined)[]): string[] =>
  lines.filter((line) => line !== undefined && line !== '') as string[]

/** Not made at the start: making one takes a fiftieth of it. */
let countries: Intl.DisplayNames | undefined

function nameOfCountry(code: string): string {
  if (code === '') return ''
  countries ??= new Intl.DisplayNames('en', { type: 'region' })
  return countries.of(code) ?? code
}
