import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mainFolderOf, projectNameOf } from '../../../../plugins/claude-code/hooks/project.mjs'
import { redactSecrets } from '../../ground/redact/redact-secrets.ts'
import { readNewLines } from './read-new-lines.ts'
import { type CleanTurn, cleanConversation, cleanTurn, countingClean } from './readers/clean-turn.ts'
import { parseRecord } from './readers/json-record.ts'
import {
  countUnknown,
  learn,
  newReaderState,
  type Reader,
  type ReaderState,
  type ReadTurn,
} from './readers/reader.ts'
import type { TranscriptPlaces } from './transcript-places.ts'
import type { Transcript } from './transcript-sources.ts'
import { type BatchOutcome, identified, type TurnSink, toBatches } from './turn-batches.ts'

export type Followed = BatchOutcome & { bytes: number; unknown: Record<string, number> }

export type Following = {
  places: TranscriptPlaces
  sink: TurnSink
  signal?: AbortSignal
  onBytes?: (bytes: number) => void
}

/**
 * Stores what was added to a transcript since the last time. The place moves only after what stands before it was
 * stored, so an end at any moment loses nothing; turns sent again are known by their ids.
 */
export async function followTranscript(transcript: Transcript, following: Following): Promise<Followed> {
  const followed: Followed = { stored: 0, known: 0, redacted: 0, bytes: 0, unknown: {} }
  const { records } = transcript.reader
  if (records) await followParts(transcript, records, following, followed)
  else await followLines(transcript, following, followed)
  return followed
}

async function followLines(
  { reader, path }: Transcript,
  following: Following,
  followed: Followed,
): Promise<void> {
  const { places, signal, onBytes } = following
  let offset = places.load(path).lines?.offset ?? 0
  for await (const { lines, place } of readNewLines(path, places.load(path).lines)) {
    const { state } = place
    hintProject(state, reader, path)
    const turns = lines.flatMap((line) => readLine(reader, state, line))
    state.conversation.externalId ||= basename(path, '.jsonl')
    await store(reader.agent, state, turns, following, followed)
    // A title goes with a turn; without one, its record is read again.
    if (turns.length > 0 || !state.conversation.title)
      places.save(path, { lines: { ...place, state: keptOf(state) } })
    const read = Math.max(0, place.offset - offset)
    offset = place.offset
    followed.bytes += read
    followed.unknown = state.unknown
    onBytes?.(read)
    if (signal?.aborted) return
  }
}

/**
 * What stands beside a place. Nothing that was said: whoever deletes a conversation does not look here, and what waits for
 * its result was not cleaned yet. Of a project that is not followed, not even that.
 */
function keptOf(state: ReaderState): ReaderState {
  const {
    conversation: { title: _, ...conversation },
    pending,
    unknown,
    isOfSubagent,
  } = state
  const waiting = foldersOf(conversation).some(isIgnored) ? [] : Object.entries(pending)
  const cleaned = waiting.map(([id, call]) => [id, { ...call, input: redactSecrets(call.input).text }])
  return {
    conversation,
    ...{ pending: Object.fromEntries(cleaned), unknown },
    ...(isOfSubagent && { isOfSubagent }),
  }
}

function readLine(reader: Reader, state: ReaderState, line: string): ReadTurn[] {
  if (line.trim() === '') return []
  const record = parseRecord(line)
  if (record) return reader.read(state, record)
  countUnknown(state, 'line that is no JSON')
  return []
}

/** Gemini CLI names the folder of the project in a file beside its chats. */
function hintProject(state: ReaderState, { agent }: Reader, path: string): void {
  if (agent !== 'gemini' || state.conversation.project) return
  const file = join(dirname(dirname(path)), '.project_root')
  if (existsSync(file)) learn(state, { path: readFileSync(file, 'utf8').trim() })
}

async function followParts(
  { reader, path }: Transcript,
  records: NonNullable<Reader['records']>,
  following: Following,
  followed: Followed,
): Promise<void> {
  const { places, signal } = following
  const database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
  try {
    let state = newReaderState()
    let turns: ReadTurn[] = []
    const before = places.load(path)
    let place = before.parts ?? { after: 0, id: '' }
    followed.unknown = { ...before.unknown }
    const flush = async () => {
      await store(reader.agent, state, turns, following, followed)
      places.save(path, { parts: place, unknown: followed.unknown })
      turns = []
    }
    for (const record of records(database, place)) {
      if (signal?.aborted) return
      const next = newReaderState()
      const read = reader.read(next, record)
      for (const [kind, count] of Object.entries(next.unknown))
        followed.unknown[kind] = (followed.unknown[kind] ?? 0) + count
      if (next.conversation.externalId !== state.conversation.externalId || turns.length >= 200) {
        await flush()
        state = next
      }
      turns.push(...read)
      place = record.place
    }
    await flush()
  } finally {
    database.close()
  }
}

async function store(
  agent: string,
  state: ReaderState,
  read: readonly ReadTurn[],
  { sink }: Following,
  followed: Followed,
): Promise<void> {
  const turns: CleanTurn[] = []
  let at = state.conversation.startedAt ?? new Date(0).toISOString()
  const clean = countingClean(followed)
  for (const turn of read) {
    const whole = identified(cleanTurn(turn, clean), at)
    at = whole.at
    turns.push(whole)
  }
  const folders = foldersOf(state.conversation)
  if (turns.length === 0 || folders.some(isIgnored)) return
  const { project } = state.conversation
  // A folder that has gone keeps the name that it had.
  if (project?.path && folders.length > 1) project.name = projectNameOf(project.path)
  const conversation = { agent, ...cleanConversation(state.conversation, clean) }
  for (const batch of toBatches(turns)) {
    const outcome = await sink({ conversation, turns: batch })
    followed.stored += outcome.stored
    followed.known += outcome.known
  }
}

/** Where the project lies, and where its repository does. */
function foldersOf({ project }: ReaderState['conversation']): string[] {
  if (!project?.path) return []
  return [project.path, mainFolderOf(project.path) ?? []].flat()
}

/** A project with a `.lociignore`, in its folder or one above, is not followed. */
function isIgnored(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.lociignore'))) return true
    if (dirname(folder) === folder) return false
  }
}
