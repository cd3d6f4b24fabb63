import type { EditedChange } from '@loci/contract/proposals'
import { AppError, invalidField } from '../../../ground/errors/app-error.ts'
import { toId } from '../../../ground/lib/ids.ts'
import type { Actor } from '../../../tenancy/auth/actor.ts'
import type { Context } from '../../../tenancy/context.ts'
import { applySteps } from '../apply-steps.ts'
import { conflictError } from '../find-conflicts.ts'
import { countSteps } from '../row-changes.ts'
import { type GraphWrite, writeGraph } from '../write-graph.ts'
import { checkEdited, editSteps } from './edit-steps.ts'
import { queueNews } from './proposal-news.writes.repo.ts'
import { findProposals, type StoredProposal } from './proposals.repo.ts'
import { setDecision } from './proposals.writes.repo.ts'
import { toSteps } from './to-steps.ts'

/**
 * Applies a proposal as a change set of `actor` on behalf of its proposer; returns the set's number. Throws
 * `proposal_not_found`, `proposal_decided`, `proposal_conflict`, `validation_failed` for wrong edits,
 * `plan_limit_reached`.
 */
export async function acceptStored(
  ctx: Context,
  actor: Actor,
  id: number,
  { edits = [], note = null }: { edits?: readonly EditedChange[]; note?: string | null } = {},
): Promise<number> {
  const found = await requireOpen(ctx, actor, id)
  return writeGraph(ctx, { ...actor, behalfId: found.actorId }, async (write) => {
    const proposal = await requireOpen(write.ctx, actor, id)
    await requireFoundation(write, proposal)
    const { steps, conflicts } = await toSteps(write, {
      ...proposal,
      steps: editSteps(proposal.steps, edits),
    })
    if (conflicts.length > 0)
      throw conflictError('proposal_conflict', 'What this proposal rests on has changed', conflicts)
    if (countSteps(steps) === 0) throw nothingLeft()
    await applySteps(write, steps, { ending: proposal.steps.isMerge ? 'entity_merged' : 'entity_deleted' })
    await checkEdited(write, edits)
    const by = await write.internCaller()
    const newsId = write.takeIds(1)
    const decision = { status: 'accepted', at: write.at, by, note, setSeq: write.setSeq, newsId } as const
    if (!(await setDecision(write.db, write.scope, id, decision))) throw decided(id)
    await queueNews(write.ctx, write.scope, { event: 'proposal.accepted', proposalId: id, at: write.at })
    return write.setSeq
  })
}

/** Throws `proposal_not_found`, `proposal_decided`. */
export async function rejectStored(
  ctx: Context,
  actor: Actor,
  id: number,
  note: string | null,
): Promise<void> {
  await requireOpen(ctx, actor, id)
  await writeGraph(ctx, actor, async (write) => {
    await requireOpen(write.ctx, actor, id)
    const by = await write.internCaller()
    const newsId = write.takeIds(1)
    const decision = { status: 'rejected', at: write.at, by, note, setSeq: null, newsId } as const
    if (!(await setDecision(write.db, write.scope, id, decision))) throw decided(id)
    await queueNews(write.ctx, write.scope, { event: 'proposal.rejected', proposalId: id, at: write.at })
  })
}

async function requireOpen({ db }: Context, actor: Actor, id: number): Promise<StoredProposal> {
  const [proposal] = await findProposals(db, actor, [id])
  if (proposal === undefined) throw new AppError('proposal_not_found', 'Proposal not found')
  if (proposal.status !== 'open') throw decided(id, proposal.status)
  return proposal
}

const decided = (id: number, status = 'decided') =>
  new AppError('proposal_decided', `This proposal was ${status} already`, {
    details: [{ proposalId: toId('prp', id), status }],
  })

/** Throws `proposal_conflict` unless the proposals on which it builds were accepted. */
async function requireFoundation({ db, scope }: GraphWrite, { restsOn }: StoredProposal): Promise<void> {
  const found = new Map((await findProposals(db, scope, restsOn)).map((one) => [one.id, one.status]))
  const missing = restsOn.filter((id) => found.get(id) !== 'accepted')
  if (missing.length === 0) return
  const isRejected = missing.some((id) => found.get(id) !== 'open')
  const message = isRejected
    ? 'It builds on a proposal that was rejected'
    : 'It builds on another proposal: accept that one first'
  throw new AppError('proposal_conflict', message, {
    details: missing.map((id) => ({ proposalId: toId('prp', id), status: found.get(id) ?? 'deleted' })),
  })
}

const nothingLeft = () => invalidField('changes', 'Nothing is left of this proposal: reject it instead')
