import type { FileHandle } from 'node:fs/promises'
import { type ImportProblem, importLineBytesMax } from '@loci/contract/imports'
import {
  type EntityLine,
  JsonLine,
  ObservationLine,
  type ObservationsLine,
  type RelationLine,
} from '@loci/contract/json-lines'
import type { z } from 'zod'
import { type Line, readLines } from '../../lib/lines.ts'
import type { Position } from './import-progress.ts'

/** Most observations that are stored in one step; a longer line takes several. */
const observationsPerUnit = 200

type Entity = Omit<z.output<typeof EntityLine>, 'observations'>
type Relation = z.output<typeof RelationLine>

/** A step of an import: one line, or a part of a long one. */
export type Unit = {
  at: Position
  after: Position
  problems: ImportProblem[]
  /** The entity that a line describes. */
  entity?: Entity
  /** Observations for the entity of this name; `isMore` when an earlier unit named the entity. */
  observations?: { name: string; isMore: boolean; items: ObservationLine[] }
  relation?: Relation
}

/** Rows that a unit writes, about. */
export function weightOf(unit: Unit): number {
  return 1 + (unit.observations?.items.length ?? 0)
}

/** What a file of JSON lines says from a position on. A line that cannot be read is a unit with a problem. */
export async function* readUnits(file: FileHandle, from: Position): AsyncGenerator<Unit, void> {
  for await (const line of readLines(file, from, importLineBytesMax)) {
    yield* unitsOf(line, line.start.offset === from.offset ? from.item : 0)
  }
}

function* unitsOf(line: Line, item: number): Generator<Unit, void> {
  const at = { ...line.start, item }
  const unit = { at, after: { ...line.next, item: 0 }, problems: [] }
  const parsed = parseLine(line)
  if (typeof parsed === 'string') {
    yield { ...unit, problems: [{ line: at.line, message: parsed }] }
  } else if (parsed?.type === 'relation') yield { ...unit, relation: parsed }
  else if (parsed?.type === 'entity') yield* observationUnits(line, item, parsed)
  else if (parsed?.type === 'observations') yield* observationUnits(line, item, parsed)
  else yield unit
}

function* observationUnits(
  line: Line,
  item: number,
  parsed: z.output<typeof EntityLine> | z.output<typeof ObservationsLine>,
): Generator<Unit, void> {
  const { observations, ...rest } = parsed
  const name = rest.type === 'entity' ? rest.name : rest.entity
  for (let begin = item; begin === 0 || begin < observations.length; begin += observationsPerUnit) {
    const end = begin + observationsPerUnit
    const isFirst = begin === 0 && rest.type === 'entity'
    const origin = originOf(line.start, rest)
    const { items, problems } = parseObservations(observations.slice(begin, end), origin)
    if (begin === 0 && rest.problem !== undefined) problems.push({ ...origin, message: rest.problem })
    yield {
      at: { ...line.start, item: begin },
      after: end < observations.length ? { ...line.start, item: end } : { ...line.next, item: 0 },
      problems,
      ...(isFirst ? { entity: rest } : {}),
      observations: { name, isMore: !isFirst, items },
    }
  }
}

/** Where a thing was written: in the file itself, or in the note that the line was made of. */
export function originOf(
  line: { line: number },
  origin: { file?: string | undefined; line?: number | undefined },
): Omit<ImportProblem, 'message'> {
  return origin.file === undefined ? { line: line.line } : { line: origin.line ?? 1, file: origin.file }
}

function parseObservations(observations: unknown[], origin: Omit<ImportProblem, 'message'>) {
  const items: ObservationLine[] = []
  const problems: ImportProblem[] = []
  for (const observation of observations) {
    const parsed = ObservationLine.safeParse(observation)
    if (parsed.success) items.push(parsed.data)
    else problems.push({ ...origin, message: 'An observation is not a text of 1 to 65,536 characters' })
  }
  return { items, problems }
}

/** The line, or what is wrong with it; undefined for a line that says nothing. */
function parseLine({ text, start }: Line): JsonLine | string | undefined {
  if (text === undefined) return 'The line is too long, or not UTF-8'
  const json = start.offset === 0 ? text.replace(/^\uFEFF/, '') : text
  if (json.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return 'The line is not valid JSON'
  }
  const parsed = JsonLine.safeParse(value)
  return parsed.success ? parsed.data : (parsed.error.issues[0]?.message ?? 'The line is not valid')
}
