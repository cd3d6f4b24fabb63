import type { Change, ChangeActor, ChangeOperation } from '@loci/contract/changes'
import type { Scope } from '../auth/actor.ts'
import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { ChangesTable } from '../db/schema.ts'
import { getCounters } from '../graph/counters.repo.ts'
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

const selectBefore = prepared((db, values: Scope & { before: number; after: number; limit: number }) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where('seq', '<', values.before)
    .where('seq', '>', values.after)
    .orderBy('seq', 'desc')
    .limit(values.limit),
)

/** Changes between two numbers, both left out; the newest first. */
export async function listChangesBefore(
  db: Db,
  { accountId, spaceId }: Scope,
  range: { before: number; after: number; limit: number },
): Promise<Change[]> {
  return (await selectBefore(db, { accountId, spaceId, ...range })).map(toChange)
}

type OfSubjects = Scope & { ids: readonly string[]; from: number; to: number }
const selectOfSubjects = prepared((db, values: OfSubjects, dialect: Dialect) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where('seq', '>=', values.from)
    .where('seq', '<=', values.to)
    .where(dialect.isOneOf('subject_id', values.ids))
    .orderBy('seq'),
)

/** The changes of these subjects themselves, from one number to another. */
export async function listChangesOf(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Change[]> {
  if (ids.length === 0) return []
  return (await selectOfSubjects(db, { accountId, spaceId, ids, from, to }, dialect)).map(toChange)
}

const selectFrom = prepared((db, values: Scope & { seq: number }) =>
  db
    .selectFrom('changes')
    .select(['seq', 'at'])
    .where('account_id', '=', values.accountId)
    .where('space_id', '=', values.spaceId)
    .where('seq', '>=', values.seq)
    .orderBy('seq')
    .limit(1),
)

/**
 * The last change before a moment (milliseconds), or 0. Found by halving: time rises with the number, so that an index
 * by time would say again what the number says, at every write.
 */
export async function findLastChangeBefore(db: Db, scope: Scope, at: number): Promise<number> {
  let before = 0
  let { seq: last } = await getCounters(db, scope)
  while (before < last) {
    const middle = Math.ceil((before + last) / 2)
    const [change] = await selectFrom(db, { ...scope, seq: middle })
    if (change !== undefined && change.at < at) before = change.seq
    else last = middle - 1
  }
  return before
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
