import { AppError } from '../../ground/errors/app-error.ts'
import type { Actor, Caller } from './actor.ts'
import { hasRight, isPerson } from './permissions.ts'
import { readPolicy, readReviewers } from './write-policy.ts'

/** What is reviewed in a space, as `spaces` has it. */
export type ReviewedSpace = { writes: string | null; reviewers: string | null }

/** Whether a caller decides on proposals of a space: a signed-in person with the right, or whom the space names. */
export function mayReview(caller: Caller, { reviewers }: Pick<ReviewedSpace, 'reviewers'>): boolean {
  if (!isPerson(caller.kind) || caller.lacksSecondFactor) return false
  if (hasRight(caller, 'memory:review')) return true
  return readReviewers(reviewers).includes(caller.userId) && hasRight(caller, 'memory:write')
}

/**
 * Whether what a caller writes waits for a review. In a reviewed space only reviewers write at once, and only by
 * themselves: what an agent writes in their name over MCP waits too.
 */
export function mustPropose(actor: Actor, space: ReviewedSpace): boolean {
  if (actor.writes === 'propose') return true
  if (readPolicy(space.writes) === 'direct') return false
  return actor.tool !== undefined || !mayReview(actor, space)
}

export const notProposable = (
  message = 'What these credentials change waits for a review, and this cannot be proposed. Ask a reviewer to do it.',
) => new AppError('not_proposable', message)

export const importNotProposable = () =>
  notProposable(
    'What these credentials change waits for a review, and an import cannot be proposed. Ask a reviewer to import it, or propose its entities and relations in batches: POST /api/entities/batch, or create_entities.',
  )
