import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from './permissions.ts'
import type { PartPlace, ReaderState } from './readers/reader.ts'

/**
 * Where a follower stopped in a file of lines. `tail` is the hash of the last bytes before: a file that was written anew
 * has another.
 */
export type TranscriptLinePlace = {
  offset: number
  tail: string
  isInLongLine?: boolean
  state: ReaderState
}

/** `unknown`: what a database held that the reader does not know, by kind; of lines it stands in their state. */
export type TranscriptPlace = {
  lines?: TranscriptLinePlace
  parts?: PartPlace
  unknown?: Record<string, number>
}

/** Remembers, in files of their own, how far each transcript was stored. */
export type TranscriptPlaces = {
  load: (path: string) => TranscriptPlace
  save: (path: string, place: TranscriptPlace) => void
}

/** TranscriptPlaces in a folder. One that cannot be read counts as none: then all is read again, and nothing stored twice. */
export function placesIn(folder: string): TranscriptPlaces {
  const fileOf = (path: string) =>
    join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`)
  return {
    load(path) {
      try {
        const { of, place } = JSON.parse(readFileSync(fileOf(path), 'utf8')) as {
          of: string
          place: TranscriptPlace
        }
        return of === path && typeof place === 'object' && place !== null ? place : {}
      } catch {
        return {}
      }
    },
    save(path, place) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const beside = `${fileOf(path)}.${process.pid}`
      writeFileSync(beside, JSON.stringify({ of: path, place }), { mode: 0o600 })
      renameSync(beside, fileOf(path))
    },
  }
}

/**
 * What followers met in these files and left out, since the readers do not know it: how often, by kind. `folder` has a
 * folder of places for each target.
 */
export function unknownIn(folder: string, paths: readonly string[]): Record<string, number> {
  const places = namesIn(folder).map((name) => placesIn(join(folder, name)))
  const total: Record<string, number> = {}
  for (const path of paths) {
    const counts = places
      .map(({ load }) => load(path))
      .map(({ lines, unknown }) => lines?.state.unknown ?? unknown)
    // Two targets have met the same records.
    for (const [kind, count] of Object.entries(mostOf(counts))) total[kind] = (total[kind] ?? 0) + count
  }
  return total
}

/** Of each kind the highest count. */
function mostOf(counts: readonly (Record<string, number> | undefined)[]): Record<string, number> {
  const most: Record<string, number> = {}
  for (const [kind, count] of counts.flatMap((one) => Object.entries(one ?? {})))
    most[kind] = Math.max(most[kind] ?? 0, count)
  return most
}
