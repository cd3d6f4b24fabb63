import { integerOf, isoTime, objectOf, stringOf } from './json-record.ts'
import { opencodeRecords } from './opencode-records.ts'
import { countUnknown, learn, type Reader } from './reader.ts'
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
