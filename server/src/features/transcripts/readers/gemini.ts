import { isoTime, type JsonRecord, objectOf, objectsOf, stringOf } from './json-record.ts'
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
 * `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, as Gemini CLI 0.61.0 writes it. Not documented.
 * A message is written again, under the same id, when its tools have run; `$set` changes what stands above.
 */

const silent = /^(?:info|warning|error|about)$/

/** How the program tells the model of a command that the person ran. */
const commandRun =
  /^I ran the following shell command:\n```sh\n[\s\S]*\n```\n\nThis produced the following result:\n```\n[\s\S]*```$/

/** What the program answers itself when it has told the model, in the person's name, what was said before. */
const summaryTaken = 'Got it. Thanks for the additional context!'

export const gemini: Reader = {
  agent: 'gemini',
  read(state, record) {
    if ('$set' in record) {
      const messages = objectsOf(objectOf(record.$set).messages)
      const taken = messages.findIndex((message) => textsOf(message).includes(summaryTaken))
      return messages.flatMap((message, at) =>
        taken >= 0 && (at === taken || at === taken - 1) ? [] : messageTurns(state, message),
      )
    }
    if ('sessionId' in record) {
      learn(state, { externalId: stringOf(record.sessionId), at: isoTime(record.startTime) })
      return []
    }
    return '$rewindTo' in record ? [] : messageTurns(state, record)
  },
}

const textsOf = ({ content }: JsonRecord): string[] =>
  typeof content === 'string' ? [content] : objectsOf(content).map((part) => stringOf(part.text))

function messageTurns(state: ReaderState, message: JsonRecord): ReadTurn[] {
  const type = stringOf(message.type)
  if (type !== 'user' && type !== 'gemini') {
    if (!silent.test(type)) countUnknown(state, type)
    return []
  }
  const at = isoTime(message.timestamp)
  const texts = textsOf(message)
  const text = type === 'user' ? saidInParts(texts) : joined(texts)
  const role = type === 'user' ? ('person' as const) : ('agent' as const)
  const isProgram = text === '' || (role === 'person' && commandRun.test(text))
  const said = isProgram ? [] : [{ externalId: stringOf(message.id), at, role, text }]
  return [...said, ...objectsOf(message.toolCalls).flatMap((call) => callTurns(state, call))]
}

function callTurns(state: ReaderState, call: JsonRecord): ReadTurn[] {
  const id = stringOf(call.id)
  const at = isoTime(call.timestamp)
  const status = stringOf(call.status)
  if (!/^(?:success|error|cancelled)$/.test(status)) return []
  const response = objectsOf(call.result).map((part) => objectOf(objectOf(part.functionResponse).response))
  const text = response.map(({ output, error }) => stringOf(output) || stringOf(error)).join('\n')
  const exitCode = /^Exit Code: (\d{1,3})$/m.exec(text)?.[1]
  beginCall(state, { id, at, name: stringOf(call.name), input: call.args })
  return endCall(state, id, {
    at,
    text: text.replace(/<\/?untrusted_context>\n?|^Process Group PGID: \d+\n?/gm, ''),
    ok: status === 'success',
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
  })
}
