import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { program as publishedProgram } from '@loci/contract/program'
import type { HookScripts } from '../../features/agents/hook-entries.ts'
import { type KnownAgent, knownAgents } from '../../features/agents/known-agents.ts'
import {
  type PlannedFile,
  planConnection,
  planRemoval,
  type ServerEntry,
} from '../../features/agents/plan-files.ts'
import { writeFiles } from '../../features/agents/write-files.ts'
import { permissionFile, permissionText, refusalText } from '../../features/transcripts/permissions.ts'
import { tellUnknown } from '../../features/transcripts/tell-unknown.ts'
import { unknownIn } from '../../features/transcripts/transcript-places.ts'
import { transcriptLister, transcriptSources } from '../../features/transcripts/transcript-sources.ts'
import { ConfigError, readConfig, readMemoryVariables, readSurroundings } from '../../ground/config/config.ts'
import { hooksFolder, isPublished } from '../../ground/lib/placement.ts'
import { sizeInWords } from '../../ground/lib/size-in-words.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import { version } from '../../ground/version.ts'
import { ask, isTerminal } from './prompt.ts'

type Options = { all?: boolean; dryRun?: boolean; follow?: boolean; remove?: boolean; yes?: boolean }

/**
 * Connects the agents of this machine, or takes the connections away. Shows each file and what would be written first,
 * and writes nothing before the person has said yes.
 */
export function connectAgents(ids: readonly string[], options: Options): Promise<void> {
  const agents = chosenAgents(ids)
  const isFound = ({ folders }: KnownAgent) => folders.some((folder) => existsSync(folder))
  const used = ids.length > 0 ? agents : agents.filter(isFound)
  if (used.length === 0) {
    say(
      `None of these agents was found here: ${agents.map(({ id }) => id).join(', ')}. Name one to connect it anyway.\n`,
    )
    return Promise.resolve()
  }
  return options.remove ? disconnectAll(used, options) : connectAll(used, options)
}

function chosenAgents(ids: readonly string[]): KnownAgent[] {
  const known = knownAgents(readSurroundings())
  const unknown = ids.find((id) => !known.some((agent) => agent.id === id))
  if (unknown !== undefined)
    throw new ConfigError(
      `"${withoutControls(unknown)}" is no agent that can be connected. These are: ${known.map(({ id }) => id).join(', ')}.`,
    )
  return ids.length > 0 ? known.filter(({ id }) => ids.includes(id)) : known
}

async function connectAll(agents: readonly KnownAgent[], options: Options): Promise<void> {
  const entry = serverEntry()
  const programs = { entry, hooks: entry.env ? undefined : hookScripts() }
  say(`Agents would start Loci as: ${withoutControls([entry.command, ...entry.args].join(' '))}\n`)
  if (entry.env) say(`with ${Object.keys(entry.env).join(', ')} from this environment\n`)
  const isFollowing = options.follow ?? true
  const plans = agents.map((agent) => ({
    agent,
    files: [...planConnection(agent, programs), ...planFollowing(agent.id, isFollowing ? 'yes' : 'no')],
  }))
  const done = await carryOut(plans, options, 'Connect')
  if (done.length === 0) return
  say(`Connected ${titlesOf(done)}. Start a new session there. "loci connect --remove" undoes it.\n`)
  if (!isFollowing)
    say('New conversations there are not kept. "loci conversations delete" deletes earlier ones.\n')
  const notes = programs.hooks === undefined ? [] : done.flatMap(({ note }) => note ?? [])
  for (const note of notes) say(`${note}\n`)
}

async function disconnectAll(agents: readonly KnownAgent[], options: Options): Promise<void> {
  const plans = agents.map((agent) => ({
    agent,
    files: [...planRemoval(agent), ...planFollowing(agent.id, 'none')],
  }))
  const done = await carryOut(plans, options, 'Disconnect')
  if (done.length > 0) say(`Disconnected ${titlesOf(done)}. The memory stays as it is.\n`)
}

type Plan = { agent: KnownAgent; files: PlannedFile[] }

const titlesOf = (agents: readonly KnownAgent[]) => agents.map(({ title }) => title).join(', ')

/** Writes what the person agrees to; the agents that were changed. */
async function carryOut(plans: readonly Plan[], options: Options, verb: string): Promise<KnownAgent[]> {
  for (const plan of plans) if (plan.files.length > 0) say(planText(plan))
  const open = plans.filter(({ files }) => files.some(({ state }) => state === 'change'))
  if (options.dryRun || open.length === 0) {
    say(open.length === 0 ? 'Nothing to do.\n' : 'Nothing was written.\n')
    return []
  }
  if (!options.yes && !isTerminal())
    throw new ConfigError('Nothing was written. Add --yes if that is what you want.')
  const agreed = await agreedTo(open, options, verb)
  for (const { files } of agreed) write(files)
  if (agreed.length === 0) say('Nothing was written.\n')
  return agreed.map(({ agent }) => agent)
}

function write(files: readonly PlannedFile[]): void {
  const failed = writeFiles(files.flatMap((file) => (file.state === 'change' ? file.change : [])))
  for (const { path, reason } of failed) say(withoutControlsButLine(`Could not write ${path}: ${reason}`))
  if (failed.length > 0) process.exitCode = 1
}

/** Each agent is asked about by itself, with --all they are together. */
async function agreedTo(plans: readonly Plan[], { all, yes }: Options, verb: string): Promise<Plan[]> {
  if (yes) return [...plans]
  if (all)
    return (await isYes(`${verb} ${plans.map(({ agent }) => agent.title).join(', ')}?`)) ? [...plans] : []
  const agreed: Plan[] = []
  for (const plan of plans) if (await isYes(`${verb} ${plan.agent.title}?`)) agreed.push(plan)
  return agreed
}

/**
 * The permission to follow an agent's conversations, given, refused or taken back; nothing for agents that cannot be
 * followed.
 */
function planFollowing(agent: string, said: 'yes' | 'no' | 'none'): PlannedFile[] {
  const sources = transcriptSources(readSurroundings()).filter(({ reader }) => reader.agent === agent)
  if (sources.length === 0) return []
  const { dataDir, remoteUrl } = readConfig()
  const path = permissionFile(dataDir, agent)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const after = { yes: permissionText(agent, remoteUrl), no: refusalText(agent), none: undefined }[said]
  if (before === undefined && after === undefined) return []
  const what =
    said === 'yes'
      ? whatIsFollowed(sources, dataDir, remoteUrl)
      : 'no conversations would be followed any more'
  if (before === after) return [{ state: 'there', path, what }]
  return [{ state: 'change', change: { path, what, before, after } }]
}

function whatIsFollowed(
  sources: ReturnType<typeof transcriptSources>,
  dataDir: string,
  remoteUrl: string | undefined,
): string {
  const found = transcriptLister(sources)()
  const size = sizeInWords(found.reduce((sum, { bytes }) => sum + bytes, 0))
  const files = `${found.length} ${found.length === 1 ? 'file' : 'files'}`
  const place = remoteUrl === undefined ? 'kept on this machine' : `sent to ${remoteUrl}`
  const unknown = unknownIn(
    join(dataDir, 'followed'),
    found.map(({ path }) => path),
  )
  const told = [`${files}, ${size} so far`, place, 'without secrets', tellUnknown(unknown)].filter(Boolean)
  return `yes to following its conversations: ${told.join(', ')}`
}

const isYes = async (question: string) => /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim())

function planText({ agent, files }: Plan): string {
  const lines = files.map((file) => {
    if (file.state === 'change') {
      const { path, what, before, after } = file.change
      const verb = after === undefined ? 'delete' : before === undefined ? 'create' : 'change'
      return `  ${verb}  ${path}  (${what})\n`
    }
    if (file.state === 'there') return `  as is   ${file.path}  (${file.what})\n`
    return `  by hand ${file.path}  (${file.what}; Loci cannot add to this file and leaves it alone)\n`
  })
  return `${agent.title}\n${lines.map(withoutControlsButLine).join('')}`
}

const withoutControlsButLine = (line: string) => `${withoutControls(line.trimEnd())}\n`

const say = (text: string) => process.stdout.write(text)

function serverEntry(): ServerEntry {
  const config = readConfig()
  // Its password belongs into no file of another program.
  if (config.databaseUrl !== undefined && config.remoteUrl === undefined)
    throw new ConfigError(
      'The memory is in PostgreSQL. Connect agents to its server: set LOCI_URL and LOCI_API_KEY, then run this again.',
    )
  const env = readMemoryVariables(config)
  return { ...startOf(process.argv[1] ?? ''), ...(Object.keys(env).length > 0 && { env }) }
}

/** Undefined where it would not last, in npm's cache. It opens the memory that a program without variables opens. */
function hookScripts(): HookScripts | undefined {
  if (isInNpmCache(process.argv[1] ?? '')) return undefined
  const at = (name: string) => join(hooksFolder, name)
  const scripts = { start: at('recall.mjs'), prompt: at('prompt.mjs'), opencode: at('opencode.mjs') }
  return Object.values(scripts).every((script) => existsSync(script)) ? scripts : undefined
}

const isInNpmCache = (program: string) => isPublished && /[\\/]_npx[\\/]/.test(program)

/** From npm's cache the package, of this version; otherwise this program by its path. */
function startOf(program: string): { command: string; args: string[] } {
  if (isInNpmCache(program))
    return {
      command: 'npx',
      args: ['-y', '--prefer-offline', `${publishedProgram.packageName}@${version}`, 'mcp'],
    }
  return { command: 'node', args: [resolve(program), 'mcp'] }
}
