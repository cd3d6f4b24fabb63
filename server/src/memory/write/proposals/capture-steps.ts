import { setColumns, type VersionedTable, type Versions } from '../../../rows/columns.ts'
import { kindOf, type SubjectKind } from '../../../rows/operations.ts'
import type { RecordedChange } from '../../log/append-changes.repo.ts'
import { findCurrent, findVersionsAt, keyOfMoment } from '../../versions/versions.repo.ts'
import type { GraphWrite } from '../write-graph.ts'
import type { Subject } from './proposals.writes.repo.ts'
import type { ProposedStep, ProposedSteps } from './proposed-steps.ts'

/**
 * The changes of a write so far, after the number `mark`, as steps. `earlier` are the changes up to it, by proposals on
 * which the write builds.
 */
export async function captureSteps(
  write: GraphWrite,
  {
    earlier,
    changes,
    mark,
  }: { earlier: readonly RecordedChange[]; changes: readonly RecordedChange[]; mark: number },
): Promise<Captured> {
  const subjects = new Map<number, Subject>()
  const capture = <T extends VersionedTable>(kind: SubjectKind, table: T) => {
    const idsIn = (list: readonly RecordedChange[]) =>
      new Set(list.filter(({ operation }) => kindOf(operation) === kind).map(({ subjectId }) => subjectId))
    return captureTable(write, table, { ids: [...idsIn(changes)], proposed: idsIn(earlier), mark, subjects })
  }
  const isMerge = changes.some(({ operation }) => operation === 'entity_merged')
  const steps = {
    entities: await capture('entity', 'entities'),
    observations: await capture('observation', 'observations'),
    relations: await capture('relation', 'relations'),
    ...(isMerge ? { isMerge } : {}),
  }
  return { steps, subjects: [...subjects.values()] }
}

/** `subjects`: what the steps concern: their rows, and the entities that these belong to. */
export type Captured = { steps: ProposedSteps; subjects: Subject[] }

type Changed = {
  ids: readonly number[]
  proposed: ReadonlySet<number>
  mark: number
  subjects: Map<number, Subject>
}

async function captureTable<T extends VersionedTable>(
  { db, scope }: GraphWrite,
  table: T,
  { ids, proposed, mark, subjects }: Changed,
): Promise<ProposedStep<T>[]> {
  const moments = ids.map((id) => ({ id, seq: mark }))
  const earlier = await findVersionsAt(db, scope, table, moments)
  const current = await findCurrent(db, scope, table, ids)
  return ids.flatMap((id) => {
    const before = earlier.get(keyOfMoment({ id, seq: mark }))
    const after = current.get(id)
    const step = toStep(table, id, before, after)
    if (step === undefined) return []
    noteSubjects(subjects, before, after)
    return proposed.has(id) && before !== undefined ? [{ ...step, before }] : [step]
  })
}

/** Undefined if nothing changes in the end. */
function toStep<T extends VersionedTable>(
  table: T,
  id: number,
  before: Versions[T] | undefined,
  after: Versions[T] | undefined,
): ProposedStep<T> | undefined {
  if (before === undefined) return after === undefined ? undefined : { id, add: after }
  if (after === undefined) return { id }
  const changed = setColumns[table].filter(
    (column) => Reflect.get(before, column) !== Reflect.get(after, column),
  )
  if (changed.length === 0) return undefined
  return {
    id,
    set: Object.fromEntries(changed.map((column) => [column, Reflect.get(after, column)])) as never,
  }
}

function noteSubjects(subjects: Map<number, Subject>, before: AnyVersion, after: AnyVersion): void {
  for (const row of [before, after]) {
    if (row === undefined) continue
    const known = subjects.get(row.id)
    const isNew = before === undefined || known?.isNew === true
    subjects.set(row.id, { id: row.id, isNew, name: known?.name ?? newNameOf(before, row) })
    const others = 'entity_id' in row ? [row.entity_id] : 'from_id' in row ? [row.from_id, row.to_id] : []
    for (const id of others) if (!subjects.has(id)) subjects.set(id, { id, isNew: false, name: null })
  }
}

type AnyVersion = Versions[VersionedTable] | undefined

/** The name that an entity gets; null if it keeps its own, or for other rows. */
function newNameOf(before: AnyVersion, row: Versions[VersionedTable]): string | null {
  if (!('name' in row)) return null
  return before !== undefined && 'name' in before && before.name === row.name ? null : row.name
}
