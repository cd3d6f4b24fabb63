import { hasControls } from '@loci/contract/hidden-characters'
import { type ImportProblem, importLineBytesMax } from '@loci/contract/imports'
import {
  type EntityLine,
  JsonLine,
  ObservationLine,
  type ObservationsLine,
  type RelationLine,
} from '@loci/contract/json-lines'
import type { z } from 'zod'
import { jsonSize } from '../../ground/lib/json-size.ts'
import { type Line, type ReadableFile, readLines } from '../../ground/lib/lines.ts'
import { breathe } from '../../ground/lib/pace.ts'
import type { IndexedText } from '../../search/analyse/index-text.ts'
import type { Position } from './import-progress.ts'

/** Most observations stored in one step, and about their most characters; a longer line takes several steps. */
const observationsPerUnit = 200
const unitLengthMax = 256 * 1024

/** The index entries of its texts, once computed. */
type Prepared = { indexed?: IndexedText | undefined }
type Entity = Omit<z.output<typeof EntityLine>, 'observations' | 'problem'> & Prepared
export type ObservationToImport = ObservationLine & Prepared
type Relation = z.output<typeof RelationLine>

/** A step of an import: one line, or a part of a long one. */
export type ImportUnit = {
  at: Position
  after: Position
  problems: ImportProblem[]
  /** The entity that a line describes. */
  entity?: Entity
  /** Observations for the entity of this name; `isMore` when an earlier unit named the entity. */
  observations?: { name: string; isMore: boolean; items: ObservationToImport[] }
  relation?: Relation
}

/** Approximate number of rows that a unit writes. */
export function weightOf(unit: ImportUnit): number {
  return 1 + (unit.observations?.items.length ?? 0)
}

/**
 * Reads a file of JSON lines from a position on, and yields to other work in between. An unreadable line becomes a unit
 * with a problem.
 */
export async function* readUnits(file: ReadableFile, from: Position): AsyncGenerator<ImportUnit, void> {
  for await (const line of readLines(file, from, importLineBytesMax)) {
    await breathe()
    yield* unitsOf(line, line.start.offset === from.offset ? from.item : 0)
  }
}

async function* unitsOf(line: Line, item: number): AsyncGenerator<ImportUnit, void> {
  const at = { ...line.start, item }
  const unit = { at, after: { ...line.next, item: 0 }, problems: [] }
  const read = await parseLine(line)
  if (typeof read === 'string') {
    yield { ...unit, problems: [{ line: at.line, message: read }] }
    return
  }
  const { parsed, lost } = read
  if (parsed?.type === 'relation') {
    const problems = lost.map((message) => ({ ...originOf(at, parsed), message }))
    yield { ...unit, problems, relation: parsed }
  } else if (parsed?.type === 'problem') {
    yield { ...unit, problems: [{ ...originOf(at, parsed), message: parsed.message }] }
  } else if (parsed?.type === 'entity') yield* observationUnits(line, item, parsed, lost)
  else if (parsed?.type === 'observations') yield* observationUnits(line, item, parsed, lost)
  else yield unit
}

async function* observationUnits(
  line: Line,
  item: number,
  parsed: z.output<typeof EntityLine> | z.output<typeof ObservationsLine>,
  lost: string[],
): AsyncGenerator<ImportUnit, void> {
  const { observations, problem = [], ...rest } = parsed
  const name = rest.type === 'entity' ? rest.name : rest.entity
  for (let begin = item, end = 0; begin === 0 || begin < observations.length; begin = end) {
    const isFirst = begin === 0 && rest.type === 'entity'
    const origin = originOf(line.start, rest)
    const { items, messages, taken } = await parseObservations(
      observations.slice(begin, begin + observationsPerUnit),
    )
    end = begin + Math.max(1, taken)
    if (begin === 0) messages.push(...lost, ...[problem].flat())
    yield {
      at: { ...line.start, item: begin },
      after: end < observations.length ? { ...line.start, item: end } : { ...line.next, item: 0 },
      problems: messages.map((message) => ({ ...origin, message })),
      ...(isFirst ? { entity: rest } : {}),
      observations: { name, isMore: !isFirst, items },
    }
  }
}

type Origin = { file?: string | undefined; line?: number | undefined; item?: number | undefined }

/** Where an item was written: in the file itself, or in the note or item that the line was made from. */
export function originOf(
  line: { line: number },
  { file, item, ...origin }: Origin,
): Omit<ImportProblem, 'message'> {
  const named = file === undefined ? {} : { file }
  if (item !== undefined) return { item, ...named }
  return file === undefined ? { line: line.line } : { line: origin.line ?? 1, file }
}

/** The first of these observations that make a unit. */
async function parseObservations(observations: unknown[]) {
  const items: ObservationLine[] = []
  const messages: string[] = []
  let [taken, length] = [0, 0]
  for (const observation of observations) {
    await breathe()
    if (length > unitLengthMax) break
    length += jsonSize(observation)
    taken += 1
    const parsed = ObservationLine.safeParse(observation)
    if (parsed.success) {
      items.push(parsed.data)
      messages.push(...lostMoments(observation, parsed.data))
    } else messages.push('An observation is not a text of 1 to 65,536 characters')
  }
  return { items, messages, taken }
}

type Moments = { createdAt?: number | undefined; updatedAt?: number | undefined }

/** Messages about invalid times. The item is stored without them. */
function lostMoments(given: unknown, parsed: Moments): string[] {
  return (['createdAt', 'updatedAt'] as const).flatMap((name) => {
    const value = (given as Record<string, unknown>)[name] ?? undefined
    const isLost = value !== undefined && parsed[name] === undefined
    return isLost ? [`${name} is not an ISO-8601 date-time and was ignored`] : []
  })
}

const nameFields = ['name', 'entityType', 'entity', 'from', 'to', 'relationType', 'aliases']

/** Messages about names that were not on one line. */
function changedNames(given: unknown): string[] {
  return nameFields.flatMap((field) => {
    const names = [Reflect.get(Object(given), field)].flat()
    const isChanged = names.some((name) => typeof name === 'string' && hasControls(name))
    return isChanged ? [`${field} has line breaks or control characters; a space was stored instead`] : []
  })
}

/** The line with its unusable parts, or what is wrong with it; nothing for an empty line. */
async function parseLine({ text, start }: Line): Promise<{ parsed?: JsonLine; lost: string[] } | string> {
  if (text === undefined) return 'The line is too long, or not UTF-8'
  const json = start.offset === 0 ? text.replace(/^\uFEFF/, '') : text
  if (json.trim() === '') return { lost: [] }
  await breathe()
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'The line is not valid JSON'
  }
  await breathe()
  const parsed = JsonLine.safeParse(value)
  if (!parsed.success) return parsed.error.issues[0]?.message ?? 'The line is not valid'
  const { data } = parsed
  const hasMoments = data.type === 'entity' || data.type === 'relation'
  return { parsed: data, lost: [...(hasMoments ? lostMoments(value, data) : []), ...changedNames(value)] }
}
