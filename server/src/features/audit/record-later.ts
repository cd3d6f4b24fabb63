import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../store/db.ts'
import type { Context } from '../../tenancy/context.ts'
import { type AuditAuthor, type NewAuditEvent, recordAudit } from './record-audit.ts'

/** The response is sent by then. */
const afterAnswerMs = 50

const underWay = new WeakMap<Db, Set<Promise<void>>>()

/**
 * Writes an event in the background. For failed sign-ins, whose responses must take the same time if there is no such
 * user, and therefore no log to write to.
 */
export function recordLater(ctx: Context, author: AuditAuthor, event: NewAuditEvent): void {
  const events = eventsOf(ctx.db)
  const writing = setTimeout(afterAnswerMs)
    .then(() => recordAudit(ctx, author, event))
    .catch((error) => ctx.log.error({ err: error }, 'an event of the audit log could not be written'))
    .finally(() => events.delete(writing))
  events.add(writing)
}

/** Waits until all pending events are written. */
export async function finishRecording(ctx: Pick<Context, 'db'>): Promise<void> {
  await Promise.all(eventsOf(ctx.db))
}

function eventsOf(db: Db): Set<Promise<void>> {
  const events = underWay.get(db) ?? new Set()
  underWay.set(db, events)
  return events
}
