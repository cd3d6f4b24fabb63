import { AppError } from '../../ground/errors/app-error.ts'
import { allPages } from '../../ground/lib/all-pages.ts'
import { toIso } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { closeBilling } from '../billing/billing.service.ts'
import { correctInvoice, type InvoiceCorrection } from '../billing/correct-invoice.ts'
import { givePlan } from '../billing/give-plan.ts'
import * as accounts from './accounts.repo.ts'
import { removeAccount } from './remove-account.ts'
import * as users from './users.repo.ts'
import { requireUserByEmail } from './users.service.ts'

/** For the command line, whose user has access to the database, so no rights are checked. */

/** An account as shown to the operator. */
export type AccountLine = {
  id: string
  /** Null for memory that was stored without an account. */
  owner: string | null
  plan: string
  entities: number
  storedBytes: number
  suspended: boolean
  createdAt: string
}

const accountsPerPage = 500

/** Every account, oldest first. */
export async function* listAccounts({ db }: Context): AsyncGenerator<AccountLine> {
  const list = (last = { accountId: 0 }) => accounts.listAccountRows(db, last.accountId, accountsPerPage)
  for await (const page of allPages(accountsPerPage, list)) {
    const owners = await users.listOwners(
      db,
      page.map((account) => account.accountId),
    )
    for (const { accountId, createdAt, ...account } of page) {
      const owner = owners.get(accountId)
      yield {
        id: account.id,
        owner: owner?.email ?? null,
        plan: account.plan,
        entities: account.entities,
        storedBytes: account.storedBytes,
        suspended: owner !== undefined && owner.suspendedAt !== null,
        createdAt: toIso(createdAt),
      }
    }
  }
}

/** Sets the plan of a user's account. Throws `user_not_found`, `plan_not_found`, `billing_conflict`. */
export async function setPlanOfUser(ctx: Context, email: string, planId: string): Promise<void> {
  const { accountNumber } = await requireUserByEmail(ctx.db, email)
  await givePlan(ctx, accountNumber, planId)
}

/**
 * Pays an invoice of the sandbox back, takes an amount off it, or ends the dispute of its payment. Returns the amount in
 * cents. Throws `user_not_found`, `invoice_not_found`, `billing_conflict`.
 */
export async function correctInvoiceOfUser(
  ctx: Context,
  email: string,
  correction: InvoiceCorrection,
): Promise<number> {
  const { accountNumber } = await requireUserByEmail(ctx.db, email)
  return correctInvoice(ctx, accountNumber, correction)
}

/** Deletes the account that a user owns, with its users and memory. Throws `user_not_found`, `owner_required`. */
export async function deleteAccountOf(ctx: Context, email: string): Promise<void> {
  const { accountNumber, role } = await requireUserByEmail(ctx.db, email)
  if (role !== 'owner') {
    const message = `${email} is a member of an account that somebody else owns. "loci user delete ${email}" removes them.`
    throw new AppError('owner_required', message)
  }
  await closeBilling(ctx, accountNumber)
  await removeAccount(ctx, accountNumber)
}
