import type { Context } from '../../tenancy/context.ts'
import { type AuditAuthor, recordAudit } from '../audit/record-audit.ts'
import { setAccountPlan } from './subscriptions.repo.ts'

/** Puts an account on another plan and records it in the audit log. Runs in the current transaction. */
export async function setPlan(
  ctx: Context,
  accountId: number,
  { from, to }: { from: string; to: string },
  author: AuditAuthor = { accountId, kind: 'system' },
): Promise<void> {
  await setAccountPlan(ctx.db, accountId, to)
  await recordAudit(ctx, author, {
    action: 'plan_changed',
    subject: { kind: 'plan', id: to, name: to },
    details: { from, to },
  })
}
