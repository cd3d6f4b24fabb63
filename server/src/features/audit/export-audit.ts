import type { AuditEvent, AuditFilters } from '@loci/contract/audit'
import { toCsvHead, toCsvLine } from '../../ground/lib/csv.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { pagesOfAudit } from './audit.service.ts'
import { recordAudit } from './record-audit.ts'

const columns = {
  time: ({ at }) => at,
  category: ({ category }) => category,
  action: ({ action }) => action,
  person: ({ actor }) => actor.name,
  email: ({ actor }) => actor.email ?? '',
  by: ({ actor }) => actor.kind,
  credential: ({ actor }) => actor.credential?.name || (actor.credential?.id ?? ''),
  client: ({ actor }) => actor.client ?? '',
  subject_kind: ({ subject }) => subject?.kind ?? '',
  subject_id: ({ subject }) => subject?.id ?? '',
  subject_name: ({ subject }) => subject?.name ?? '',
  details: ({ details }) => (Object.keys(details).length === 0 ? '' : JSON.stringify(details)),
  address: ({ address }) => address ?? '',
  id: ({ id }) => id,
} satisfies Record<string, (event: AuditEvent) => string>

/** The audit log as CSV, newest first, in bounded memory. Its first entry is this export. */
export async function exportAudit(
  ctx: Context,
  actor: Actor,
  filters: AuditFilters,
): Promise<AsyncGenerator<string, void>> {
  await recordAudit(ctx, actor, { action: 'audit_exported' })
  return writeLines(ctx, actor, filters)
}

async function* writeLines(ctx: Context, actor: Actor, filters: AuditFilters): AsyncGenerator<string, void> {
  yield toCsvHead(Object.keys(columns))
  for await (const page of pagesOfAudit(ctx, actor.accountId, filters)) {
    yield page.map((event) => toCsvLine(Object.values(columns).map((cell) => cell(event)))).join('')
  }
}
