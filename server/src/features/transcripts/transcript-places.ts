import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PartPlace } from './readers/opencode-records.ts'
import type { ReaderState } from './readers/reader.ts'

/**
 * Where a follower stopped in a file of lines. `head` is the hash of the first `headBytes` bytes: another file under the
 * same name has another.
 */
export type TranscriptLinePlace = {
  offset: number
  head: string
  headBytes: number
  isInLongLine?: boolean
  state: ReaderState
}

export type TranscriptPlace = { lines?: TranscriptLinePlace; parts?: PartPlace }

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
