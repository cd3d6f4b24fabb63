import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Surroundings } from '../../ground/config/config.ts'
import { claudeCode } from './readers/claude-code.ts'
import { codex } from './readers/codex.ts'
import { copilot } from './readers/copilot.ts'
import { cursor } from './readers/cursor.ts'
import { gemini } from './readers/gemini.ts'
import { objectOf, parseRecord } from './readers/json-record.ts'
import { opencode } from './readers/opencode.ts'
import { qwen } from './readers/qwen.ts'
import type { Reader } from './readers/reader.ts'

/** A file in which an agent keeps conversations. */
export type Transcript = { reader: Reader; path: string; bytes: number; modifiedMs: number }

type Source = {
  reader: Reader
  folder: string
  isTranscript: (path: string) => boolean
  /** Whether folders in it hold none. */
  isFlat?: boolean
  /** Whether each folder in it may have one, and deeper ones none. */
  isOneEach?: boolean
}

/** Where the agents of this person keep their conversations. */
export function transcriptSources({ home, platform, env }: Surroundings): Source[] {
  const claude = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude')
  const codexHome = env.CODEX_HOME ?? join(home, '.codex')
  const isLines = (path: string) => path.endsWith('.jsonl')
  return [
    { reader: claudeCode, folder: join(claude, 'projects'), isTranscript: isLines },
    { reader: codex, folder: join(codexHome, 'sessions'), isTranscript: isLines },
    {
      reader: copilot,
      folder: join(env.COPILOT_HOME ?? join(home, '.copilot'), 'session-state'),
      isTranscript: (path) => basename(path) === 'events.jsonl',
    },
    {
      reader: cursor,
      folder: join(cursorFolder({ home, platform, env }), 'User', 'globalStorage'),
      isTranscript: isOfCursor,
      isFlat: true,
    },
    {
      reader: cursor,
      folder: join(cursorFolder({ home, platform, env }), 'User', 'workspaceStorage'),
      isTranscript: isOfCursor,
      isOneEach: true,
    },
    {
      reader: gemini,
      folder: join(env.GEMINI_CLI_HOME ?? home, '.gemini', 'tmp'),
      isTranscript: (path) => isLines(path) && basename(path).startsWith('session-'),
    },
    {
      reader: opencode,
      folder: join(env.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'opencode'),
      isTranscript: (path) => basename(path) === 'opencode.db',
    },
    {
      reader: qwen,
      folder: join(env.QWEN_HOME ?? join(home, '.qwen'), 'projects'),
      isTranscript: (path) => isLines(path) && /[\\/](?:chats|subagents)[\\/]/.test(path),
    },
  ]
}

function cursorFolder({ home, platform, env }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Cursor')
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Cursor')
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Cursor')
}

const isOfCursor = (path: string) => basename(path) === 'state.vscdb'

const restMs = 24 * 60 * 60 * 1000
const looksBetween = 60

/**
 * Lists the conversations that lie in the agents' folders, the newest first. For somebody who looks every second:
 * files that have rested for a day are looked at every 60th time only.
 */
export function transcriptLister(sources: readonly Source[], now = Date.now): () => Transcript[] {
  let known = new Map<string, Transcript>()
  let looks = 0
  return () => {
    const isThorough = looks++ % looksBetween === 0
    const restingSince = now() - restMs
    const found = sources.flatMap(({ reader, folder, isTranscript, isFlat, isOneEach }) =>
      (isOneEach ? foldersIn(folder).flatMap((each) => filesBelow(each, false)) : filesBelow(folder, !isFlat))
        .filter(isTranscript)
        .flatMap((path) => {
          const earlier = known.get(path)
          return !isThorough && earlier && earlier.modifiedMs < restingSince
            ? earlier
            : transcriptAt(reader, path)
        }),
    )
    known = new Map(found.map((transcript) => [transcript.path, transcript]))
    return newestFirst(found)
  }
}

/** The conversations in a file or a folder, recognised by how they begin; the newest first. */
export function recogniseTranscripts(path: string): Transcript[] {
  const found = statSync(path)
  // Opening a pipe would wait for somebody who writes to it.
  const files = found.isDirectory() ? filesBelow(path) : found.isFile() ? [path] : []
  return newestFirst(
    files.flatMap((file) => {
      const reader = recogniseReader(file)
      return reader ? transcriptAt(reader, file) : []
    }),
  )
}

const newestFirst = (found: Transcript[]) => found.sort((a, b) => b.modifiedMs - a.modifiedMs)

/** Files that vanish meanwhile are left out. What was written to a database last stands in a file beside it. */
function transcriptAt(reader: Reader, path: string): Transcript[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return []
  const log = reader.records ? statSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined
  const bytes = found.size + (log?.size ?? 0)
  return [{ reader, path, bytes, modifiedMs: Math.max(found.mtimeMs, log?.mtimeMs ?? 0) }]
}

const filesBelow = (folder: string, recursive = true): string[] =>
  entriesOf(folder, recursive)
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const foldersIn = (folder: string): string[] =>
  entriesOf(folder, false)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))

function entriesOf(folder: string, recursive: boolean): Dirent[] {
  try {
    return readdirSync(folder, { recursive, withFileTypes: true })
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

const beginningBytes = 65_536

function recogniseReader(path: string): Reader | undefined {
  if (basename(path) === 'opencode.db') return opencode
  if (isOfCursor(path)) return cursor
  if (!path.endsWith('.jsonl')) return undefined
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(beginningBytes)
    const lines = buffer.toString('utf8', 0, readSync(file, buffer)).split('\n', 20)
    for (const line of lines) {
      const reader = readerOfLine(line)
      if (reader) return reader
    }
    return undefined
  } finally {
    closeSync(file)
  }
}

function readerOfLine(line: string): Reader | undefined {
  const record = parseRecord(line) ?? {}
  if (record.type === 'session_meta' && 'cwd' in objectOf(record.payload)) return codex
  if (record.type === 'session.start' && 'copilotVersion' in objectOf(record.data)) return copilot
  // What a subagent does there is not followed either.
  if ('projectHash' in record && 'sessionId' in record) return record.kind === 'subagent' ? undefined : gemini
  if (!('sessionId' in record && ('uuid' in record || record.type === 'queue-operation'))) return undefined
  return 'provenance' in record || 'parts' in objectOf(record.message) ? qwen : claudeCode
}
