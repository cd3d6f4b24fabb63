import type { ImportProblem, ImportState } from '@loci/contract/imports'
import { importProblemsMax } from '@loci/contract/imports'
import type { LineStart } from '../../ground/lib/lines.ts'

/** Numbers from `from` up to, but not including, `end`, reserved for this import. */
export type NumberRange = { from: number; end: number }

/** The next item to import: a line, and how many of its observations are done. */
export type Position = LineStart & { item: number }

/** The progress of an import, committed together with what it stored, so nothing is done twice. */
export type Progress = {
  /** Relations come second, once all entities that they can name exist. */
  pass: 'entities' | 'relations'
  /** Numbers reserved for the ids of the file. */
  numbers: NumberRange | undefined
  /** The numbers of observations that replace others or are replaced, by their ids in the file. */
  linked?: Record<string, { number: number; isTaken: boolean }>
  position: Position
  /** The first relation of the file, once found. */
  relationsFrom: Position | undefined
  /** Name of the last line's entity if this import created it: further observations of it are certain to be new. */
  createdLast: string | undefined
  state: ImportState
  entities: { created: number; existing: number }
  observations: { created: number; existing: number }
  relations: { created: number; existing: number }
  problems: { total: number; first: ImportProblem[] }
}

export const startOfFile: Position = { offset: 0, line: 1, item: 0 }

export const startOfImport: Progress = {
  pass: 'entities',
  numbers: undefined,
  position: startOfFile,
  relationsFrom: undefined,
  createdLast: undefined,
  state: 'running',
  entities: { created: 0, existing: 0 },
  observations: { created: 0, existing: 0 },
  relations: { created: 0, existing: 0 },
  problems: { total: 0, first: [] },
}

/** Adds problems; the first ones are kept, all are counted. */
export function addProblems(
  problems: Progress['problems'],
  more: readonly ImportProblem[],
): Progress['problems'] {
  if (more.length === 0) return problems
  return {
    total: problems.total + more.length,
    first: [...problems.first, ...more].slice(0, importProblemsMax),
  }
}

export function addCounts(
  counts: { created: number; existing: number },
  more: { created: number; existing: number },
): { created: number; existing: number } {
  return { created: counts.created + more.created, existing: counts.existing + more.existing }
}
