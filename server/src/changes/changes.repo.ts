import type { Change, ChangeActor, ChangeOperation } from '@loci/contract/changes'
import type { Scope } from '../auth/actor.ts'
import type { Db, Dialect } from '../db/dialect.ts'
import type { ChangesTable } from '../db/schema.ts'
import { toIso } from '../lib/time.ts'

/** A change that a write made, before it has its number. */
export type NewChange = {
  operation: ChangeOperation
  subjectId: string
  before: object | null
  after: object | null
}

/** Appends changes, numbered on from `seq`. The caller holds the lock of the space's counters. */
export async function appendChanges(
  db: Db,
  dialect: Dialect,
  scope: Scope,
  changes: readonly NewChange[],
  stamp: { seq: number; at: number; actor: ChangeActor },
): Promise<void> {
  const actor = JSON.stringify(stamp.actor)
  const rows = changes.map((change, index) => ({
    account_id: scope.accountId,
    space_id: scope.spaceId,
    seq: stamp.seq + 1 + index,
    at: stamp.at,
    actor,
    operation: change.operation,
    subject_id: change.subjectId,
    before: change.before === null ? null : JSON.stringify(change.before),
    after: change.after === null ? null : JSON.stringify(change.after),
  }))
  await dialect.insertRows(db, 'changes', rows)
}

/** Changes after `seq`, oldest first. */
export async function listChangesAfter(db: Db, scope: Scope, seq: number, limit: number): Promise<Change[]> {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toChange)
}

/** Changes at or after a moment (milliseconds), oldest first. */
export async function listChangesSince(db: Db, scope: Scope, at: number, limit: number): Promise<Change[]> {
  const rows = await db
    .selectFrom('changes')
    .selectAll()
    .where('account_id', '=', scope.accountId)
    .where('space_id', '=', scope.spaceId)
    .where('at', '>=', at)
    .orderBy('at')
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toChange)
}

function toChange(row: ChangesTable): Change {
  return {
    seq: row.seq,
    at: toIso(row.at),
    actor: JSON.parse(row.actor),
    operation: row.operation as ChangeOperation,
    subjectId: row.subject_id,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  }
}
