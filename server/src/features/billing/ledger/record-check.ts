import type { Context } from '../../../tenancy/context.ts'
import { type Control, differencesIn } from './controls.ts'
import type { LedgerEntry } from './ledger.rules.ts'
import { type LedgerCheck, saveCheck } from './ledger-checks.repo.ts'

/** Compares an account's books with what its gateway says, and stores and logs the differences. */
export async function recordCheck(
  ctx: Context,
  accountId: number,
  { entries, controls }: { entries: readonly LedgerEntry[]; controls: readonly Control[] },
): Promise<LedgerCheck> {
  const check = { checkedAt: ctx.now(), differences: differencesIn(entries, controls) }
  await saveCheck(ctx.db, accountId, check)
  if (check.differences.length > 0) {
    ctx.log.error({ accountId, differences: check.differences }, 'the books of an account do not add up')
  }
  return check
}
