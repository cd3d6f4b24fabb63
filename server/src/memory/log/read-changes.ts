import type { Change, ChangeSubject } from '@loci/contract/changes'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { showObservation } from '../../rows/codec.ts'
import type { VersionedTable, Versions } from '../../rows/columns.ts'
import { begins, endsSubject, kindOf, type SubjectKind } from '../../rows/operations.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { toEntityStateAtFirst, toEntityStateAtLast, toRelationState } from '../versions/states.ts'
import { findVersionsAt, keyOfMoment, type Moment } from '../versions/versions.repo.ts'
import { type LoggedChange, listLogged } from './log.repo.ts'

/** Changes after `seq`, oldest first, with the states of their subjects. */
export async function listChangesAfter(db: Db, scope: Scope, seq: number, limit: number): Promise<Change[]> {
  const range = { after: seq, before: Number.MAX_SAFE_INTEGER }
  return toChanges(db, scope, await listLogged(db, scope, range, { order: 'asc', limit }))
}

/** Changes between two numbers, both exclusive; newest first. */
export async function listChangesBefore(
  db: Db,
  scope: Scope,
  { after, before, limit }: { after: number; before: number; limit: number },
): Promise<Change[]> {
  const logged = await listLogged(db, scope, { after, before }, { order: 'desc', limit })
  return toChanges(db, scope, logged)
}

/**
 * Loads the states before and after each change, in a number of statements that does not depend on the
 * number of changes.
 */
export async function toChanges(db: Db, scope: Scope, logged: readonly LoggedChange[]): Promise<Change[]> {
  const of = (kind: SubjectKind) => logged.filter(({ operation }) => kindOf(operation) === kind)
  const find = <T extends VersionedTable>(table: T, moments: readonly Moment[]) =>
    findVersionsAt(db, scope, table, moments)
  const relations = await find('relations', of('relation').flatMap(momentsOf))
  const ends = [...relations].flatMap(([key, row]) => endsOf(row, key))
  const observations = await find('observations', of('observation').flatMap(momentsOf))
  const owners = [...observations].map(([key, row]) => ownerOf(row, key))
  const versions: Found = {
    relations,
    entities: await find('entities', distinct([...of('entity').flatMap(momentsOf), ...ends, ...owners])),
    observations,
  }
  return logged.map((change) => toChange(change, versions))
}

type Found = { [T in VersionedTable]: Map<string, Versions[T]> }
type States = { before: object | null; after: object | null }

/** Just before a change and just after it. */
const momentsOf = ({ subjectId, seq }: LoggedChange): Moment[] => [
  { id: subjectId, seq: seq - 1 },
  { id: subjectId, seq },
]

const seqOfKey = (key: string) => Number(key.slice(key.indexOf(' ') + 1))

const endsOf = (row: Versions['relations'], key: string): Moment[] =>
  [row.from_id, row.to_id].map((id) => ({ id, seq: seqOfKey(key) }))

const ownerOf = (row: Versions['observations'], key: string): Moment => ({
  id: row.entity_id,
  seq: seqOfKey(key),
})

const distinct = (moments: readonly Moment[]): Moment[] => [
  ...new Map(moments.map((moment) => [keyOfMoment(moment), moment])).values(),
]

function toChange(logged: LoggedChange, versions: Found): Change {
  const { seq, setSeq, at, actor, behalf, tool, operation } = logged
  const { before, after } = statesOf(logged, versions)
  const isErased =
    operation === 'entity_erased' ||
    operation === 'observation_erased' ||
    (before === null && !begins(operation)) ||
    (after === null && !endsSubject(operation))
  return {
    seq,
    setId: toId('set', setSeq),
    at: toIso(at),
    actor,
    ...(behalf === undefined ? {} : { onBehalfOf: behalf }),
    ...(tool === null ? {} : { tool }),
    operation,
    subject: subjectOf(logged, versions, { before, after }),
    before: before as Change['before'],
    after: after as Change['after'],
    ...(isErased ? { erased: true as const } : {}),
  }
}

function statesOf(logged: LoggedChange, versions: Found): States {
  const [earlier, later] = momentsOf(logged).map(keyOfMoment) as [string, string]
  const kind = kindOf(logged.operation)
  if (kind === 'entity') {
    const [before, after] = pairOf(versions.entities, earlier, later)
    return {
      before: before === undefined ? null : toEntityStateAtLast(before),
      after: after === undefined ? null : toEntityStateAtFirst(after, logged.at),
    }
  }
  if (kind === 'observation') {
    const [before, after] = pairOf(versions.observations, earlier, later)
    return {
      before: before === undefined ? null : showObservation(before),
      after: after === undefined ? null : showObservation(after),
    }
  }
  const [before, after] = pairOf(versions.relations, earlier, later)
  const withEnds = (row: Versions['relations'], key: string) =>
    toRelationState(
      row,
      ...(endsOf(row, key).map((end) => versions.entities.get(keyOfMoment(end))) as EndRows),
    )
  return {
    before: before === undefined ? null : withEnds(before, earlier),
    after: after === undefined ? null : withEnds(after, later),
  }
}

type EndRows = [Versions['entities'] | undefined, Versions['entities'] | undefined]

/** The version that the change ended and the one that it began; versions it did not touch are excluded. */
function pairOf<Row extends { since: number }>(
  rows: ReadonlyMap<string, Row>,
  earlier: string,
  later: string,
): [Row | undefined, Row | undefined] {
  const [before, after] = [rows.get(earlier), rows.get(later)]
  return before?.since === after?.since ? [undefined, undefined] : [before, after]
}

function subjectOf(
  { operation, subjectId, seq }: LoggedChange,
  versions: Found,
  { before, after }: States,
): ChangeSubject {
  const kind = kindOf(operation)
  if (kind === 'relation') return { kind, id: toId('rel', subjectId) }
  if (kind === 'entity') {
    const name = ((after ?? before) as { name?: string } | null)?.name
    return { kind, id: toId('ent', subjectId), ...(name === undefined ? {} : { name }) }
  }
  const id = toId('obs', subjectId)
  const key = [seq, seq - 1]
    .map((at) => keyOfMoment({ id: subjectId, seq: at }))
    .find((moment) => versions.observations.has(moment))
  if (key === undefined) return { kind, id }
  const row = versions.observations.get(key)!
  const entity = versions.entities.get(keyOfMoment(ownerOf(row, key)))
  const owner = { entityId: toId('ent', row.entity_id) }
  return { kind, id, ...owner, ...(entity && { entityName: entity.name, entityType: entity.type }) }
}
