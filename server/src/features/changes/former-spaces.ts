import type { Actor } from '../../auth/actor.ts'
import { listSeqsConcerning } from '../../changes/concerning.repo.ts'
import { findFitting, findSeqAt, type SeqRange } from '../../changes/log.repo.ts'
import { operationNumbers } from '../../changes/operations.ts'
import type { Context } from '../../context.ts'
import { listFormerSpaces } from '../../graph/moved.repo.ts'
import type { Scope } from '../../scope.ts'

/** A part of the history of an entity: all of one space, or that of one before up to the move. */
export type Chapter = { scope: Scope; before: number }

const everything: SeqRange = { after: 0, before: Number.MAX_SAFE_INTEGER }

/**
 * Where the history of an entity is: the space of the caller, then those that it came from, up to the moment when it
 * arrived here the last time. What became of it after it left is not of this space.
 */
export async function listChapters(
  { db }: Pick<Context, 'db'>,
  { accountId, spaceId }: Actor,
  entityId: number,
): Promise<Chapter[]> {
  const here = { scope: { accountId, spaceId }, before: everything.before }
  const former = await listFormerSpaces(db, here.scope, entityId)
  if (former.length === 0) return [here]
  const arrivedAt = await findArrival({ db }, here.scope, entityId)
  if (arrivedAt === undefined) return [here]
  const chapters = [here]
  for (const number of former) {
    const scope = { accountId, spaceId: number }
    chapters.push({ scope, before: (await findSeqAt(db, scope, arrivedAt)) + 1 })
  }
  return chapters
}

/** When the entity was created in a space, or came to it, the last time. */
async function findArrival(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  entityId: number,
): Promise<number | undefined> {
  const seqs = await listSeqsConcerning(db, scope, entityId, everything)
  const created = await findFitting(db, scope, seqs, { operations: [operationNumbers.entity_created] })
  return created.findLast(({ subjectId }) => subjectId === entityId)?.at
}
