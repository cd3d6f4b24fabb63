import { listFormerSpaces } from '../../memory/history/former-spaces.repo.ts'
import { pagesOfSeqs } from '../../memory/log/concerning.repo.ts'
import { findFitting, findSeqAt, type SeqRange } from '../../memory/log/log.repo.ts'
import { operationNumbers } from '../../rows/operations.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A part of an entity's history: everything in its current space, or in a former one up to the move. */
export type Chapter = { scope: Scope; before: number }

const everything: SeqRange = { after: 0, before: Number.MAX_SAFE_INTEGER }
const seqsPerPage = 500

/**
 * The parts of an entity's history: the caller's space, then the spaces that it came from, up to its last arrival here.
 * Changes made after it left a space are not visible to that space.
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

/** When the entity was last created in a space or moved to it. */
async function findArrival(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  entityId: number,
): Promise<number | undefined> {
  const own = pagesOfSeqs(db, scope, entityId, everything, { of: 'itself', order: 'desc', size: seqsPerPage })
  for await (const seqs of own) {
    const created = await findFitting(db, scope, seqs, { operations: [operationNumbers.entity_created] })
    const last = created.findLast(({ subjectId }) => subjectId === entityId)
    if (last !== undefined) return last.at
  }
  return undefined
}
