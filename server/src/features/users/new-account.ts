import { freePlanId } from '@loci/contract/plans'
import type { Context } from '../../context.ts'
import * as accounts from './accounts.repo.ts'

/** An account with an empty memory; answers its number. */
export function createAccount({ db, now, newId }: Context): Promise<number> {
  const account = { id: newId('acc'), plan: freePlanId, unclaimed: false, createdAt: now() }
  return accounts.insertAccount(db, account)
}
