import { entityNameMax } from '@loci/contract/entities'
import { entityTypeMax } from '@loci/contract/entity-types'
import { Metadata } from '@loci/contract/metadata'
import { observationContentMax } from '@loci/contract/observations'
import { relationTypeMax } from '@loci/contract/relations'
import { isRecord } from '../../../ground/lib/json.ts'

/** A position in a folder, archive or file. Lines and items count from 1. */
export type LinePlace = { file: string; item?: number; line?: number }

export type ObservationToWrite = {
  content: string
  createdAt?: string | undefined
  updatedAt?: string | undefined
  metadata?: Record<string, unknown> | undefined
}

export type EntityToWrite = {
  name: string
  entityType: string
  aliases?: readonly string[]
  metadata?: Record<string, unknown>
  createdAt?: string | undefined
  updatedAt?: string | undefined
  observations: readonly ObservationToWrite[]
  /** Problems found while reading it. */
  problems?: readonly string[]
}

const observationsPerLine = 200
/** A line holds at least one observation, and stays far below the longest line that can be read. */
const lineLengthMax = 2_000_000
const problemsPerLine = 100

const lineOf = (line: object) => `${JSON.stringify(line)}\n`

/** Writes an entity as the lines of our own export: lines after the first hold more observations. */
export function* entityLines(entity: EntityToWrite, place: LinePlace): Generator<string, void> {
  const { observations, problems = [], name, entityType, aliases = [], ...rest } = entity
  const groups = groupsOf(observations.flatMap(splitLong))
  const storedName = nameOf(name)
  yield lineOf({
    type: 'entity',
    name: storedName,
    entityType: fitted(entityType, entityTypeMax) || 'unknown',
    ...(aliases.length === 0 ? {} : { aliases: aliases.map(nameOf) }),
    ...rest,
    observations: groups[0] ?? [],
    ...place,
    ...(problems.length === 0 ? {} : { problem: problems.slice(0, problemsPerLine) }),
  })
  yield* observationsLines(storedName, groups.slice(1).flat(), place)
}

/** More observations of an entity that an earlier line named. */
export function* observationsLines(
  name: string,
  observations: readonly ObservationToWrite[],
  place: LinePlace,
  problems: readonly string[] = [],
): Generator<string, void> {
  for (const group of groupsOf(observations.flatMap(splitLong))) {
    yield lineOf({ type: 'observations', entity: nameOf(name), observations: group, ...place })
  }
  for (const message of problems) yield problemLine(message, place)
}

/** A relation; its ends are names. */
export function relationLine(
  { from, to, relationType, createdAt, endsFacts }: RelationToWrite,
  place: LinePlace,
): string {
  const type = fitted(relationType, relationTypeMax) || 'relates_to'
  return lineOf({
    type: 'relation',
    from: nameOf(from),
    to: nameOf(to),
    relationType: type,
    createdAt,
    ...(endsFacts && { endsFacts }),
    ...place,
  })
}
export type RelationToWrite = {
  from: string
  to: string
  relationType: string
  createdAt?: string | undefined
  endsFacts?: boolean | undefined
}

export function problemLine(message: string, place: LinePlace): string {
  return lineOf({ type: 'problem', message, ...place })
}

/** A text shortened to a valid entity name. */
export function nameOf(text: string): string {
  return fitted(text, entityNameMax) || 'Untitled'
}

/** At most `max` characters that every database can store; nothing where there are but spaces. */
function fitted(text: string, max: number): string {
  const fit = storable(storable(text).slice(0, max))
  return fit.trim() === '' ? '' : fit
}

export function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

function splitLong({ content, ...rest }: ObservationToWrite): ObservationToWrite[] {
  const parts: ObservationToWrite[] = []
  const text = storable(content)
  for (let at = 0; at < text.length; ) {
    const cut = text.slice(at, at + observationContentMax)
    // Do not split a surrogate pair.
    const part = cut.isWellFormed() ? cut : cut.slice(0, -1)
    parts.push({ content: part, ...rest })
    at += part.length
  }
  return parts
}

function groupsOf(observations: readonly ObservationToWrite[]): ObservationToWrite[][] {
  const groups: ObservationToWrite[][] = []
  let length = 0
  for (const observation of observations) {
    const last = groups.at(-1)
    if (last === undefined || last.length === observationsPerLine || length > lineLengthMax) {
      groups.push([observation])
      length = 0
    } else last.push(observation)
    length += observation.content.length
  }
  return groups
}

/** The metadata if it can be stored, or nothing with the reason. */
export function metadataOf(value: Record<string, unknown>): {
  metadata: Record<string, unknown> | undefined
  problem: string | undefined
} {
  const given = Object.fromEntries(Object.entries(value).filter(([, item]) => isGiven(item)))
  if (Object.keys(given).length === 0) return { metadata: undefined, problem: undefined }
  const parsed = Metadata.safeParse(given)
  if (parsed.success) return { metadata: given, problem: undefined }
  return { metadata: undefined, problem: `Its metadata was left out: ${parsed.error.issues[0]?.message}` }
}

function isGiven(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** A time from another export, in seconds or as text, as ISO-8601; undefined if invalid. Without an offset: UTC. */
export function momentOf(value: unknown): string | undefined {
  const milliseconds = typeof value === 'number' ? value * 1000 : parseMoment(value)
  const isMoment = milliseconds > 0 && milliseconds < latestMs
  return isMoment ? new Date(milliseconds).toISOString() : undefined
}

const latestMs = Date.UTC(10_000, 0)
const isoMoment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?/

function parseMoment(value: unknown): number {
  if (typeof value !== 'string' || !isoMoment.test(value)) return Number.NaN
  const text = value.trim().replace(' ', 'T')
  return Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
}

/** The value if it is a record, otherwise an empty one. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
