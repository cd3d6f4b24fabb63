import { type AcceptRule, acceptRulesMax, type CreateAcceptRule } from '@loci/contract/proposals'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId } from '../../ground/lib/ids.ts'
import { toIso } from '../../ground/lib/time.ts'
import { findCallerName } from '../../memory/log/actors.repo.ts'
import { findActorsByNumber } from '../../memory/log/log.repo.ts'
import * as rules from '../../memory/write/proposals/accept-rules.repo.ts'
import { findProposals } from '../../memory/write/proposals/proposals.repo.ts'
import type { AcceptRulesTable } from '../../store/schema.ts'
import { transact } from '../../store/transact.ts'
import { lockAccount } from '../../tenancy/auth/accounts.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { isReviewer, requireNumber, requireReviewer } from './proposals.service.ts'

/** Newest first; none for callers who do not decide. */
export async function listAcceptRules(ctx: Context, actor: Actor): Promise<AcceptRule[]> {
  if (!(await isReviewer(ctx, actor))) return []
  return toRules(ctx, actor, await rules.listRules(ctx.db, actor, acceptRulesMax))
}

async function toRules(
  { db }: Context,
  { accountId }: Actor,
  rows: readonly AcceptRulesTable[],
): Promise<AcceptRule[]> {
  const actors = await findActorsByNumber(db, accountId, [...new Set(rows.map((row) => row.actor_id))])
  const names = new Map<string, string>()
  for (const { created_by: userId } of rows)
    if (!names.has(userId)) names.set(userId, await findCallerName(db, accountId, { userId }))
  return rows.map((row) => ({
    id: row.id,
    by: actors.get(row.actor_id) ?? { kind: 'system', id: row.ref, name: '' },
    type: row.type,
    createdBy: { id: row.created_by, name: names.get(row.created_by) ?? '' },
    createdAt: toIso(row.created_at),
  }))
}

/** Throws `not_permitted`, `proposal_not_found`, `accept_rule_limit_reached`. */
export async function createAcceptRule(
  ctx: Context,
  actor: Actor,
  { proposalId, type }: CreateAcceptRule,
): Promise<AcceptRule> {
  await requireReviewer(ctx, actor)
  const [proposal] = await findProposals(ctx.db, actor, [requireNumber(proposalId)])
  if (proposal === undefined) throw new AppError('proposal_not_found', 'Proposal not found')
  const { accountId, spaceId } = actor
  const { kind, ref, actorId } = proposal
  const rule = {
    ...{ account_id: accountId, space_id: spaceId, id: ctx.newId('arl'), kind, ref, type },
    ...{ actor_id: actorId, created_by: actor.userId, created_at: ctx.now() },
  }
  return transact(ctx, accountId, async (inner) => {
    await lockAccount(inner.db, accountId)
    const all = await rules.listRules(inner.db, actor, acceptRulesMax)
    if (all.length >= acceptRulesMax)
      throw new AppError('accept_rule_limit_reached', `A space can have at most ${acceptRulesMax} rules.`)
    await rules.putRule(inner.db, rule)
    await audit(inner, actor, 'accept_rule_created', { type, actorId })
    return (await toRules(inner, actor, [rule]))[0]!
  })
}

/** Throws `not_permitted`, `accept_rule_not_found`. */
export async function deleteAcceptRule(ctx: Context, actor: Actor, id: string): Promise<void> {
  await requireReviewer(ctx, actor)
  await transact(ctx, actor.accountId, async (inner) => {
    await lockAccount(inner.db, actor.accountId)
    const deleted = await rules.deleteRule(inner.db, actor, id)
    if (deleted === undefined) throw new AppError('accept_rule_not_found', 'Rule not found')
    await audit(inner, actor, 'accept_rule_ended', deleted)
  })
}

async function audit(
  inner: Context,
  actor: Actor,
  action: 'accept_rule_created' | 'accept_rule_ended',
  { type, actorId }: { type: string; actorId: number },
): Promise<void> {
  const by = (await findActorsByNumber(inner.db, actor.accountId, [actorId])).get(actorId)
  const name = await rules.findSpaceName(inner.db, actor)
  const subject = { kind: 'space', id: toId('spc', actor.spaceId), name } as const
  await recordAudit(inner, actor, { action, subject, details: { type, from: by?.client ?? by?.name ?? '' } })
}
