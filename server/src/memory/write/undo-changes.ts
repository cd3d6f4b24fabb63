import { breathe } from '../../ground/lib/pace.ts'
import { saysTheSame, type VersionedTable, type Versions } from '../../rows/columns.ts'
import { begins, endsSubject, kindOf } from '../../rows/operations.ts'
import { type LoggedChange, listLogged } from '../log/log.repo.ts'
import { changeSubjectOf, kindOfTable } from '../versions/subjects.ts'
import { findCurrent, findVersionsAt, keyOfMoment } from '../versions/versions.repo.ts'
import { type Conflict, conflictError, findConflicts } from './find-conflicts.ts'
import type { Step, Steps } from './row-changes.ts'
import type { GraphReader } from './write-graph.ts'

type Range = { first: number; last: number }

const changesPerRead = 2_000

/** The steps that undo all changes of a set, from `first` to `last`. Throws `undo_conflict` if any was changed since. */
export async function planUndo(reader: GraphReader, range: Range): Promise<Steps> {
  const changes = await readChanges(reader, range)
  const conflicts: Conflict[] = []
  const plan = <T extends VersionedTable>(table: T) =>
    planSteps(
      reader,
      table,
      changes.filter(({ operation }) => kindOf(operation) === kindOfTable[table]),
      range,
      conflicts,
    )
  const steps: Steps = {
    entities: await plan('entities'),
    observations: await plan('observations'),
    relations: await plan('relations'),
  }
  if (conflicts.length === 0) conflicts.push(...(await findConflicts(reader, steps)))
  if (conflicts.length > 0) throw conflictError('undo_conflict', 'This cannot be undone', conflicts)
  return steps
}

async function readChanges({ db, scope }: GraphReader, { first, last }: Range): Promise<LoggedChange[]> {
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

/** For each subject, its current row and its row before the set. */
async function planSteps<T extends VersionedTable>(
  { db, scope }: GraphReader,
  table: T,
  changes: readonly LoggedChange[],
  { first, last }: Range,
  conflicts: Conflict[],
): Promise<Step<T>[]> {
  const firstOf = new Map(changes.toReversed().map((change) => [change.subjectId, change]))
  const lastOf = new Map(changes.map((change) => [change.subjectId, change]))
  const ids = [...firstOf.keys()].sort((a, b) => a - b)
  const current = await findCurrent(db, scope, table, ids)
  const moments = ids.flatMap((id) => [
    ...(begins(firstOf.get(id)!.operation) ? [] : [{ id, seq: first - 1 }]),
    ...(endsSubject(lastOf.get(id)!.operation) ? [] : [{ id, seq: last }]),
  ])
  const versions = await findVersionsAt(db, scope, table, moments, current)
  const steps: Step<T>[] = []
  for (const id of ids) {
    await breathe()
    const before = current.get(id)
    const after = versions.get(keyOfMoment({ id, seq: first - 1 }))
    const left = versions.get(keyOfMoment({ id, seq: last }))
    const ending = lastOf.get(id)!
    const problem = problemOf(table, { opening: firstOf.get(id)!, ending, before, left, after })
    if (problem !== undefined)
      conflicts.push({ subject: changeSubjectOf(table, id, before ?? left ?? after), message: problem })
    else steps.push({ before, after })
  }
  return steps
}

type Found<T extends VersionedTable> = {
  /** The first and the last change of the set that concern the subject. */
  opening: LoggedChange
  ending: LoggedChange
  /** The row now, the row after the set, and the row before it. */
  before: Versions[T] | undefined
  left: Versions[T] | undefined
  after: Versions[T] | undefined
}

/** Returns why a subject cannot be reset. A subject changed since and changed back is as the set left it. */
function problemOf<T extends VersionedTable>(
  table: T,
  { opening, ending, before, left, after }: Found<T>,
): string | undefined {
  const kind = kindOf(opening.operation)
  if (opening.operation === 'entity_erased' || opening.operation === 'observation_erased')
    return `this ${kind} was erased`
  const isKept =
    (left !== undefined || endsSubject(ending.operation)) &&
    (after !== undefined || begins(opening.operation))
  if (before === undefined && left !== undefined) return `this ${kind} was deleted since`
  if (!isKept) return `this ${kind} was erased, or its earlier state is not kept any more`
  if (before !== undefined && (left === undefined || !saysTheSame(table, before, left)))
    return `this ${kind} was changed since`
  return undefined
}
