// Stop hook: after a stretch of work without a save, asks Claude once whether something is worth keeping. A stretch
// starts at the last offer or the last save.
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, readInput } from './agents.mjs'

const promptsOfStretch = 5
const toolCallsOfStretch = 20
/** Reads at most this much of a transcript. */
const bytesMax = 8_000_000

const savingTools =
  /__(create_entities|create_relations|add_observations|update_(entity|observation|relation)|merge_entities|delete_\w+)$/

const question =
  'A question from Loci, your memory across sessions: did this work show something that the next session should know, ' +
  'such as a decision and its reason, a preference of the user, how something works, or what went wrong and what fixed ' +
  'it? If so, save it now (recall first, then create_entities, add_observations or update_observation) and tell the user ' +
  'in one sentence what you saved. If not, stop without a word about this.'

try {
  const input = await readInput()
  if (mayAsk(input) && isStretchOver(input)) {
    // Claude Code shows a decision to block as an error, and this as feedback; both let Claude go on.
    const hookSpecificOutput = { hookEventName: 'Stop', additionalContext: question }
    console.log(JSON.stringify({ hookSpecificOutput }))
  }
} catch (error) {
  console.error(`Loci could not look at the session: ${error.message}`)
}

/**
 * Never asks twice in a row, nor when a program waits for the session's final message, nor where Loci follows the
 * conversations: what was said is stored then, and waits as a draft.
 */
function mayAsk({ stop_hook_active: isAsked }) {
  return !isAsked && !process.env.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk') && !isFollowed()
}

/** The file that a yes to "loci connect" leaves. */
function isFollowed() {
  return existsSync(join(process.env.LOCI_DATA_DIR || join(homedir(), '.loci'), 'follow', 'claude-code.json'))
}

/** If the stretch is over, remembers its place in the transcript. */
function isStretchOver({ session_id: session, transcript_path: transcript }) {
  const folder = process.env.CLAUDE_PLUGIN_DATA ?? join(tmpdir(), 'loci-claude-code')
  const mark = join(folder, `offered-${String(session).replace(/[^\w-]/g, '')}`)
  const { lines, end } = readFrom(transcript, placeIn(mark))
  const { prompts, toolCalls } = countSinceSave(lines)
  if (prompts < promptsOfStretch && toolCalls < toolCallsOfStretch) return false
  mkdirSync(folder, { recursive: true })
  writeFileSync(mark, String(end))
  return true
}

function placeIn(mark) {
  try {
    return Number(readFileSync(mark, 'utf8')) || 0
  } catch {
    return 0
  }
}

function readFrom(path, start) {
  if (typeof path !== 'string') throw new Error('the input names no transcript')
  const file = openSync(path, 'r')
  try {
    const end = fstatSync(file).size
    const from = Math.max(Math.min(start, end), end - bytesMax)
    const buffer = Buffer.alloc(end - from)
    readSync(file, buffer, 0, buffer.length, from)
    return { lines: buffer.toString('utf8').split('\n'), end }
  } finally {
    closeSync(file)
  }
}

function countSinceSave(lines) {
  let prompts = 0
  let toolCalls = 0
  for (const line of lines) {
    // The first line can be truncated.
    const entry = parse(line)
    const content = entry?.message?.content
    if (entry?.isMeta || entry?.isSidechain || content === undefined) continue
    const blocks = Array.isArray(content) ? content.map(Object) : [{ type: 'text' }]
    const calls = blocks.filter(({ type }) => type === 'tool_use')
    if (calls.some(({ name }) => savingTools.test(name))) {
      prompts = 0
      toolCalls = 0
      continue
    }
    toolCalls += calls.length
    if (entry.type === 'user' && blocks.some(({ type }) => type === 'text')) prompts += 1
  }
  return { prompts, toolCalls }
}
