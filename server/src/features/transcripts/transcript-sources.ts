import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Surroundings } from '../../ground/config/config.ts'
import { claudeCode } from './readers/claude-code.ts'
import { codex } from './readers/codex.ts'
import { copilot } from './readers/copilot.ts'
import { gemini } from './readers/gemini.ts'
import { objectOf, parseRecord } from './readers/json-record.ts'
import { opencode } from './readers/opencode.ts'
import type { Reader } from './readers/reader.ts'

/** A file in which an agent keeps conversations. */
export type Transcript = { reader: Reader; path: string; bytes: number; modifiedMs: number }

type Source = { reader: Reader; folder: string; isTranscript: (path: string) => boolean }

/** Where the agents of this person keep their conversations. */
export function transcriptSources({ home, env }: Surroundings): Source[] {
  const claude = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude')
  const codexHome = env.CODEX_HOME ?? join(home, '.codex')
  const isLines = (path: string) => path.endsWith('.jsonl')
  return [
    { reader: claudeCode, folder: join(claude, 'projects'), isTranscript: isLines },
    { reader: codex, folder: join(codexHome, 'sessions'), isTranscript: isLines },
    {
      reader: copilot,
      folder: join(home, '.copilot', 'session-state'),
      isTranscript: (path) => basename(path) === 'events.jsonl',
    },
    {
      reader: gemini,
      folder: join(home, '.gemini', 'tmp'),
      isTranscript: (path) => isLines(path) && basename(path).startsWith('session-'),
    },
    {
      reader: opencode,
      folder: join(home, '.local', 'share', 'opencode'),
      isTranscript: (path) => basename(path) === 'opencode.db',
    },
  ]
}

/** The conversations that lie in the agents' folders, the newest first. */
export function listTranscripts(sources: readonly Source[]): Transcript[] {
  return newestFirst(
    sources.flatMap(({ reader, folder, isTranscript }) =>
      filesBelow(folder)
        .filter(isTranscript)
        .flatMap((path) => transcriptAt(reader, path)),
    ),
  )
}

/** The conversations in a file or a folder, recognised by how they begin; the newest first. */
export function recogniseTranscripts(path: string): Transcript[] {
  const files = statSync(path).isDirectory() ? filesBelow(path) : [path]
  return newestFirst(
    files.flatMap((file) => {
      const reader = recogniseReader(file)
      return reader ? transcriptAt(reader, file) : []
    }),
  )
}

const newestFirst = (found: Transcript[]) => found.sort((a, b) => b.modifiedMs - a.modifiedMs)

/** Files that vanish meanwhile are left out. */
function transcriptAt(reader: Reader, path: string): Transcript[] {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? [{ reader, path, bytes: found.size, modifiedMs: found.mtimeMs }] : []
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

const beginningBytes = 65_536

function recogniseReader(path: string): Reader | undefined {
  if (basename(path) === 'opencode.db') return opencode
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
  if ('projectHash' in record && 'sessionId' in record) return gemini
  return 'sessionId' in record && ('uuid' in record || record.type === 'queue-operation')
    ? claudeCode
    : undefined
}
