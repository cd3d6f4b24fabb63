import type {
  AcceptedResponse,
  AcceptProposal,
  DecidedResponse,
  DecideProposals,
  ListProposalsQuery,
  Proposal,
  ProposalsResponse,
  RejectProposal,
} from '@loci/contract/proposals'
import { AppError } from '../../ground/errors/app-error.ts'
import { toAppError } from '../../ground/errors/to-app-error.ts'
import { decodeCursor, encodeCursor } from '../../ground/lib/cursors.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { acceptStored, rejectStored } from '../../memory/write/proposals/decide-proposal.ts'
import { proposerOf } from '../../memory/write/proposals/own-proposals.ts'
import {
  countProposals,
  findProposals,
  findReviewing,
  listProposalSizes,
  type ProposalFilter,
  type Proposer,
} from '../../memory/write/proposals/proposals.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { isPerson, notPermitted } from '../../tenancy/auth/permissions.ts'
import { mayReview } from '../../tenancy/auth/reviewing.ts'
import type { Context } from '../../tenancy/context.ts'
import { toProposals } from './to-proposals.ts'

/** Stored bytes of the proposals of a page, except for its first one. */
const pageBytesMax = 4 * 1024 * 1024

/** A page of proposals of a space, newest first: all for its reviewers, for others their own. */
export async function listProposals(
  ctx: Context,
  actor: Actor,
  { status, by, entityId, conversation, limit, cursor }: ListProposalsQuery,
): Promise<ProposalsResponse> {
  const mayDecide = await isReviewer(ctx, actor)
  const of = mayDecide ? undefined : visibleTo(actor)
  const open = await countProposals(ctx.db, actor, { status: 'open', of })
  const entity = entityId === undefined ? undefined : toNumber('ent', entityId)
  const before = decodeCursor('proposals', cursor)?.id ?? Number.MAX_SAFE_INTEGER
  if (entityId !== undefined && entity === undefined)
    return { proposals: [], open, mayDecide, nextCursor: null }
  // No conversation has the number 0.
  const conversationId = conversation === undefined ? undefined : (toNumber('cnv', conversation) ?? 0)
  const filter: ProposalFilter = { status, of, by, entityId: entity, conversationId }
  const { ids, nextCursor } = await listIds(ctx, actor, filter, { before, limit })
  const proposals = await showStored(ctx, actor, ids)
  return { proposals, open, mayDecide, nextCursor }
}

async function listIds(
  { db }: Context,
  actor: Actor,
  filter: ProposalFilter,
  { before, limit }: { before: number; limit: number },
): Promise<{ ids: number[]; nextCursor: string | null }> {
  const found = await listProposalSizes(db, actor, filter, { before, limit: limit + 1 })
  let bytes = 0
  const ids = found
    .slice(0, limit)
    .filter((row, i) => {
      bytes += row.bytes
      return i === 0 || bytes <= pageBytesMax
    })
    .map(({ id }) => id)
  const isWhole = ids.length === found.length
  return { ids, nextCursor: isWhole ? null : encodeCursor('proposals', { at: 0, id: ids.at(-1)! }) }
}

/** In the order of `ids`. */
async function showStored(ctx: Context, actor: Actor, ids: readonly number[]): Promise<Proposal[]> {
  const found = await findProposals(ctx.db, actor, ids)
  const shown = await toProposals(ctx, actor, found)
  const byId = new Map(shown.map((proposal) => [proposal.id, proposal]))
  return ids.flatMap((id) => byId.get(toId('prp', id)) ?? [])
}

/** A person sees what all of their keys and apps proposed; a key or app only its own. */
export const visibleTo = (actor: Actor): Proposer =>
  isPerson(actor.kind) ? { userId: actor.userId } : proposerOf(actor)

export async function isReviewer({ db }: Context, actor: Actor): Promise<boolean> {
  return mayReview(actor, await findReviewing(db, actor))
}

/** Throws `not_permitted`. */
export async function requireReviewer(ctx: Context, actor: Actor): Promise<void> {
  if (!(await isReviewer(ctx, actor))) throw notPermitted('memory:review')
}

/**
 * Applies a proposal. Throws `not_permitted`, `proposal_not_found`, `proposal_decided`, `proposal_conflict`,
 * `validation_failed`, `plan_limit_reached`.
 */
export async function acceptProposal(
  ctx: Context,
  actor: Actor,
  id: string,
  { changes = [] }: AcceptProposal,
): Promise<AcceptedResponse> {
  await requireReviewer(ctx, actor)
  const number = requireNumber(id)
  const setSeq = await acceptStored(ctx, actor, number, { edits: changes })
  return { proposal: await getProposal(ctx, actor, number), setId: toId('set', setSeq) }
}

/** Throws `not_permitted`, `proposal_not_found`, `proposal_decided`. */
export async function rejectProposal(
  ctx: Context,
  actor: Actor,
  id: string,
  { reason }: RejectProposal,
): Promise<Proposal> {
  await requireReviewer(ctx, actor)
  const number = requireNumber(id)
  await rejectStored(ctx, actor, number, reason ?? null)
  return getProposal(ctx, actor, number)
}

/** Decides on several proposals, each by itself, oldest first, since later ones can build on earlier ones. */
export async function decideProposals(
  ctx: Context,
  actor: Actor,
  { accept, reject, reason }: DecideProposals,
): Promise<DecidedResponse> {
  await requireReviewer(ctx, actor)
  const decided: DecidedResponse = { accepted: [], rejected: [], failed: [] }
  const decide = async (id: string, work: (number: number) => Promise<void>) => {
    try {
      await work(requireNumber(id))
    } catch (error) {
      const { code, status, message, details } = toAppError(ctx, error, id)
      if (status >= 500) throw error
      decided.failed.push({ id, code, message, ...(details === undefined ? {} : { details: [...details] }) })
    }
  }
  for (const id of accept.toSorted(byNumber))
    await decide(id, async (number) => {
      const setSeq = await acceptStored(ctx, actor, number)
      decided.accepted.push({ id, setId: toId('set', setSeq) })
    })
  for (const id of reject.toSorted(byNumber))
    await decide(id, async (number) => {
      await rejectStored(ctx, actor, number, reason ?? null)
      decided.rejected.push(id)
    })
  return decided
}

const byNumber = (a: string, b: string) => (toNumber('prp', a) ?? 0) - (toNumber('prp', b) ?? 0)

export function requireNumber(id: string): number {
  const number = toNumber('prp', id)
  if (number === undefined) throw new AppError('proposal_not_found', 'Proposal not found')
  return number
}

async function getProposal(ctx: Context, actor: Actor, id: number): Promise<Proposal> {
  const [proposal] = await showStored(ctx, actor, [id])
  if (proposal === undefined) throw new AppError('proposal_not_found', 'Proposal not found')
  return proposal
}
