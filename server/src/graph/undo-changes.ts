import type { ChangeSubject } from '@loci/contract/changes'
import { type LoggedChange, listLogged } from '../changes/log.repo.ts'
import { kindOf, type SubjectKind } from '../changes/operations.ts'
import { AppError } from '../errors.ts'
import { toId } from '../lib/ids.ts'
import { applySteps } from './apply-steps.ts'
import { findConflicts } from './find-conflicts.ts'
import { countSteps, type Step, type Steps } from './steps.ts'
import {
  findCurrent,
  findLastPast,
  findVersionsAt,
  keyOfMoment,
  type VersionedTable,
} from './versions.repo.ts'
import type { GraphWrite } from './write-graph.ts'

/** Why something cannot be taken back. */
export type Conflict = { subject: ChangeSubject; message: string }

type Range = { first: number; last: number }

const conflictsTold = 50
const changesPerRead = 2_000

/**
 * Takes back all changes of a set, which are those from `first` to `last`; answers how many things that concerned.
 * Throws `undo_conflict` when anything of it was changed since.
 */
export async function undoChanges(write: GraphWrite, range: Range): Promise<number> {
  const changes = await readChanges(write, range)
  const conflicts: Conflict[] = []
  const plan = <T extends VersionedTable>(kind: SubjectKind, table: T) =>
    planSteps(
      write,
      table,
      changes.filter(({ operation }) => kindOf(operation) === kind),
      range,
      conflicts,
    )
  const steps: Steps = {
    entities: await plan('entity', 'entities'),
    observations: await plan('observation', 'observations'),
    relations: await plan('relation', 'relations'),
  }
  if (conflicts.length === 0) conflicts.push(...(await findConflicts(write, steps)))
  if (conflicts.length > 0) throw undoConflict(conflicts)
  await applySteps(write, steps)
  return countSteps(steps)
}

function undoConflict(conflicts: readonly Conflict[]): AppError {
  const { subject, message: reason } = conflicts[0]!
  const others = conflicts.length > 1 ? `, and ${conflicts.length - 1} more conflicts` : ''
  const message = `This cannot be undone: ${reason} (${subject.name ?? subject.id})${others}`
  return new AppError('undo_conflict', message, { details: conflicts.slice(0, conflictsTold) })
}

async function readChanges({ db, scope }: GraphWrite, { first, last }: Range): Promise<LoggedChange[]> {
  const changes: LoggedChange[] = []
  for (let after = first - 1; after < last; ) {
    const page = await listLogged(
      db,
      scope,
      { after, before: last + 1 },
      { order: 'asc', limit: changesPerRead },
    )
    if (page.length === 0) break
    changes.push(...page)
    after = page.at(-1)!.seq
  }
  return changes
}

/** Of each subject the row that is there now and the one that was there before the set. */
async function planSteps<T extends VersionedTable>(
  { db, dialect, scope }: GraphWrite,
  table: T,
  changes: readonly LoggedChange[],
  { first, last }: Range,
  conflicts: Conflict[],
): Promise<Step<T>[]> {
  const firstOf = new Map(changes.toReversed().map((change) => [change.subjectId, change]))
  const ids = [...firstOf.keys()].sort((a, b) => a - b)
  const current = await findCurrent(db, dialect, scope, table, ids)
  const gone = ids.filter((id) => !current.has(id))
  const ended = await findLastPast(db, dialect, scope, table, gone)
  const moments = ids.map((id) => ({ id, seq: first - 1 }))
  const earlier = await findVersionsAt(db, dialect, scope, table, moments)
  const steps: Step<T>[] = []
  for (const id of ids) {
    const change = firstOf.get(id)!
    const before = current.get(id)
    const after = earlier.get(keyOfMoment({ id, seq: first - 1 }))
    const problem = problemOf(change, { before, after, end: ended.get(id)?.until ?? undefined, last })
    if (problem !== undefined)
      conflicts.push({ subject: subjectOf(change, before ?? ended.get(id)), message: problem })
    else steps.push({ before, after })
  }
  return steps
}

const begins = new Set(['entity_created', 'observation_added', 'relation_created'])

type Found = {
  before: { since: number } | undefined
  after: object | undefined
  end: number | undefined
  last: number
}

/** What keeps the subject of a change from being set back; `change` is the first of its set that concerns it. */
function problemOf({ operation }: LoggedChange, { before, after, end, last }: Found): string | undefined {
  const kind = kindOf(operation)
  if (operation === 'entity_erased' || (before === undefined && end === undefined))
    return `this ${kind} was erased`
  if (before !== undefined && before.since > last) return `this ${kind} was changed since`
  if (before === undefined && end !== undefined && end > last) return `this ${kind} was deleted since`
  if (after === undefined && !begins.has(operation))
    return `the earlier state of this ${kind} is not kept any more`
  return undefined
}

const prefixes = { entity: 'ent', observation: 'obs', relation: 'rel' } as const

function subjectOf({ operation, subjectId }: LoggedChange, row: object | undefined): ChangeSubject {
  const kind = kindOf(operation)
  const subject: ChangeSubject = { kind, id: toId(prefixes[kind], subjectId) }
  if (row !== undefined && 'name' in row) subject.name = String(row.name)
  if (row !== undefined && 'entity_id' in row) subject.entityId = toId('ent', Number(row.entity_id))
  return subject
}
