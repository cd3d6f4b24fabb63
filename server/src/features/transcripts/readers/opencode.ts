import type { DatabaseSync } from 'node:sqlite'
import { integerOf, isoTime, type JsonRecord, objectOf, parseRecord, stringOf } from './json-record.ts'
import { countUnknown, learn, type PartPlace, type PartRecord, type Reader } from './reader.ts'
import { beginCall, endCall } from './tool-calls.ts'

/*
 * `~/.local/share/opencode/opencode.db`, as opencode 1.18.33 writes it. Not documented. A record is a row of `part`
 * with its message and session: `{id, at, role, isSummary, part, session: {id, directory, title, at, isAsked}}`. What a
 * subagent says stands under the session of who asked it.
 */

const silent = /^(?:step-start|step-finish|patch|reasoning|snapshot|compaction|subtask|agent|file|retry)$/
/** Until the session has one. */
const noTitle = /^(?:New|Child) session - \d{4}-/

export const opencode: Reader = {
  agent: 'opencode',
  records: opencodeRecords,
  read(state, record) {
    const session = objectOf(record.session)
    learn(state, {
      externalId: stringOf(session.id),
      at: isoTime(session.at),
      path: stringOf(session.directory),
    })
    const title = stringOf(session.title)
    if (title !== '' && !noTitle.test(title)) state.conversation.title = title
    const part = objectOf(record.part)
    const type = stringOf(part.type)
    const at = isoTime(record.at)
    if (type === 'text') {
      const text = stringOf(part.text).trim()
      const role = record.role === 'user' ? 'person' : 'agent'
      // What the program added in the person's name, what one agent asks of another, and summaries of what was said.
      const isProgram = part.synthetic === true || (role === 'person' && session.isAsked === true)
      return text === '' || isProgram || record.isSummary === true
        ? []
        : [{ externalId: stringOf(record.id), at, role, text }]
    }
    if (type === 'tool') {
      const call = objectOf(part.state)
      const exitCode = integerOf(objectOf(call.metadata).exit)
      const id = stringOf(record.id)
      beginCall(state, { id, at, name: stringOf(part.tool), input: call.input })
      const text = stringOf(call.output) || stringOf(call.error)
      return endCall(state, id, {
        at,
        text,
        ok: call.status === 'completed',
        ...(exitCode !== undefined && { exitCode }),
      })
    }
    if (!silent.test(type)) countUnknown(state, type)
    return []
  },
}

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
