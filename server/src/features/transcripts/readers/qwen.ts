import { integerOf, isoTime, type JsonRecord, objectOf, objectsOf, stringOf } from './json-record.ts'
import {
  countUnknown,
  joined,
  learn,
  type Reader,
  type ReaderState,
  type ReadTurn,
  saidInParts,
} from './reader.ts'
import { beginCall, endCall } from './tool-calls.ts'

/*
 * `~/.qwen/projects/<folder>/chats/<session>.jsonl`, as Qwen Code 0.24.4 writes it. Not documented. What a subagent
 * says stands under the same session in `subagents/<session>/*.jsonl`.
 */

export const qwen: Reader = {
  agent: 'qwen',
  read(state, record) {
    const type = stringOf(record.type)
    const at = isoTime(record.timestamp)
    learn(state, {
      externalId: stringOf(record.sessionId),
      at,
      path: stringOf(record.cwd),
      branch: stringOf(record.gitBranch),
    })
    const parts = objectsOf(objectOf(record.message).parts)
    if (type === 'user') return record.provenance === 'real_user' ? textTurns(record, 'person', parts) : []
    if (type === 'assistant') {
      for (const { functionCall } of parts) begin(state, at, objectOf(functionCall))
      return textTurns(record, 'agent', parts)
    }
    if (type === 'tool_result') return parts.flatMap((part) => resultTurns(state, record, part))
    if (type !== 'system') countUnknown(state, type)
    return []
  },
}

function textTurns(record: JsonRecord, role: 'person' | 'agent', parts: readonly JsonRecord[]): ReadTurn[] {
  const texts = parts.filter(({ thought }) => thought !== true).map(({ text }) => stringOf(text))
  const text = role === 'person' ? saidInParts(texts) : joined(texts)
  return text === '' ? [] : [{ externalId: stringOf(record.uuid), at: isoTime(record.timestamp), role, text }]
}

/** Tools that the model looked up first are called through one tool. */
function begin(state: ReaderState, at: string, { id, name, args }: JsonRecord): void {
  if (stringOf(id) === '') return
  const within = name === 'tool_call' ? objectOf(args) : {}
  const input = 'name' in within ? within.arguments : args
  beginCall(state, { id: stringOf(id), at, name: stringOf(within.name) || stringOf(name), input })
}

function resultTurns(state: ReaderState, record: JsonRecord, part: JsonRecord): ReadTurn[] {
  const { id, response } = objectOf(part.functionResponse)
  const { output, error } = objectOf(response)
  const { status, resultDisplay } = objectOf(record.toolCallResult)
  const display = objectOf(resultDisplay)
  const exitCode = integerOf(display.exitCode)
  // Of a command the output alone; the model is told more.
  const shown = exitCode === undefined ? '' : stringOf(display.output)
  return endCall(state, stringOf(id), {
    at: isoTime(record.timestamp),
    text: shown || stringOf(output) || stringOf(error),
    ok: status === 'success',
    ...(exitCode !== undefined && { exitCode }),
  })
}
