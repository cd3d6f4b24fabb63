import { stateOf } from '@loci/contract/observations'
import { dayOfIso } from '../../ground/lib/time.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { fittingRules, listStandingRules } from '../../search/find/find-standing-rules.ts'
import type { WithMemory } from '../../search/store/search-index.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { ruleInLines } from './fact-lines.ts'
import { findOtherWriters } from './other-writers.ts'
import { type Budget, takeWithinBudget } from './recall-budget.ts'
import type { RecalledRule } from './recalled.ts'

/** The newest are read. */
const readMax = 100
export const rulesToldMax = 3
const tokensMax = 200
/** Questions that ask for the rules themselves. */
const asksForRules =
  /\b(?:standing (?:rules?|instructions?)|(?:rules?|instructions?) (?:of mine|to follow)|my preferences)\b/i

/** `isSure` is false if none of them fits for certain: then they are told last. */
type TakenRules = { rules: RecalledRule[]; isSure: boolean }

/**
 * The standing rules that may fit a question, best first; all of them, newest first, for one that asks for them. Only what
 * this user stored, by hand or through an agent: what others wrote are notes, never rules.
 */
export async function takeRules(
  ctx: Context,
  actor: Actor & WithMemory,
  budget: Budget,
  { query, types }: { query: string; types?: string[] | undefined },
): Promise<TakenRules> {
  const now = ctx.now()
  const stored = (await listStandingRules(ctx, actor, readMax)).filter(
    (row) => stateOf(row, now) === 'current',
  )
  const isAsked = asksForRules.test(query)
  const { rules: fitting, isSure } = isAsked
    ? { rules: stored, isSure: true }
    : fittingRules(stored, query, { wordVectors: ctx.config.hasWordVectors })
  const others = await findOtherWriters(
    ctx,
    actor,
    fitting.map(({ id }) => id),
  )
  const own = fitting.filter(({ id }) => !others.has(id))
  const entities = await findEntitiesById(ctx.db, actor, [...new Set(own.map(({ entityId }) => entityId))])
  const entityOf = new Map(entities.map((entity) => [entity.id, entity]))
  const rules = own.flatMap(({ id, entityId, content, createdAt }): RecalledRule[] => {
    const entity = entityOf.get(entityId)
    if (entity === undefined || types?.includes(entity.type) === false) return []
    return [
      { id, entity: { name: entity.name, entityType: entity.type }, content, createdAt: dayOfIso(createdAt) },
    ]
  })
  const room = Math.min(tokensMax / budget.left, 1)
  return {
    rules: takeWithinBudget(budget, isAsked ? rules : rules.slice(0, rulesToldMax), room, ruleInLines),
    isSure,
  }
}
