import { existsSync } from 'node:fs'
import type { Followed } from '../../features/transcripts/follow-transcript.ts'
import { allowedAgents, wasAsked } from '../../features/transcripts/permissions.ts'
import { TurnsRefused } from '../../features/transcripts/server-sink.ts'
import { tellUnknown } from '../../features/transcripts/tell-unknown.ts'
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

/**
 * Stores the conversations of this machine's agents as they are written, or with `once` those that are there: of agents
 * that are named, or else of those that `loci connect` has a yes for; of all where it was never asked.
 */
export async function watch(
  ids: readonly string[],
  { once = false, ...account }: AccountOption & { once?: boolean },
): Promise<void> {
  const sources = chosenSources(ids)
  if (ids.length === 0 && sources.length === 0 && wasAsked(readConfig().dataDir)) {
    say('No agent here may be followed. Name one, or say yes to it in "loci connect".\n')
    return
  }
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
  const unknown = new Map<string, { agent: string; counts: Record<string, number> }>()
  return {
    add({ path, reader: { agent } }, followed) {
      for (const name of ['stored', 'known', 'redacted'] as const) totals[name] += followed[name]
      // Of the whole file, which may be read in several parts.
      unknown.set(path, { agent, counts: followed.unknown })
    },
    tell() {
      const { stored, known, redacted } = totals
      const secrets = `${redacted} ${redacted === 1 ? 'secret' : 'secrets'} or private ${redacted === 1 ? 'part' : 'parts'}`
      say(`Stored ${stored} turns (${known} were there already), removed ${secrets}.\n`)
      sayUnknown([...unknown.values()])
    },
  }
}

function chosenSources(ids: readonly string[]) {
  const sources = transcriptSources(readSurroundings())
  const known = [...new Set(sources.map(({ reader }) => reader.agent))]
  const odd = ids.find((id) => !known.includes(id))
  if (odd !== undefined)
    throw new ConfigError(
      `"${withoutControls(odd)}" is no agent that can be followed. These are: ${known.join(', ')}.`,
    )
  const chosen = ids.length > 0 ? ids : allowed(known)
  return sources.filter(({ reader, folder }) => chosen.includes(reader.agent) && existsSync(folder))
}

function allowed(known: readonly string[]): readonly string[] {
  const { dataDir, remoteUrl } = readConfig()
  return wasAsked(dataDir) ? allowedAgents(dataDir, remoteUrl) : known
}

/** A new version of an agent may write something new. */
function sayUnknown(met: readonly { agent: string; counts: Record<string, number> }[]): void {
  const kinds: Record<string, number> = {}
  for (const { agent, counts } of met)
    for (const [kind, count] of Object.entries(counts))
      kinds[`${agent}: ${kind}`] = (kinds[`${agent}: ${kind}`] ?? 0) + count
  const left = tellUnknown(kinds)
  if (left !== undefined) say(`${left.replace(/^l/, 'L')}\n`)
}

const say = (text: string) => process.stdout.write(text)
