import { readConversations } from '../../features/imports/read-conversations.ts'
import { followTranscript } from '../../features/transcripts/follow-transcript.ts'
import { storeConversation } from '../../features/transcripts/store-conversation.ts'
import { placesIn } from '../../features/transcripts/transcript-places.ts'
import { recogniseTranscripts, type Transcript } from '../../features/transcripts/transcript-sources.ts'
import type { TurnSink } from '../../features/transcripts/turn-batches.ts'
import { ConfigError } from '../../ground/config/config.ts'
import { AppError } from '../../ground/errors/app-error.ts'
import { counted } from '../../ground/lib/counted.ts'
import { sizeInWords } from '../../ground/lib/size-in-words.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import type { AccountOption } from './account-option.ts'
import { startProgressBar } from './progress-bar.ts'
import { withTurnTarget } from './turn-sink.ts'

/** The transcripts of agents in a file or folder; none if it holds something else or cannot be read. */
export function transcriptsAt(path: string): Transcript[] {
  try {
    return recogniseTranscripts(path)
  } catch {
    // The import says what is wrong with the path.
    return []
  }
}

type Options = AccountOption & { dryRun?: boolean }

/** Stores the conversations in agents' files, the newest first. Run again, it goes on where it ended. */
export async function importTranscripts(transcripts: readonly Transcript[], options: Options): Promise<void> {
  if (options.dryRun) return say(`Would import ${inWords(transcripts)}. Nothing was stored.\n`)
  const totals = newTotals()
  await withTurnTarget(options, async ({ sink, placesFolder }) => {
    const bytes = transcripts.reduce((sum, transcript) => sum + transcript.bytes, 0)
    const bar = startProgressBar('{bar} {percentage} % | {eta_formatted} left', bytes)
    const following = {
      places: placesIn(placesFolder('imported')),
      sink: countingSink(sink, totals),
      onBytes: (read: number) => bar?.increment(read),
    }
    try {
      for (const transcript of transcripts)
        addTo(totals, await orStop(followTranscript(transcript, following)))
    } finally {
      bar?.stop()
    }
  })
  sayTotals(totals)
}

/** Stores the conversations in an export of ChatGPT or Claude. */
export async function importExport(path: string, options: AccountOption): Promise<void> {
  const totals = newTotals()
  await withTurnTarget(options, async ({ sink }) => {
    const counting = countingSink(sink, totals)
    try {
      for await (const conversation of readConversations(path))
        addTo(totals, await orStop(storeConversation(conversation, counting)))
    } catch (cause) {
      throw refusalOf(path, cause)
    }
  })
  sayTotals(totals)
}

/** What to say of a path that is not imported; the program ends with 2 if its format is unknown. */
export function refusalOf(path: string, cause: unknown): ConfigError {
  if (cause instanceof ConfigError) return cause
  if (cause instanceof AppError && cause.code === 'validation_failed')
    return new ConfigError(`${path} cannot be imported: ${cause.message}`, { cause, exitCode: 2 })
  return new ConfigError(`${path} cannot be read: ${(cause as Error).message}`, { cause })
}

const newTotals = (): Totals => ({ conversations: new Set(), stored: 0, known: 0, redacted: 0 })

/** A file can hold many conversations, and one conversation can stand in several files. */
const countingSink =
  (sink: TurnSink, { conversations }: Totals): TurnSink =>
  (batch) => {
    const { agent, externalId } = batch.conversation
    conversations.add(`${agent}/${externalId}`)
    return sink(batch)
  }

function addTo(totals: Totals, outcome: Omit<Totals, 'conversations'>): void {
  for (const name of ['stored', 'known', 'redacted'] as const) totals[name] += outcome[name]
}

/** What was stored stays; the same command goes on. */
async function orStop<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new ConfigError(`Stopped: ${(cause as Error).message} Run the same command to go on.`, { cause })
  }
}

type Totals = { conversations: Set<string>; stored: number; known: number; redacted: number }

function sayTotals({ conversations, stored, known, redacted }: Totals): void {
  const already = known === 0 ? '' : `, and ${known.toLocaleString('en-US')} that were there already`
  const removed = redacted === 0 ? '' : ` Removed ${counted(redacted, 'secret')}.`
  say(
    `Imported ${counted(conversations.size, 'conversation')}: ${counted(stored, 'turn')}${already}.${removed}\n`,
  )
}

/** `12 conversations of claude-code, 3 of codex, 48.1 MB`. */
function inWords(transcripts: readonly Transcript[]): string {
  const counts = new Map<string, number>()
  for (const { reader } of transcripts) counts.set(reader.agent, (counts.get(reader.agent) ?? 0) + 1)
  const bytes = transcripts.reduce((sum, transcript) => sum + transcript.bytes, 0)
  const parts = [...counts].map(
    ([agent, count], index) =>
      `${index === 0 ? counted(count, 'file') : count.toLocaleString('en-US')} of ${agent}`,
  )
  return withoutControls(`${parts.join(', ')}, ${sizeInWords(bytes)}`)
}

const say = (text: string): void => void process.stdout.write(text)
