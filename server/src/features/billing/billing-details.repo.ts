import type { BillingDetails } from '@loci/contract/billing'
import type { Db } from '../../store/db.ts'
import { toCamelRow, toSnakeRow } from '../../store/row-names.ts'

export async function getBillingDetailsRow(db: Db, accountId: number): Promise<BillingDetails> {
  const row = await db
    .selectFrom('billing_details')
    .select(['name', 'line1', 'line2', 'city', 'region', 'postal_code', 'country', 'tax_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row === undefined ? nobody : toCamelRow(row)
}

const nobody: BillingDetails = {
  name: '',
  line1: '',
  line2: '',
  city: '',
  region: '',
  postalCode: '',
  country: '',
  taxId: '',
}

export async function saveBillingDetails(db: Db, accountId: number, details: BillingDetails): Promise<void> {
  const fields = toSnakeRow(details)
  await db
    .insertInto('billing_details')
    .values({ account_id: accountId, ...fields })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(fields))
    .execute()
}
