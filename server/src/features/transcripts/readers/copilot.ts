import { integerOf, isoTime, objectOf, stringOf } from './json-record.ts'
import { countUnknown, learn, type Reader } from './reader.ts'
import { beginCall, endCall } from './tool-calls.ts'

/*
 * `~/.copilot/session-state/<session>/events.jsonl`, as Copilot CLI 1.0.102 writes it. Not documented.
 */

const silent =
  /^(?:system\.message|assistant\.turn_(?:start|end)|session\.(?:resume|usage_.*|compaction_.*|shutdown|.*_changed?|mode_notice_.*|info)|tool\.user_requested|(?:hook|subagent|model)\..*)$/

export const copilot: Reader = {
  agent: 'copilot',
  read(state, record) {
    const type = stringOf(record.type)
    const data = objectOf(record.data)
    const at = isoTime(record.timestamp)
    const id = stringOf(data.toolCallId)
    if (type === 'session.start') {
      const { cwd, branch } = objectOf(data.context)
      learn(state, {
        externalId: stringOf(data.sessionId),
        at,
        path: stringOf(cwd),
        branch: stringOf(branch),
      })
    } else if (type === 'user.message' || type === 'assistant.message') {
      const text = stringOf(data.content).trim()
      const role = type === 'user.message' ? 'person' : 'agent'
      // What a skill says in the person's name, and what one agent asks of another.
      if (role === 'person' && 'source' in data) return []
      return text === '' ? [] : [{ externalId: stringOf(record.id), at, role, text }]
    } else if (type === 'tool.execution_start') {
      beginCall(state, { id, at, name: stringOf(data.toolName), input: data.arguments })
    } else if (type === 'tool.execution_complete') {
      const exitCode = integerOf(objectOf(data.shellExecution).exitCode)
      const text = stringOf(objectOf(data.result).content) || stringOf(objectOf(data.error).message)
      return endCall(state, id, {
        at,
        text,
        ok: data.success === true,
        ...(exitCode !== undefined && { exitCode }),
      })
    } else if (!silent.test(type)) countUnknown(state, type)
    return []
  },
}
