import type { AuditAction, AuditDetails } from '@loci/contract/audit'
import type { PaymentMethod } from '@loci/contract/billing'
import type { Context } from '../../tenancy/context.ts'
import { type AuditAuthor, recordAudit } from '../audit/record-audit.ts'

type CardAction = Extract<AuditAction, 'card_added' | 'card_removed' | 'default_card_changed'>

/** Writes what was done with a card into the audit log, in the current transaction. */
export const recordCard = (
  ctx: Context,
  author: AuditAuthor,
  action: CardAction,
  { id, brand, last4 }: Pick<PaymentMethod, 'id' | 'brand' | 'last4'>,
  details: AuditDetails = {},
): Promise<void> =>
  recordAudit(ctx, author, { action, subject: { kind: 'card', id, name: `${brand} ${last4}` }, details })
