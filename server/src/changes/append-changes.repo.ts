import type { Db } from '../db/db.ts'
import type { Dialect } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { ChangeSetsTable } from '../db/schema.ts'
import type { Scope } from '../scope.ts'
import { type Operation, operationNumbers } from './operations.ts'

/** Something that a write did, under its number. */
export type RecordedChange = { seq: number; operation: Operation; subjectId: number }

const insertSet = prepared((db, values: ChangeSetsTable) =>
  db.insertInto('change_sets').values({
    account_id: values.account_id,
    space_id: values.space_id,
    seq: values.seq,
    at: values.at,
    actor_id: values.actor_id,
  }),
)

/**
 * Appends changes to the set `setSeq`, which begins with them if it has the number of the first. The caller holds the
 * account's lock, and numbered them without a gap.
 */
export async function appendChanges(
  db: Db,
  dialect: Dialect,
  { accountId, spaceId }: Scope,
  changes: readonly RecordedChange[],
  { setSeq, at, actorId }: { setSeq: number; at: number; actorId: number },
): Promise<void> {
  const [first] = changes
  if (first === undefined) return
  const scope = { account_id: accountId, space_id: spaceId }
  if (setSeq === first.seq) await insertSet(db, { ...scope, seq: setSeq, at, actor_id: actorId })
  const rows = changes.map(({ seq, operation, subjectId }) => ({
    account_id: accountId,
    space_id: spaceId,
    seq,
    set_seq: setSeq,
    operation: operationNumbers[operation],
    subject_id: subjectId,
  }))
  await dialect.insertRows(db, 'changes', rows)
}
