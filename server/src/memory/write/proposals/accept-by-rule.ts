import { type Role, reachOfRole } from '@loci/contract/rights'
import { AppError } from '../../../ground/errors/app-error.ts'
import { toId } from '../../../ground/lib/ids.ts'
import { findEntitiesById } from '../../../rows/entities.repo.ts'
import type { Db } from '../../../store/db.ts'
import { attempt } from '../../../store/savepoint.ts'
import { type Actor, actorOn } from '../../../tenancy/auth/actor.ts'
import { readReviewers } from '../../../tenancy/auth/write-policy.ts'
import type { Context } from '../../../tenancy/context.ts'
import type { Scope } from '../../../tenancy/scope.ts'
import { findRulesFor } from './accept-rules.repo.ts'
import { acceptStored } from './decide-proposal.ts'
import type { ProposedSteps } from './proposed-steps.ts'

/** How history and lists name what a rule did in a person's name. */
export const ruleClient = 'loci rules'

/** A person in whose name a proposal is accepted, and why. */
export type Rule = { userId: string; role: Role; types: string[] }

/** The rule by which what a caller proposes is accepted at once; undefined if a person has to decide. */
export async function findRule(
  db: Db,
  scope: Scope,
  proposer: { kind: string; ref: string },
  { steps, reviewers }: { steps: ProposedSteps; reviewers: string | null },
): Promise<Rule | undefined> {
  const rules = await findRulesFor(db, scope, proposer)
  if (rules.length === 0) return undefined
  const types = await typesAddedTo(db, scope, steps)
  if (types === undefined) return undefined
  const named = readReviewers(reviewers)
  const found = [...types].map((type) =>
    rules.find((rule) => rule.type === type && mayStillReview(rule.role, named.includes(rule.createdBy))),
  )
  const [first] = found
  if (first === undefined || found.includes(undefined)) return undefined
  return { userId: first.createdBy, role: first.role as Role, types: [...types] }
}

function mayStillReview(role: string | null, isNamed: boolean): boolean {
  if (role === null) return false
  return reachOfRole(role as Role, isNamed ? 'memory:write' : 'memory:review') !== undefined
}

/** The types of the entities to which something is added; undefined if anything is changed, replaced or deleted. */
async function typesAddedTo(db: Db, scope: Scope, steps: ProposedSteps): Promise<Set<string> | undefined> {
  const { entities, observations, relations } = steps
  const created = entities.flatMap(({ add }) => add ?? [])
  const facts = observations.flatMap(({ add }) => add ?? [])
  const links = relations.flatMap(({ add }) => add ?? [])
  const added = created.length + facts.length + links.length
  if (added !== entities.length + observations.length + relations.length) return undefined
  const types = new Map(created.map(({ id, type }) => [toId('ent', id), type]))
  const touched = [
    ...facts.map(({ entity_id }) => entity_id),
    ...links.flatMap(({ from_id, to_id }) => [from_id, to_id]),
  ].map((id) => toId('ent', id))
  const others = touched.filter((id) => !types.has(id))
  for (const { id, type } of await findEntitiesById(db, scope, others)) types.set(id, type)
  return new Set(types.values())
}

/** Accepts it in the same transaction. What cannot be applied keeps waiting for a person. */
export async function acceptByRule(
  ctx: Context,
  actor: Actor,
  id: number,
  { userId, role, types }: Rule,
): Promise<void> {
  const { accountId, spaceId, operation } = actor
  const reviewer = actorOn(
    { kind: 'session', accountId, userId, role, client: ruleClient },
    { accountId, spaceId },
  )
  const note = `Accepted by a rule for ${types.map((type) => JSON.stringify(type)).join(', ')}`
  try {
    const setSeq = await attempt(ctx.db, () => acceptStored(ctx, reviewer, id, { note }))
    if (operation === undefined) return
    delete operation.proposalId
    operation.setSeq = setSeq
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
  }
}
