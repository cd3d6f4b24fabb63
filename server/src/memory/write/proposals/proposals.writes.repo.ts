import type { Db } from '../../../store/db.ts'
import { dialectOf } from '../../../store/dialect-of.ts'
import type { ProposalsTable } from '../../../store/schema.ts'
import { isIn } from '../../../tenancy/scope.repo.ts'
import type { Scope } from '../../../tenancy/scope.ts'
import { statusNumbers } from './proposals.repo.ts'
import type { ProposedSteps } from './proposed-steps.ts'

export async function insertProposal(
  db: Db,
  row: Omit<ProposalsTable, 'status' | 'note' | 'decided_at' | 'decided_by' | 'set_seq' | 'news_id'>,
): Promise<void> {
  await db
    .insertInto('proposals')
    .values({ ...row, status: statusNumbers.open })
    .execute()
}

/** Tells where an open proposal is from. */
export async function updateOrigin(
  db: Db,
  scope: Scope,
  id: number,
  { steps, conversationId }: { steps: ProposedSteps; conversationId: number | null },
): Promise<void> {
  await db
    .updateTable('proposals')
    .set({ steps: JSON.stringify(steps), conversation_id: conversationId })
    .where(isIn(scope))
    .where('id', '=', id)
    .execute()
}

/** What a proposal concerns. `name`: of an entity that is new or renamed. */
export type Subject = { id: number; isNew: boolean; name: string | null }

export async function insertSubjects(
  db: Db,
  { accountId, spaceId }: Scope,
  proposalId: number,
  subjects: readonly Subject[],
): Promise<void> {
  const rows = subjects.map(({ id, isNew, name }) => ({
    account_id: accountId,
    space_id: spaceId,
    subject_id: id,
    status: statusNumbers.open,
    proposal_id: proposalId,
    is_new: isNew ? 1 : 0,
    name,
  }))
  await dialectOf(db).insertRows(db, 'proposal_subjects', rows)
}

export type Decision = {
  status: 'accepted' | 'rejected'
  at: number
  /** Number of the actor; null if nobody decided. */
  by: number | null
  note: string | null
  setSeq: number | null
  /** The next free number of the account. */
  newsId: number
}

/** Ends an open proposal; false if it is not open any more. */
export async function setDecision(
  db: Db,
  scope: Scope,
  id: number,
  { status, at, by, note, setSeq, newsId }: Decision,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('proposals')
    .set({
      status: statusNumbers[status],
      decided_at: at,
      decided_by: by,
      note,
      set_seq: setSeq,
      news_id: newsId,
    })
    .where(isIn(scope))
    .where('id', '=', id)
    .where('status', '=', statusNumbers.open)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('proposal_subjects')
    .set({ status: statusNumbers[status] })
    .where(isIn(scope))
    .where('proposal_id', '=', id)
    .execute()
  return true
}

/** Forgets proposals with all that they say. */
export async function deleteProposals(db: Db, scope: Scope, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('proposal_subjects')
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('proposal_id', ids))
    .execute()
  await db.deleteFrom('proposals').where(isIn(scope)).where(dialectOf(db).isOneOfNumbers('id', ids)).execute()
}
