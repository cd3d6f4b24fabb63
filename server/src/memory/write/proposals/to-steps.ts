import { toId } from '../../../ground/lib/ids.ts'
import { showEntity, showObservation } from '../../../rows/codec.ts'
import { saysTheSame, type VersionedTable, type Versions } from '../../../rows/columns.ts'
import { changeSubjectOf } from '../../versions/subjects.ts'
import { findCurrent, findVersionsAt, keyOfMoment } from '../../versions/versions.repo.ts'
import type { Conflict } from '../find-conflicts.ts'
import { findConflicts } from '../find-conflicts.ts'
import type { Step, Steps } from '../row-changes.ts'
import type { GraphWrite } from '../write-graph.ts'
import type { ProposedStep, ProposedSteps } from './proposed-steps.ts'

/** What a proposal rests on and what is there now, as reads show them; null if there is nothing. */
export type ProposalConflict = Conflict & { before?: object | null; now?: object | null }

type Planned = { steps: Steps; conflicts: ProposalConflict[] }

/** A proposal as steps on the current rows, with everything that changed since it was made. */
export async function toSteps(
  write: GraphWrite,
  { steps: proposed, baseSeq }: { steps: ProposedSteps; baseSeq: number },
): Promise<Planned> {
  const conflicts: ProposalConflict[] = []
  const plan = <T extends VersionedTable>(table: T) =>
    planTable(write, table, { proposed: proposed[table] as ProposedStep<T>[], baseSeq, conflicts })
  const steps: Steps = {
    entities: await plan('entities'),
    observations: await plan('observations'),
    relations: await plan('relations'),
  }
  if (conflicts.length === 0) conflicts.push(...(await findConflicts(write, steps)))
  return { steps, conflicts }
}

type Planning<T extends VersionedTable> = {
  proposed: readonly ProposedStep<T>[]
  baseSeq: number
  conflicts: ProposalConflict[]
}

async function planTable<T extends VersionedTable>(
  { db, scope }: GraphWrite,
  table: T,
  { proposed, baseSeq, conflicts }: Planning<T>,
): Promise<Step<T>[]> {
  const ids = proposed.map(({ id }) => id)
  const current = await findCurrent(db, scope, table, ids)
  const resting = proposed.filter(({ add }) => add === undefined)
  const moments = resting.map(({ id }) => ({ id, seq: baseSeq }))
  const base = await findVersionsAt(db, scope, table, moments)
  const steps: Step<T>[] = []
  for (const { id, add, set, before = base.get(keyOfMoment({ id, seq: baseSeq })) } of proposed) {
    const now = current.get(id)
    if (add !== undefined && now === undefined)
      steps.push({ before: undefined, after: { ...add, since: 0, until: null } })
    else if (add !== undefined) conflicts.push(conflictOf(table, id, { now, message: 'exists again' }))
    else if (now !== undefined && before !== undefined && saysTheSame(table, now, before))
      steps.push({ before: now, after: set === undefined ? undefined : { ...now, ...set } })
    else conflicts.push(conflictOf(table, id, { before, now, message: changeOf(before, now) }))
  }
  return steps
}

function changeOf(before: object | undefined, now: object | undefined): string {
  if (now === undefined) return 'was deleted since'
  return before === undefined ? 'is not kept as it was any more' : 'was changed since'
}

function conflictOf<T extends VersionedTable>(
  table: T,
  id: number,
  {
    before,
    now,
    message,
  }: { before?: Versions[T] | undefined; now: Versions[T] | undefined; message: string },
): ProposalConflict {
  const subject = changeSubjectOf(table, id, now ?? before)
  return { subject, message: `this ${subject.kind} ${message}`, before: showRow(before), now: showRow(now) }
}

function showRow(row: Versions[VersionedTable] | undefined): object | null {
  if (row === undefined) return null
  if ('name' in row) return showEntity(row)
  if ('content' in row) return showObservation(row)
  const { from_id, to_id, type } = row
  return { fromEntityId: toId('ent', from_id), toEntityId: toId('ent', to_id), type, relationType: type }
}
