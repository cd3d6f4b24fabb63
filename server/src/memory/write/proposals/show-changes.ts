import type { ChangeSubject } from '@loci/contract/changes'
import { type ProposedChange, shownChangesMax } from '@loci/contract/proposals'
import { jsonSize } from '../../../ground/lib/json-size.ts'
import { type End, showEntity, showObservation } from '../../../rows/codec.ts'
import type { VersionedTable, Versions } from '../../../rows/columns.ts'
import type { Db } from '../../../store/db.ts'
import type { Scope } from '../../../tenancy/scope.ts'
import { toRelationState } from '../../versions/states.ts'
import { changeSubjectOf, operationsOf } from '../../versions/subjects.ts'
import {
  findCurrent,
  findLastPast,
  findVersionsAt,
  keyOfMoment,
  type Moment,
} from '../../versions/versions.repo.ts'
import { findCreatorsOf, findProposals, type StoredProposal } from './proposals.repo.ts'
import type { ProposedStep } from './proposed-steps.ts'

const bytesPerProposalMax = 128 * 1024

type Rows<T extends VersionedTable> = { before: Versions[T] | undefined; after: Versions[T] | undefined }
type Shown = { [T in VersionedTable]: (Rows<T> & { id: number })[] }

/**
 * The first changes of each proposal, as the history would show them, in a number of statements that does not depend on
 * their number.
 */
export async function showProposedChanges(
  db: Db,
  scope: Scope,
  proposals: readonly StoredProposal[],
): Promise<ProposedChange[][]> {
  const heads = proposals.map(firstSteps)
  const base: { [T in VersionedTable]: Map<string, Versions[T]> } = {
    entities: await findBase(db, scope, 'entities', proposals, heads),
    observations: await findBase(db, scope, 'observations', proposals, heads),
    relations: await findBase(db, scope, 'relations', proposals, heads),
  }
  const shown = heads.map((head, i) => {
    const keyOf = (id: number) => keyOfMoment({ id, seq: proposals[i]!.baseSeq })
    return {
      entities: toRows(head.entities, (id) => base.entities.get(keyOf(id))),
      observations: toRows(head.observations, (id) => base.observations.get(keyOf(id))),
      relations: toRows(head.relations, (id) => base.relations.get(keyOf(id))),
    }
  })
  const labels = await findLabels(db, scope, shown)
  return shown.map((rows, i) =>
    fitting(toProposedChanges(rows, labels, proposals[i]!.steps.isMerge === true)),
  )
}

type Head = { [T in VersionedTable]: ProposedStep<T>[] }

function firstSteps({ steps }: StoredProposal): Head {
  let room = shownChangesMax
  const take = <T>(list: readonly T[]) => {
    const taken = list.slice(0, room)
    room -= taken.length
    return taken
  }
  return {
    entities: take(steps.entities),
    observations: take(steps.observations),
    relations: take(steps.relations),
  }
}

/** The rows on which proposals rest, as they were then. */
async function findBase<T extends VersionedTable>(
  db: Db,
  scope: Scope,
  table: T,
  proposals: readonly StoredProposal[],
  heads: readonly Head[],
): Promise<Map<string, Versions[T]>> {
  const moments = heads.flatMap((head, i): Moment[] =>
    head[table].flatMap(({ id, add, before }) =>
      add === undefined && before === undefined ? [{ id, seq: proposals[i]!.baseSeq }] : [],
    ),
  )
  return findVersionsAt(db, scope, table, moments)
}

const toRows = <T extends VersionedTable>(
  steps: readonly ProposedStep<T>[],
  storedOf: (id: number) => Versions[T] | undefined,
) => steps.map((step) => ({ id: step.id, ...rowsOf(step, storedOf(step.id)) }))

function rowsOf<T extends VersionedTable>(
  { add, set, before: proposed }: ProposedStep<T>,
  stored: Versions[T] | undefined,
): Rows<T> {
  const before = add === undefined ? (proposed ?? stored) : undefined
  const changed = set === undefined || before === undefined ? undefined : { ...before, ...set }
  return { before, after: add ?? changed }
}

type Labels = ReadonlyMap<number, End>

/** Names and types of the entities that the changes mention: as proposed, else as they are, else as they were. */
async function findLabels(db: Db, scope: Scope, shown: readonly Shown[]): Promise<Labels> {
  const wanted = new Set<number>()
  const labels = new Map<number, End>()
  for (const { entities, observations, relations } of shown) {
    for (const { before, after } of observations)
      for (const row of [before, after]) if (row !== undefined) wanted.add(row.entity_id)
    for (const { before, after } of relations)
      for (const row of [before, after]) if (row !== undefined) wanted.add(row.from_id).add(row.to_id)
    for (const { id, after, before } of entities) {
      if (before === undefined && after !== undefined) labels.set(id, after)
    }
  }
  const missing = () => [...wanted].filter((id) => !labels.has(id))
  for (const [id, row] of await findCurrent(db, scope, 'entities', missing())) labels.set(id, row)
  if (missing().length === 0) return labels
  const creators = await findCreatorsOf(db, scope, missing())
  for (const { steps } of await findProposals(db, scope, [...creators.values()]))
    for (const { id, add } of steps.entities) if (add !== undefined && wanted.has(id)) labels.set(id, add)
  for (const [id, row] of await findLastPast(db, scope, 'entities', missing())) labels.set(id, row)
  return labels
}

function toProposedChanges(shown: Shown, labels: Labels, isMerge: boolean): ProposedChange[] {
  return [
    ...shown.entities.map(({ id, before, after }) => ({
      operation: isMerge && after === undefined ? 'entity_merged' : operationOf('entities', before, after),
      subject: changeSubjectOf('entities', id, after ?? before),
      ...statesOf({ before, after }, showEntity),
    })),
    ...shown.observations.map(({ id, before, after }) => ({
      operation: operationOf('observations', before, after),
      subject: {
        ...changeSubjectOf('observations', id, after ?? before),
        ...ownerOf(after ?? before, labels),
      },
      ...statesOf({ before, after }, showObservation),
    })),
    ...shown.relations.map(({ id, before, after }) => ({
      operation: operationOf('relations', before, after),
      subject: changeSubjectOf('relations', id, after ?? before),
      ...statesOf({ before, after }, (row) =>
        toRelationState(row, labels.get(row.from_id), labels.get(row.to_id)),
      ),
    })),
  ]
}

function operationOf(table: VersionedTable, before: unknown, after: unknown): ProposedChange['operation'] {
  const { begin, change, end } = operationsOf[table]
  if (after === undefined) return end
  return before === undefined ? begin : change
}

function statesOf<Row>(
  { before, after }: { before: Row | undefined; after: Row | undefined },
  show: (row: Row) => object,
): Pick<ProposedChange, 'before' | 'after'> {
  return {
    before: before === undefined ? null : { ...show(before) },
    after: after === undefined ? null : { ...show(after) },
  }
}

/** The name and type of the entity that an observation belongs to. */
function ownerOf(row: Versions['observations'] | undefined, labels: Labels): Partial<ChangeSubject> {
  const label = row && labels.get(row.entity_id)
  return label === undefined ? {} : { entityName: label.name, entityType: label.type }
}

/** The first of them, and as many more as fit. */
function fitting(changes: ProposedChange[]): ProposedChange[] {
  let bytes = 0
  return changes.filter((change, i) => {
    bytes += jsonSize(change)
    return i === 0 || bytes <= bytesPerProposalMax
  })
}
