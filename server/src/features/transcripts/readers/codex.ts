import { createHash } from 'node:crypto'
import {
  integerOf,
  isoTime,
  type JsonRecord,
  objectOf,
  objectsOf,
  parseRecord,
  stringOf,
} from './json-record.ts'
import {
  countUnknown,
  joined,
  learn,
  type Reader,
  type ReaderState,
  type ReadTurn,
  saidInParts,
} from './reader.ts'
import { beginCall, endCall, pendingCall, within } from './tool-calls.ts'

/*
 * `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, as Codex 0.42.0, 0.169.0 and 0.171.0 write it. Not
 * documented. What was said stands in `response_item`; `event_msg` repeats it for the screen and adds how a call ended.
 * What a subagent says stands in a file of its own, with the session of who asked it.
 */

const silentRecords = /^(?:world_state|turn_context|token_usage_record|compacted)$/
const silentItems = /^(?:reasoning|tool_search_(?:call|output)|additional_tools)$/
const silentEvents =
  /^(?:task_started|task_complete|turn_aborted|token_count|thread_settings_applied|user_message|agent_message|agent_reasoning)$/

export const codex: Reader = {
  agent: 'codex',
  read(state, record) {
    const type = stringOf(record.type)
    const payload = objectOf(record.payload)
    const at = isoTime(record.timestamp)
    if (objectOf(record.metadata).compaction_output === true) return []
    if (type === 'response_item') return itemTurns(state, payload, at)
    if (type === 'event_msg') readEvent(state, payload)
    else if (type === 'session_meta') {
      const branch = stringOf(objectOf(payload.git).branch)
      state.isOfSubagent ||= 'subagent' in objectOf(payload.source)
      const externalId = (state.isOfSubagent && stringOf(payload.session_id)) || stringOf(payload.id)
      learn(state, { externalId, at, path: stringOf(payload.cwd), branch })
    } else if (!silentRecords.test(type)) countUnknown(state, type)
    return []
  },
}

function itemTurns(state: ReaderState, item: JsonRecord, at: string): ReadTurn[] {
  const type = stringOf(item.type)
  const id = stringOf(item.call_id)
  if (type === 'message') return state.isOfSubagent && item.role === 'user' ? [] : messageTurns(item, at)
  if (type === 'function_call' || type === 'custom_tool_call') {
    const input =
      type === 'function_call' ? (parseRecord(stringOf(item.arguments)) ?? item.arguments) : item.input
    const name = [stringOf(item.namespace), stringOf(item.name)].filter((part) => part !== '').join('__')
    beginCall(state, { id, at, name, input })
  } else if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    return endCall(state, id, { at, ...outcomeOf(item.output) })
  } else if (!silentItems.test(type)) countUnknown(state, `item ${type}`)
  return []
}

function messageTurns(item: JsonRecord, at: string): ReadTurn[] {
  const role = stringOf(item.role)
  if (role !== 'user' && role !== 'assistant') return []
  const texts = objectsOf(item.content).map((part) => stringOf(part.text))
  const text = role === 'user' ? saidInParts(texts) : joined(texts)
  if (text === '' || (role === 'user' && isByProgram(item, text))) return []
  const externalId =
    stringOf(item.id) || `${at}/${createHash('sha256').update(`${role}\n${text}`).digest('hex').slice(0, 16)}`
  return [{ externalId, at, role: role === 'user' ? 'person' : 'agent', text }]
}

/** Messages in the person's name that the program wrote say so; older ones are known by their beginning. */
function isByProgram(item: JsonRecord, text: string): boolean {
  const parts = objectsOf(objectOf(item.internal_chat_message_metadata_passthrough).content_item_metadata)
  const provenance = parts.map((part) => stringOf(objectOf(part.provenance).type))
  return provenance.includes('harness') || /^# AGENTS\.md instructions.*\n+<INSTRUCTIONS>/.test(text)
}

/** How a call ended, from the text that the model was given. */
function outcomeOf(output: unknown): { text: string; exitCode?: number; ok?: boolean } {
  const text =
    typeof output === 'string'
      ? output
      : objectsOf(output)
          .map((part) => stringOf(part.text))
          .join('\n')
  const json = parseRecord(text)
  const told = integerOf(objectOf(json?.metadata).exit_code)
  if (json && told !== undefined) return { text: stringOf(json.output), exitCode: told }
  const code = /^(?:.*\n){0,4}?(?:Process exited with code|Exit code:) (\d{1,3})$/m.exec(text)?.[1]
  const own = text.replace(/^(?:.*\n){1,5}?Output:\n/, '')
  return {
    text: own,
    ...(code !== undefined && { exitCode: Number(code) }),
    ...(text.startsWith('unsupported call:') && { ok: false }),
  }
}

function readEvent(state: ReaderState, event: JsonRecord): void {
  const type = stringOf(event.type)
  if (type !== 'item_completed') {
    if (!silentEvents.test(type)) countUnknown(state, `event ${type}`)
    return
  }
  const item = objectOf(event.item)
  const call = pendingCall(state, stringOf(item.id))
  if (!call) return
  const status = stringOf(item.status)
  if (status !== '') call.ok = status === 'completed'
  const exitCode = integerOf(item.exit_code)
  if (exitCode !== undefined) call.exitCode = exitCode
  for (const path of Object.keys(objectOf(item.changes))) {
    const file = within(path, state.conversation.project?.path)
    if (!call.files.includes(file)) call.files.push(file)
  }
}
