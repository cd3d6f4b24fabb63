import { readFileSync } from 'node:fs'
import {
  addToJsonList,
  addToJsonText,
  findInJsonText,
  removeFromJsonList,
  removeFromJsonText,
} from '../../ground/lib/json-text.ts'
import { hasBlock, removeBlock, setBlock } from '../../ground/lib/marked-block.ts'
import { instructionMarks, memoryInstructions, memorySkill, tomlMarks } from './agent-texts.ts'
import type { AgentFile, KnownAgent } from './known-agents.ts'

/** How agents start our server. */
export type ServerEntry = { command: string; args: string[]; env?: Record<string, string> }

/** `hook`: the program that tells an agent at the start of a session what is known; it opens this person's memory. */
export type OurPrograms = { entry: ServerEntry; hook: string | undefined }

/** What would become of a file; `after` is undefined if it would be deleted. */
export type FileChange = { path: string; what: string; before: string | undefined; after: string | undefined }

/** `there`: nothing to do; `unreadable`: the person must add it by hand. */
export type PlannedFile =
  | { state: 'change'; change: FileChange }
  | { state: 'there' | 'unreadable'; path: string; what: string }

const kinds: Record<AgentFile['kind'], string> = {
  json: 'the MCP server',
  hook: 'a hook: what is known, at the start of a session',
  toml: 'the MCP server',
  instructions: 'when to recall and to save',
  skill: 'a skill: when to recall and to save',
}

/** What connecting an agent would write. */
export function planConnection({ files, plugin }: KnownAgent, programs: OurPrograms): PlannedFile[] {
  if (plugin && findInJsonText(readText(plugin.path) ?? '', plugin.keys) === 'true')
    return [{ state: 'there', path: plugin.path, what: 'our plugin, which brings everything' }]
  const wanted = files.filter(({ kind }) => kind !== 'hook' || programs.hook !== undefined)
  return wanted.map((file) => plannedFor(file, connected(file, readText(file.path) ?? '', programs)))
}

/** What taking the connection away would write. A file that we alone had written is deleted. */
export function planRemoval({ files }: KnownAgent): PlannedFile[] {
  return files.map((file) => {
    const before = readText(file.path)
    if (before === undefined) return plannedFor(file, undefined)
    const after = disconnected(file, before)
    const isOurs = /^\s*(?:\{\s*\})?\s*$/.test(after) && after !== before
    return plannedFor(file, after, isOurs)
  })
}

function plannedFor(file: AgentFile, after: string | undefined, isDeleted = false): PlannedFile {
  const { path } = file
  const what = kinds[file.kind]
  const before = readText(path)
  if (after === undefined && before !== undefined) return { state: 'unreadable', path, what }
  if (after === before) return { state: 'there', path, what }
  return { state: 'change', change: { path, what, before, after: isDeleted ? undefined : after } }
}

/** The text with our part; undefined if the text cannot be read. An entry of the person's own stays. */
function connected(file: AgentFile, text: string, { entry, hook }: OurPrograms): string | undefined {
  switch (file.kind) {
    case 'json': {
      if (findInJsonText(text, file.keys) !== undefined) return text
      return addToJsonText(text, file.keys, file.typed ? { type: 'stdio', ...entry } : entry)
    }
    case 'hook':
      if (isOurHook(findInJsonText(text, file.keys) ?? '')) return text
      return addToJsonList(text === '' ? '{}\n' : text, file.keys, hookEntry(hook ?? ''))
    case 'toml':
      if (!hasBlock(text, tomlMarks) && /^\s*\[mcp_servers\.(?:loci|"loci")\]/m.test(text)) return text
      return setBlock(text, tomlMarks, toToml(entry))
    case 'instructions':
      return setBlock(text, instructionMarks, memoryInstructions)
    case 'skill':
      return memorySkill
  }
}

function disconnected(file: AgentFile, text: string): string {
  switch (file.kind) {
    case 'json':
      return isOurEntry(findInJsonText(text, file.keys)) ? removeFromJsonText(text, file.keys) : text
    case 'hook':
      return removeFromJsonList(text, file.keys, isOurHook)
    case 'toml':
      return removeBlock(text, tomlMarks)
    case 'instructions':
      return removeBlock(text, instructionMarks)
    case 'skill':
      return text === memorySkill ? '' : text
  }
}

const hookMessage = 'Recalling from Loci ...'

const isOurHook = (hook: string) => hook.includes(hookMessage)

/** As in the plugin (`plugins/claude-code/hooks/hooks.json`). */
const hookEntry = (script: string) => ({
  hooks: [{ type: 'command', command: 'node', args: [script], timeout: 30, statusMessage: hookMessage }],
})

/** An entry that the person made, such as one with an address, is not ours to take away. */
const isOurEntry = (entry: string | undefined) => /"mcp"\s*\]/.test(entry ?? '')

/** Strings of JSON are strings of TOML (https://toml.io/en/v1.0.0#string). */
function toToml({ command, args, env }: ServerEntry): string {
  const lines = [
    '[mcp_servers.loci]',
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
  ]
  if (env === undefined) return lines.join('\n')
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return [...lines, `env = { ${pairs.join(', ')} }`].join('\n')
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
