import { lstatSync, readFileSync } from 'node:fs'
import {
  addToJsonList,
  addToJsonText,
  findInJsonText,
  removeFromJsonList,
  removeFromJsonText,
  replaceInJsonText,
} from '../../ground/lib/json-text.ts'
import { removeBlock, setBlock } from '../../ground/lib/marked-block.ts'
import {
  instructionMarks,
  isOurPlugin,
  isOurRule,
  isOurSkill,
  memoryInstructions,
  memoryRule,
  memorySkill,
  opencodePlugin,
} from './agent-texts.ts'
import { placeInToml, removeFromToml, setInToml } from './codex-toml.ts'
import { type HookScripts, hookEntries, isOurHook } from './hook-entries.ts'
import type { AgentFile, KnownAgent } from './known-agents.ts'

/** How agents start our server. */
export type ServerEntry = { command: string; args: string[]; env?: Record<string, string> }

/** `hooks`: the programs that tell an agent what is known; they open this person's memory. */
export type OurPrograms = { entry: ServerEntry; hooks: HookScripts | undefined }

/** What would become of a file; `after` is undefined if it would be deleted. */
export type FileChange = { path: string; what: string; before: string | undefined; after: string | undefined }

/** `there`: nothing to do; `unreadable`: the person must add it by hand. */
export type PlannedFile =
  | { state: 'change'; change: FileChange }
  | { state: 'there' | 'unreadable'; path: string; what: string }

const kinds: Record<AgentFile['kind'], string> = {
  json: 'the MCP server',
  hook: 'hooks: what is known, at the start of a session',
  toml: 'the MCP server',
  instructions: 'when to recall and to save',
  rule: 'when to recall and to save',
  skill: 'a skill: when to recall and to save',
  plugin: 'a plugin: what is known, at the start of a session, and at prompts that name something',
}
const atPrompts = 'and at prompts that name something'

/** What connecting an agent would write. */
export function planConnection({ id, files, plugin }: KnownAgent, programs: OurPrograms): PlannedFile[] {
  if (
    plugin &&
    isReadable(plugin.path) &&
    findInJsonText(readText(plugin.path) ?? '', plugin.keys) === 'true'
  )
    return [{ state: 'there', path: plugin.path, what: 'our plugin, which brings everything' }]
  const isHook = ({ kind }: AgentFile) => kind === 'hook' || kind === 'plugin'
  const wanted = files.filter((file) => !isHook(file) || programs.hooks !== undefined)
  return byPath(wanted).map(([path, parts]) => {
    if (!isReadable(path)) return { state: 'unreadable', path, what: inWords(parts) }
    const after = parts.reduce<string | undefined>(
      (text, part) => (text === undefined ? undefined : connected(id, part, text, programs)),
      readText(path) ?? '',
    )
    return plannedFor(path, parts, after)
  })
}

/** What taking the connection away would write. A file that we alone had written is deleted. */
export function planRemoval({ files }: KnownAgent): PlannedFile[] {
  return byPath(files).flatMap(([path, parts]) => {
    if (!isReadable(path)) return [{ state: 'unreadable', path, what: inWords(parts) }]
    const before = readText(path)
    if (before === undefined) return []
    const after = parts.reduce((text, part) => disconnected(part, text), before)
    if (after === before) return []
    return [plannedFor(path, parts, after, emptied.test(after) && !isLink(path))]
  })
}

/** What is left of a file that we alone had written. */
const emptied = /^\s*(?:\{\s*(?:"version"\s*:\s*1)?\s*\})?\s*$/

/** A link was the person's before. */
const isLink = (path: string) => lstatSync(path).isSymbolicLink()

const byPath = (files: readonly AgentFile[]): [string, AgentFile[]][] => [
  ...Map.groupBy(files, ({ path }) => path),
]

function plannedFor(
  path: string,
  parts: readonly AgentFile[],
  after: string | undefined,
  isDeleted = false,
): PlannedFile {
  const what = inWords(parts)
  const before = readText(path)
  if (after === undefined && before !== undefined) return { state: 'unreadable', path, what }
  if (after === before) return { state: 'there', path, what }
  return { state: 'change', change: { path, what, before, after: isDeleted ? undefined : after } }
}

function inWords(parts: readonly AgentFile[]): string {
  const named = [...new Set(parts.map(({ kind }) => kinds[kind]))].join('; ')
  const isPrompted = parts.some((part) => part.kind === 'hook' && part.form !== 'start')
  return isPrompted ? `${named}, ${atPrompts}` : named
}

/** The text with our part; undefined if the text cannot be read. An entry of the person's own stays. */
function connected(
  agent: string,
  file: AgentFile,
  text: string,
  { entry, hooks }: OurPrograms,
): string | undefined {
  switch (file.kind) {
    case 'json': {
      const there = findInJsonText(text, file.keys)
      const wanted = toEntry(entry, file.form)
      if (there === undefined) return addToJsonText(text, file.keys, wanted)
      return isOurEntry(there) ? renewed(wanted, text, file.keys) : text
    }
    case 'hook': {
      if (hooks === undefined) return text
      const wanted = hookEntries(agent, file.form, hooks)
      const there = findInJsonText(text, file.keys) ?? ''
      if (isOurHook(there) && marksIn(wanted).every((mark) => there.includes(mark))) return text
      const source = text.trim() === '' ? emptyHooks(agent) : removeFromJsonList(text, file.keys, isOurHook)
      return wanted.reduce<string | undefined>(
        (list, entry) => list && addToJsonList(list, file.keys, entry),
        source,
      )
    }
    case 'toml': {
      const place = placeInToml(text)
      if (place === 'closed') return undefined
      return place === 'theirs' ? text : setInToml(text, toToml(entry))
    }
    case 'instructions':
      return setBlock(text, instructionMarks, memoryInstructions)
    case 'rule':
      return text === '' || isOurRule(text) ? memoryRule : text
    case 'skill':
      return text === '' || isOurSkill(text) ? memorySkill : text
    case 'plugin':
      return hooks !== undefined && (text === '' || isOurPlugin(text)) ? opencodePlugin(hooks.opencode) : text
  }
}

function disconnected(file: AgentFile, text: string): string {
  switch (file.kind) {
    case 'json':
      return isOurEntry(findInJsonText(text, file.keys)) ? removeFromJsonText(text, file.keys) : text
    case 'hook':
      return removeFromJsonList(text, file.keys, isOurHook)
    case 'toml':
      return removeFromToml(text)
    case 'instructions':
      return removeBlock(text, instructionMarks)
    case 'rule':
      return isOurRule(text) ? '' : text
    case 'skill':
      return isOurSkill(text) ? '' : text
    case 'plugin':
      return isOurPlugin(text) ? '' : text
  }
}

/** Cursor and Copilot CLI require the version of the form. */
const emptyHooks = (agent: string) =>
  agent === 'cursor' || agent === 'copilot' ? '{\n  "version": 1\n}\n' : '{}\n'

function toEntry(
  { command, args, env }: ServerEntry,
  form: 'typed' | 'copilot' | 'opencode' | undefined,
): Wanted {
  if (form === 'opencode')
    return { type: 'local', command: [command, ...args], enabled: true, ...(env && { environment: env }) }
  const entry = { command, args, ...(env && { env }) }
  if (form === 'copilot') return { type: 'local', ...entry, tools: ['*'] }
  return form === 'typed' ? { type: 'stdio', ...entry } : entry
}

/** An entry that the person made, such as one with an address, is not ours to take away. */
const isOurEntry = (entry: string | undefined) => /"mcp"\s*\]/.test(entry ?? '')

type Wanted = {
  type?: string
  tools?: string[]
  enabled?: boolean
  command: unknown
  args?: string[]
  env?: Variables
  environment?: Variables
}
type Variables = Record<string, string>

/** The text in which our entry starts the program of today, with its variables; what the person added to it stays. */
function renewed(wanted: Wanted, text: string, keys: readonly string[]): string {
  const { env, environment } = wanted
  const name = environment ? 'environment' : 'env'
  return Object.entries(environment ?? env ?? {}).reduce(
    (changed, [variable, value]) => withValue(changed, [...keys, name, variable], value),
    withProgramOf(wanted, text, keys),
  )
}

const withValue = (text: string, path: readonly string[], value: unknown) =>
  findInJsonText(text, path) === undefined
    ? (addToJsonText(text, path, value) ?? text)
    : replaceInJsonText(text, path, value)

function withProgramOf({ args, command }: Wanted, text: string, keys: readonly string[]): string {
  const name = args ? 'args' : 'command'
  const started = args ?? (command as string[]).slice(1)
  const there = findInJsonText(text, [...keys, name]) ?? ''
  if (started.every((part) => there.includes(JSON.stringify(part)))) return text
  const replaced = replaceInJsonText(text, [...keys, name], args ?? command)
  // A person may have named another Node.
  const isPlain = /^"(?:node|npx)"$/.test(findInJsonText(text, [...keys, 'command']) ?? '')
  return isPlain ? replaceInJsonText(replaced, [...keys, 'command'], command) : replaced
}

/** The texts, as they stand in JSON, that name a script of ours or when it runs. */
const marksIn = (value: unknown): string[] =>
  JSON.stringify(value).match(/"(?:[^"\\]|\\.)*\.mjs\b(?:[^"\\]|\\.)*"|"compact"/g) ?? []

/** Strings of JSON are strings of TOML (https://toml.io/en/v1.0.0#string). */
function toToml({ command, args, env }: ServerEntry): string[] {
  const pairs = [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`]
  if (env === undefined) return pairs
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return [...pairs, `env = { ${variables.join(', ')} }`]
}

/** False for a file of somebody else, for a folder in its place, and for bytes that are no text. */
function isReadable(path: string): boolean {
  try {
    readText(path)
    return true
  } catch {
    return false
  }
}

/** Undefined for a file that is not there. Throws for one that is no UTF-8: it could not be written as it was. */
export function readText(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
