import { AppError } from '../../../ground/errors/app-error.ts'
import { toId } from '../../../ground/lib/ids.ts'
import { tryOut } from '../../../store/savepoint.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import { mustPropose, notProposable } from '../../../tenancy/auth/reviewing.ts'
import type { Context } from '../../../tenancy/context.ts'
import { planInForce } from '../../../tenancy/usage/plan-in-force.ts'
import type { RecordedChange } from '../../log/append-changes.repo.ts'
import { addToAccount, type LockedSpace } from '../counters.writes.repo.ts'
import type { GraphWrite } from '../write-graph.ts'
import { acceptByRule, findRule } from './accept-by-rule.ts'
import { type Captured, captureSteps } from './capture-steps.ts'
import { applyOwn, proposerOf } from './own-proposals.ts'
import { queueNews } from './proposal-news.writes.repo.ts'
import { countProposals } from './proposals.repo.ts'
import { insertProposal, insertSubjects } from './proposals.writes.repo.ts'
import { conversationOf, countProposed } from './proposed-steps.ts'

/** Open ones of one key, connection or person in a space. */
const openMax = 10_000
const stepsMax = 20_000

/** A write that the account's lock has begun. */
export type Begun = {
  write: GraphWrite
  locked: LockedSpace
  changes: readonly RecordedChange[]
  check: () => void
}

/**
 * If what the caller writes waits for a review: runs the write, takes it back, and stores what it would have changed as
 * a proposal. The numbers that it gave out stay reserved, so the ids in its answer are right once the proposal is
 * accepted. `accept` accepts it by a rule, if there is one, once this write is over. Throws `not_proposable`, `proposal_limit_reached`, and whatever the write throws.
 */
export async function proposeIfReviewed<T>(
  begun: Begun,
  actor: Actor,
  work: (write: GraphWrite) => Promise<T>,
): Promise<{ result: T; accept?: ((ctx: Context) => Promise<void>) | undefined } | undefined> {
  if (!mustPropose(actor, begun.locked)) return undefined
  const { operation } = actor
  if (operation?.input === undefined) throw notProposable()
  const { write, changes } = begun
  const { input } = operation
  // There is no set yet, and the next number will be somebody else's.
  write.setSeq = 0
  const { result, captured, restsOn } = await tryOut(write.db, async () => {
    const restsOn = await applyOwn(write, actor, input)
    const earlier = [...changes]
    const mark = write.lastSeq()
    const result = await work(write)
    begun.check()
    const captured = await captureSteps(write, { earlier, changes: changes.slice(earlier.length), mark })
    return { result, captured, restsOn }
  })
  if (countProposed(captured.steps) === 0) return { result }
  const id = await storeProposal(begun, actor, { ...captured, restsOn })
  // What it builds on has to be accepted first, by a person.
  if (restsOn.length > 0) return { result }
  const { steps } = captured
  const { reviewers } = begun.locked
  const rule = await findRule(write.db, write.scope, proposerOf(actor), { steps, reviewers })
  return { result, accept: rule && ((ctx) => acceptByRule(ctx, actor, id, rule)) }
}

async function storeProposal(
  { write, locked }: Begun,
  actor: Actor,
  { steps, subjects, restsOn }: Captured & { restsOn: readonly number[] },
): Promise<number> {
  const { ctx, db, scope } = write
  const stepsCount = countProposed(steps)
  if (stepsCount > stepsMax) throw notProposable(`At most ${stepsMax} changes can be proposed in one call.`)
  const proposer = proposerOf(actor)
  if ((await countProposals(db, scope, { status: 'open', of: proposer }, openMax)) >= openMax)
    throw new AppError(
      'proposal_limit_reached',
      `${openMax} of your proposals wait for a review already. Ask for one before you propose more.`,
    )
  const id = write.takeIds(1)
  const actorId = await write.internCaller()
  const nextActorId = Math.max(locked.nextActorId, actorId + 1)
  await addToAccount(db, scope, { nextId: id + 1, nextActorId, entities: 0, bytes: 0 })
  await insertProposal(db, {
    account_id: scope.accountId,
    space_id: scope.spaceId,
    id,
    at: write.at,
    actor_id: actorId,
    ...proposer,
    user_id: actor.userId,
    tool: actor.tool ?? null,
    base_seq: locked.seq,
    steps: JSON.stringify(steps),
    steps_count: stepsCount,
    rests_on: restsOn.length === 0 ? null : JSON.stringify(restsOn),
    conversation_id: conversationOf(steps),
  })
  await insertSubjects(db, scope, id, subjects)
  await queueNews(ctx, scope, { event: 'proposal.created', proposalId: id, at: write.at })
  const { operation } = actor
  if (operation !== undefined) {
    await operation.countIn(ctx, planInForce(ctx.config, locked.plan))
    operation.proposalId = toId('prp', id)
    operation.proposedFacts = steps.observations.flatMap(({ id: fact, add, set }) =>
      add === undefined && set === undefined ? [] : toId('obs', fact),
    )
  }
  return id
}
