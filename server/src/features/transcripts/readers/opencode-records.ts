import type { DatabaseSync } from 'node:sqlite'
import { type JsonRecord, objectOf, parseRecord, stringOf } from './json-record.ts'
import type { PartPlace, PartRecord } from './reader.ts'

const batchRows = 500

const select = `
  select part.id, part.time_updated as updatedAt, part.time_created as createdAt, part.data,
    message.data as message, session.parent_id as askedBy, whole.id as sessionId, whole.directory, whole.title,
    whole.time_created as startedAt
  from part join message on message.id = part.message_id join session on session.id = part.session_id
    join session whole on whole.id = coalesce(session.parent_id, session.id)
  where (part.time_updated, part.id) > (?, ?) order by part.time_updated, part.id limit ${batchRows}`

/** Parts that ended after a place, in the order in which they changed; those still being written are left for later. */
export function* opencodeRecords(database: DatabaseSync, from: PartPlace): Generator<PartRecord> {
  let place = from
  for (;;) {
    const rows = database.prepare(select).all(place.after, place.id)
    for (const row of rows) {
      place = { after: Number(row.updatedAt), id: String(row.id) }
      const part = parseRecord(stringOf(row.data)) ?? {}
      const message = parseRecord(stringOf(row.message)) ?? {}
      yield {
        id: row.id,
        at: row.createdAt,
        role: message.role,
        isSummary: message.summary === true,
        part: isFinished(part) ? part : { type: 'snapshot' },
        session: {
          ...{ id: row.sessionId, directory: row.directory, title: row.title, at: row.startedAt },
          isAsked: row.askedBy !== null,
        },
        place,
      }
    }
    if (rows.length < batchRows) return
  }
}

/** An unfinished part is written again when it ends, and comes then. */
function isFinished({ type, state, time }: JsonRecord): boolean {
  if (type === 'tool') return /^(?:completed|error)$/.test(stringOf(objectOf(state).status))
  const times = time as JsonRecord | undefined
  return type !== 'text' || times === undefined || 'end' in times
}
