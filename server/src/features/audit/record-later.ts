import { setTimeout } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { type AuditAuthor, type NewAuditEvent, recordAudit } from './record-audit.ts'

/** By then the answer is sent. */
const afterAnswerMs = 50

const underWay = new WeakMap<Db, Set<Promise<void>>>()

/**
 * Writes an event without having anybody wait for it. For failed sign-ins, whose answers must take as long where there
 * is no such user, and so no log to write to.
 */
export function recordLater(ctx: Context, author: AuditAuthor, event: NewAuditEvent): void {
  const events = eventsOf(ctx.db)
  const writing = setTimeout(afterAnswerMs)
    .then(() => recordAudit(ctx, author, event))
    .catch((error) => ctx.log.error({ err: error }, 'an event of the audit log could not be written'))
    .finally(() => events.delete(writing))
  events.add(writing)
}

/** Waits until all that was begun is written. */
export async function finishRecording(ctx: Pick<Context, 'db'>): Promise<void> {
  await Promise.all(eventsOf(ctx.db))
}

function eventsOf(db: Db): Set<Promise<void>> {
  const events = underWay.get(db) ?? new Set()
  underWay.set(db, events)
  return events
}
