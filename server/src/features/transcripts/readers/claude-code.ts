import { isoTime, type JsonRecord, objectOf, objectsOf, stringOf } from './json-record.ts'
import { countUnknown, learn, type Reader, type ReaderState, type ReadTurn, saidByPerson } from './reader.ts'
import { beginCall, endCall } from './tool-calls.ts'

/*
 * `~/.claude/projects/<folder>/<session>.jsonl`, as Claude Code 2.1.197, 2.1.330 and 2.1.332 write it. Not documented.
 * A message of the model is split into a record for each block; results of tools stand in records of type user. What a
 * subagent says stands under the same session in `<session>/subagents/*.jsonl`. A forked session repeats the records of
 * the first under its own id, without a mark.
 */

/** Records and blocks that hold nothing that was said: prompts, requests, thoughts, counts, queues, hooks. */
const silentRecords =
  /^(?:system|mode|queue-operation|last-prompt|summary|file-history-snapshot|cost-state|worktree-state|permission-mode|agent-name|agent-color|tag|pr-link|tools-used|atis-latch|api-request(?:-shape|-blob)?)$/
const silentBlocks = /^(?:thinking|redacted_thinking|image|document)$/

export const claudeCode: Reader = {
  agent: 'claude-code',
  read(state, record) {
    const type = stringOf(record.type)
    learn(state, {
      externalId: stringOf(record.sessionId),
      at: isoTime(record.timestamp),
      path: stringOf(record.cwd),
      branch: branchOf(record),
    })
    if (type === 'user' || type === 'assistant') return messageTurns(state, record, type)
    if (type === 'attachment') return queuedTurns(state, record)
    if (type === 'custom-title') {
      state.conversation.title = stringOf(record.customTitle)
      return []
    }
    if (!silentRecords.test(type)) countUnknown(state, type)
    return []
  },
}

const branchOf = ({ gitBranch }: JsonRecord) => (gitBranch === 'HEAD' ? '' : stringOf(gitBranch))

/** What a person wrote while the model was at work stands in an attachment. */
function queuedTurns(state: ReaderState, record: JsonRecord): ReadTurn[] {
  const { type, commandMode = 'prompt', prompt, isMeta, origin } = objectOf(record.attachment)
  if (type !== 'queued_command' || commandMode !== 'prompt') return []
  return messageTurns(state, { ...record, isMeta, origin, message: { content: prompt } }, 'user')
}

function messageTurns(state: ReaderState, record: JsonRecord, type: string): ReadTurn[] {
  const { content } = objectOf(record.message)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
  return blocks.flatMap((block, index) => {
    const kind = stringOf(block.type)
    if (kind === 'text') return textTurn(record, type, stringOf(block.text), index)
    if (kind === 'tool_use') {
      const { id, name, input } = block
      beginCall(state, { id: stringOf(id), at: isoTime(record.timestamp), name: stringOf(name), input })
    } else if (kind === 'tool_result') return resultTurn(state, record, block)
    else if (!silentBlocks.test(kind)) countUnknown(state, `block ${kind}`)
    return []
  })
}

function textTurn(record: JsonRecord, type: string, text: string, index: number): ReadTurn[] {
  if (type === 'user' ? isByProgram(record, text) : objectOf(record.message).model === errorModel) return []
  const said = type === 'user' ? (commandIn(text) ?? saidByPerson(text)) : text.trim()
  if (said === '') return []
  const id = stringOf(record.uuid)
  return [
    {
      externalId: index === 0 ? id : `${id}:${index}`,
      at: isoTime(record.timestamp),
      role: type === 'user' ? 'person' : 'agent',
      text: said,
    },
  ]
}

/** As whose words the program shows errors of the service. */
const errorModel = '<synthetic>'
const interruption = /^\[Request interrupted by user(?: for tool use)?\]$/

/** What the program writes in the person's name, and what one agent asks of another. */
function isByProgram(record: JsonRecord, text: string): boolean {
  const { isMeta, isSidechain, isCompactSummary, rowSource, origin } = record
  if ([isMeta, isSidechain, isCompactSummary].includes(true) || rowSource === 'harness') return true
  return !/^(?:|human|voice-call)$/.test(stringOf(objectOf(origin).kind)) || interruption.test(text)
}

/** A command that is a prompt, such as a skill. Those that the program itself carries out begin with their name. */
const command =
  /^<command-message>[^<]*<\/command-message>\s*<command-name>(?<name>[^<]*)<\/command-name>(?:\s*<command-args>(?<words>[\s\S]*)<\/command-args>)?\s*$/

function commandIn(text: string): string | undefined {
  const { name, words = '' } = command.exec(text)?.groups ?? {}
  return name && `${name} ${words}`.trim()
}

function resultTurn(state: ReaderState, record: JsonRecord, block: JsonRecord): ReadTurn[] {
  const { content } = block
  const text =
    typeof content === 'string'
      ? content
      : objectsOf(content)
          .map((part) => stringOf(part.text))
          .join('\n')
  const exitCode = block.is_error === true ? /^Exit code (\d{1,3})\b/.exec(text)?.[1] : undefined
  return endCall(state, stringOf(block.tool_use_id), {
    at: isoTime(record.timestamp),
    text,
    ok: block.is_error !== true,
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
  })
}
