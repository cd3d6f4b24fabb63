import { freePlanId } from '@loci/contract/plans'
import type { Context } from '../../tenancy/context.ts'
import * as accounts from './accounts.repo.ts'

/** Creates an account with an empty memory; returns its number. */
export function createAccount({ db, now, newId }: Context): Promise<number> {
  const account = { id: newId('acc'), plan: freePlanId, unclaimed: false, createdAt: now() }
  return accounts.insertAccount(db, account)
}
