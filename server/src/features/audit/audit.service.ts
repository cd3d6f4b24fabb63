import type { AuditEvent, AuditFilters, AuditResponse, ListAuditQuery } from '@loci/contract/audit'
import { decodeTextCursor, toPage } from '../../ground/lib/cursors.ts'
import { firstIdAt } from '../../ground/lib/ids.ts'
import { dayMs, fromIso, toIso } from '../../ground/lib/time.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { type EventsWanted, listEmails, listEvents, type StoredEvent } from './audit.repo.ts'

const eventsPerPage = 500

/** The account's audit events, newest first. Throws `invalid_cursor`. */
export async function listAudit(
  ctx: Context,
  { accountId }: Actor,
  { limit, cursor, ...filters }: ListAuditQuery,
): Promise<AuditResponse> {
  const wanted = toWanted(ctx, filters)
  const before = earliest(wanted.before, decodeTextCursor('audit', cursor)?.at)
  const found = await listEvents(ctx.db, accountId, { ...wanted, before, limit: limit + 1 })
  const { rows, nextCursor } = toPage('audit', found, limit, ({ id }) => ({ at: id, id: 0 }))
  return {
    events: await withEmails(ctx, rows),
    nextCursor,
    keptDays: ctx.config.auditDays,
  }
}

/** All events that match the filters, newest first, page by page. */
export async function* pagesOfAudit(
  ctx: Context,
  accountId: number,
  filters: AuditFilters,
): AsyncGenerator<AuditEvent[], void> {
  const wanted = toWanted(ctx, filters)
  for (let { before } = wanted; ; ) {
    const rows = await listEvents(ctx.db, accountId, { ...wanted, before, limit: eventsPerPage })
    if (rows.length > 0) yield await withEmails(ctx, rows)
    if (rows.length < eventsPerPage) return
    before = rows.at(-1)!.id
  }
}

/** Hides expired events that the sweep has not deleted yet. */
function toWanted({ config, now }: Context, filters: AuditFilters): Omit<EventsWanted, 'limit'> {
  const { category, actions, userId, after, before } = filters
  const kept = now() - config.auditDays * dayMs
  return {
    category,
    actions,
    userId,
    from: firstIdAt('aud', after === undefined ? kept : Math.max(kept, fromIso(after))),
    before: before === undefined ? undefined : firstIdAt('aud', fromIso(before)),
  }
}

const earliest = (a: string | undefined, b: string | undefined) =>
  a === undefined || (b !== undefined && b < a) ? b : a

async function withEmails({ db }: Context, rows: readonly StoredEvent[]): Promise<AuditEvent[]> {
  const ids = new Set(rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))
  const emails = await listEmails(db, [...ids])
  return rows.map((row) => toEvent(row, emails))
}

function toEvent(row: StoredEvent, emails: ReadonlyMap<string, string>): AuditEvent {
  const { id, at, action, category, address, user_id: userId, subject_kind: kind } = row
  return {
    id,
    at: toIso(at),
    action,
    category,
    address,
    actor: {
      kind: row.actor_kind,
      userId,
      name: row.user_name,
      email: (userId && emails.get(userId)) ?? null,
      credential: row.credential_id === null ? null : { id: row.credential_id, name: row.credential_name },
      client: row.client,
    },
    subject: kind === null ? null : { kind, id: row.subject_id, name: row.subject_name },
    details: JSON.parse(row.details),
  }
}
