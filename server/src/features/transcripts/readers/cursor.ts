import { fileURLToPath } from 'node:url'
import { cursorRecords } from './cursor-records.ts'
import { integerOf, isoTime, type JsonRecord, objectOf, parseRecord, stringOf } from './json-record.ts'
import { countUnknown, learn, type Reader, saidByPerson } from './reader.ts'
import { beginCall, endCall } from './tool-calls.ts'

/*
 * Not documented by Cursor; written after public descriptions of its files (versions of 2025 and 2026). A record is a
 * bubble with its conversation: `{composer: {composerId, name, createdAt}, bubble: {bubbleId, type, text}}`.
 */

const person = 1
const agent = 2
/** Tools whose result is what happened, not the content of something. */
const happening = /terminal|command|mcp/i

export const cursor: Reader = {
  agent: 'cursor',
  records: cursorRecords,
  read(state, record) {
    const composer = objectOf(record.composer)
    const bubble = objectOf(record.bubble)
    const id = stringOf(bubble.bubbleId)
    if (id === '') return []
    learn(state, {
      externalId: stringOf(composer.composerId),
      at: isoTime(composer.createdAt),
      path: pathOf(composer, bubble),
    })
    if (stringOf(composer.name) !== '') state.conversation.title = stringOf(composer.name)
    const at = isoTime(bubble.createdAt)
    if (bubble.type !== person && bubble.type !== agent) {
      countUnknown(state, `bubble of type ${JSON.stringify(bubble.type) ?? 'none'}`)
      return []
    }
    const call = objectOf(bubble.toolFormerData)
    if (stringOf(call.name) !== '') return readCall(state, { id, at, call })
    const text = bubble.type === person ? saidByPerson(stringOf(bubble.text)) : stringOf(bubble.text).trim()
    // A bubble without text holds a thought, or nothing yet.
    return text === ''
      ? []
      : [{ externalId: id, at, role: bubble.type === person ? 'person' : 'agent', text }]
  },
}

function readCall(
  state: Parameters<Reader['read']>[0],
  { id, at, call }: { id: string; at: string; call: JsonRecord },
): ReturnType<Reader['read']> {
  const name = stringOf(call.name)
  const result = parseRecord(stringOf(call.result)) ?? {}
  const isFailed = /^(?:error|cancelled|rejected)$/.test(stringOf(call.status))
  const output = stringOf(result.output) || stringOf(result.result)
  const error = stringOf(objectOf(parseRecord(stringOf(call.error)) ?? call.error).clientVisibleErrorMessage)
  const exitCode = integerOf(result.exitCode) ?? integerOf(result.exitCodeV2)
  beginCall(state, { id, at, name, input: argumentsOf(call) })
  return endCall(state, id, {
    at,
    text: happening.test(name) || isFailed ? output || error : '',
    ...(call.status !== undefined && { ok: !isFailed }),
    ...(exitCode !== undefined && { exitCode }),
  })
}

/** A file is named as other agents name it. */
function argumentsOf({ rawArgs, params }: JsonRecord): JsonRecord {
  const given = parseRecord(stringOf(rawArgs)) ?? parseRecord(stringOf(params)) ?? {}
  const { target_file, targetFile, relativeWorkspacePath, ...rest } = given
  const path = [target_file, targetFile, relativeWorkspacePath].map(stringOf).find(Boolean)
  return path === undefined ? given : { path, ...rest }
}

function pathOf(
  { workspaceIdentifier }: JsonRecord,
  { workspaceUris, workspaceProjectDir }: JsonRecord,
): string {
  const known = stringOf(objectOf(objectOf(workspaceIdentifier).uri).fsPath) || stringOf(workspaceProjectDir)
  const [uri] = Array.isArray(workspaceUris) ? workspaceUris : []
  return known || pathOfUri(stringOf(uri))
}

function pathOfUri(uri: string): string {
  try {
    return fileURLToPath(uri, { windows: /^file:\/\/\/[a-z](?::|%3a)/i.test(uri) })
  } catch {
    return ''
  }
}
