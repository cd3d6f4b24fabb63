import { existsSync } from 'node:fs'
import type { Followed } from '../../features/transcripts/follow-transcript.ts'
import { TurnsRefused } from '../../features/transcripts/server-sink.ts'
import { placesIn } from '../../features/transcripts/transcript-places.ts'
import {
  type Transcript,
  transcriptLister,
  transcriptSources,
} from '../../features/transcripts/transcript-sources.ts'
import {
  followOnce,
  type WatchOptions,
  watchTranscripts,
} from '../../features/transcripts/watch-transcripts.ts'
import { ConfigError, readConfig, readSurroundings } from '../../ground/config/config.ts'
import { tryLockDirectory } from '../../ground/directory-lock.ts'
import { withoutControls } from '../../ground/lib/without-controls.ts'
import type { AccountOption } from './account-option.ts'
import { followLock, withTurnTarget } from './turn-sink.ts'

/** Stores the conversations of this machine's agents as they are written, or with `once` those that are there. */
export async function watch(
  ids: readonly string[],
  { once = false, ...account }: AccountOption & { once?: boolean },
): Promise<void> {
  const sources = chosenSources(ids)
  const lock = tryLockDirectory(readConfig().dataDir, followLock)
  if (lock === undefined) {
    say('Another process follows the conversations already.\n')
    return
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const tally = newTally()
  try {
    await withTurnTarget(account, async ({ sink, placesFolder }) => {
      const options: WatchOptions & { signal: AbortSignal } = {
        ...{
          list: transcriptLister(sources),
          places: placesIn(placesFolder('followed')),
          sink,
          signal: stop.signal,
        },
        onFollowed: tally.add,
        onTrouble: ({ path }, { message }) => say(`${withoutControls(`${path}: ${message}`)}\n`),
      }
      if (!once) await watchTranscripts(options)
      else if (!(await followOnce(options))) process.exitCode = 1
    })
    tally.tell()
  } catch (error) {
    if (error instanceof TurnsRefused)
      throw new ConfigError(`Nothing more was stored: ${error.message}`, { cause: error })
    throw error
  } finally {
    lock.release()
  }
}

type Tally = { add: (transcript: Transcript, followed: Followed) => void; tell: () => void }

function newTally(): Tally {
  const totals = { stored: 0, known: 0, redacted: 0 }
  const unknown: Record<string, number> = {}
  return {
    add(transcript, followed) {
      for (const name of ['stored', 'known', 'redacted'] as const) totals[name] += followed[name]
      for (const [kind, count] of Object.entries(followed.unknown))
        unknown[`${transcript.reader.agent}: ${kind}`] = count
    },
    tell() {
      const { stored, known, redacted } = totals
      say(`Stored ${stored} turns (${known} were there already), removed ${redacted} secrets.\n`)
      sayUnknown(unknown)
    },
  }
}

function chosenSources(ids: readonly string[]) {
  const sources = transcriptSources(readSurroundings())
  const known = sources.map(({ reader }) => reader.agent)
  const odd = ids.find((id) => !known.includes(id))
  if (odd !== undefined)
    throw new ConfigError(
      `"${withoutControls(odd)}" is no agent that can be followed. These are: ${known.join(', ')}.`,
    )
  return sources.filter(
    ({ reader, folder }) => (ids.length === 0 || ids.includes(reader.agent)) && existsSync(folder),
  )
}

/** A new version of an agent may write something new. */
function sayUnknown(unknown: Record<string, number>): void {
  const kinds = Object.entries(unknown)
  if (kinds.length === 0) return
  say(
    `Left out, since this version of Loci does not know it: ${kinds.map(([kind, count]) => `${withoutControls(kind)} (${count})`).join(', ')}\n`,
  )
}

const say = (text: string) => process.stdout.write(text)
