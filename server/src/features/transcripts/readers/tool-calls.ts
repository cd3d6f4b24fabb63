import { type JsonRecord, objectOf, stringOf } from './json-record.ts'
import type { PendingCall, ReaderState, ReadTurn } from './reader.ts'

export type CallResult = { at: string; text: string; ok?: boolean; exitCode?: number }

const pendingMax = 200
const inputMax = 1000
const stringMax = 200
const failureMax = 2000
const resultMax = 500
const ownResultMax = 4000

/** Arguments that hold what is written to files. */
const contents =
  /^(?:content|contents|file_text|old_str|new_str|old_string|new_string|edits|text|patch|insert_text|new_source)$/
const paths = /^(?:file_path|filePath|absolute_path|path|notebook_path|file|filename)$/
const ofFiles = /read|write|edit|view|create|replace|patch|notebook/i
/** Tools whose result is the content of something, not what happened. */
const reading =
  /^(?:read|view|grep|glob|ls|list|cat|web_?fetch|fetch|search|find|notebookread|read_.*|list_.*|search_.*|glob_.*|web_.*|toolsearch)$/i
const writing =
  /^(?:edit|multiedit|write|create|replace|str_replace.*|apply_patch|write_file|edit_file|patch|notebookedit)$/i
/** Our own tools, and those among them whose results name the facts that the call stored. */
const ownTool = /loci/i
const storing = /(?:^|[_./:-])(?:create|add|update|merge)_[a-z]+$/

/** Remembers a call until its result comes. Calls that never end are forgotten, the oldest first. */
export function beginCall(
  { pending, conversation }: ReaderState,
  call: Omit<PendingCall, 'input' | 'files'> & { input: unknown },
): void {
  const files = filesOf(call.name, call.input)
  const input = inputInShort(call.input)
  pending[call.id] = { ...call, input, files: files.map((path) => within(path, conversation.project?.path)) }
  const ids = Object.keys(pending)
  if (ids.length > pendingMax) delete pending[ids[0] as string]
}

/** A call that waits for its result. Ids are the model's: none may name what every object has. */
export const pendingCall = ({ pending }: ReaderState, id: string): PendingCall | undefined =>
  Object.hasOwn(pending, id) ? pending[id] : undefined

/** The turn of a call that has ended; none if the call is not known. */
export function endCall(state: ReaderState, id: string, result: CallResult): ReadTurn[] {
  const call = pendingCall(state, id)
  if (!call) return []
  delete state.pending[id]
  const exitCode = result.exitCode ?? call.exitCode
  const ok = exitCode === undefined ? (result.ok ?? call.ok) : exitCode === 0
  return [
    {
      externalId: id,
      at: result.at || call.at,
      role: 'tool',
      text: resultInShort(call.name, result.text, ok),
      tool: {
        name: call.name,
        ...(call.input && { input: call.input }),
        ...(ok !== undefined && { ok }),
        ...(exitCode !== undefined && { exitCode }),
      },
      ...(call.files.length > 0 && { files: [...new Set(call.files)] }),
    },
  ]
}

/**
 * Results of our own tools that store are kept longer. What the others answered is the memory's own, would be found in
 * place of what was said, and would outlast a fact that is forgotten.
 */
function resultInShort(name: string, text: string, ok: boolean | undefined): string {
  const whole = text.trim()
  if (ok === false) return beginningAndEnd(whole, failureMax)
  if (ownTool.test(name)) return storing.test(name) ? beginningAndEnd(whole, ownResultMax) : ''
  const own = name.split(/__|\./).at(-1) ?? name
  return reading.test(own) || writing.test(own) ? '' : beginningAndEnd(whole, resultMax)
}

/** The error that ended a command stands at its end, what it was about at its beginning. */
function beginningAndEnd(text: string, max: number): string {
  if (text.length <= max) return text
  return `${text.slice(0, max / 2)} ... ${text.slice(-max / 2)}`
}

/** The command, path, pattern or address of a call; other arguments as short JSON, without contents of files. */
export function inputInShort(input: unknown): string {
  if (typeof input === 'string') return fromPatch(input) ?? input.slice(0, inputMax)
  const given = objectOf(input)
  const command = commandOf(given)
  if (command) return (fromPatch(command) ?? command).slice(0, inputMax)
  const kept = Object.entries(given).filter(([name]) => !contents.test(name))
  const [first] = kept
  if (kept.length === 0 || first === undefined) return ''
  const path = kept.find(([name]) => paths.test(name))
  if (path && kept.length === 1) return stringOf(path[1]).slice(0, inputMax)
  return shortJson(Object.fromEntries(kept)).slice(0, inputMax)
}

/** Empty for what is nested too deep to be written. */
function shortJson(value: object): string {
  try {
    return JSON.stringify(value, shorter)
  } catch {
    return ''
  }
}

const shorter = (_name: string, value: unknown) =>
  typeof value === 'string' && value.length > stringMax ? `${value.slice(0, stringMax)}...` : value

/** `["bash", "-lc", "npm test"]` is `npm test`. */
function commandOf(input: JsonRecord): string {
  const command = input.command ?? input.cmd
  if (!Array.isArray(command)) return stringOf(command)
  const words = command.filter((word) => typeof word === 'string')
  return /^-\w*c$/.test(words[1] ?? '') ? words.slice(2).join(' ') : words.join(' ')
}

const patchFile = /^\*\*\* (?:Add|Update|Delete) File: (?<path>.{1,500})$/gm

function fromPatch(text: string): string | undefined {
  if (!text.includes('*** Begin Patch')) return undefined
  return [...text.matchAll(patchFile)].map(([line]) => line.slice(4)).join('\n')
}

function filesOf(name: string, input: unknown): string[] {
  const given = objectOf(input)
  const text = typeof input === 'string' ? input : commandOf(given)
  if (text.includes('*** Begin Patch'))
    return [...text.matchAll(patchFile)].map(({ groups }) => groups?.path ?? '')
  if (!ofFiles.test(name)) return []
  return Object.entries(given)
    .filter(([key, value]) => paths.test(key) && stringOf(value) !== '')
    .map(([, value]) => stringOf(value))
}

/** The path within the project, if the file lies there. */
export function within(path: string, project: string | undefined): string {
  if (!project || !path.startsWith(project)) return path
  return /^[\\/]/.test(path.slice(project.length)) ? path.slice(project.length + 1) : path
}
