import type { ObservationHit, SearchObservationsResponse } from '@loci/contract/search'
import { numberOf } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { findRelationsAsOf } from '../../memory/history/as-of.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import { analyse } from '../../search/analyse/analyser.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { searchObservations } from '../search/search.service.ts'
import { relationInLine } from './in-line.ts'
import { type Past, type PastEntity, readPast, sentenceOfPast } from './past-graph.ts'
import { type Budget, takeWithinBudget } from './recall-budget.ts'
import { takeFacts } from './recall-facts.ts'
import type { Recalled, RecallQuery } from './recalled.ts'
import { asksForSource, findReceipts } from './receipts.ts'

const entitiesMax = 25
/** Entities with more observations would take long; what is found of them today is told. */
const observationsMax = 3_000
const comparedCharacters = 1_000
const relationsPart = 0.2

/**
 * What was known then about a question. Only the present is indexed, so the entities and words are those found today,
 * replaced and expired facts included, and of these entities everything is compared that was stored then.
 */
export async function recallPast(
  ctx: Context,
  actor: Actor,
  query: Omit<RecallQuery, 'isPreview' | 'limit'> & { limit: number },
  { past, budget }: { past: Past; budget: Budget },
): Promise<{ recalled: Recalled; notice: string; found: SearchObservationsResponse }> {
  const states = ['current', 'stale', 'replaced', 'expired'] as const
  const found = await searchObservations(ctx, actor, { ...query, states: [...states], explain: false })
  const ids = [...found.observations.map(({ entity }) => entity.id), ...found.entities.map(({ id }) => id)]
  const numbers = [...new Set(ids)].slice(0, entitiesMax).map((id) => numberOf('ent', id))
  const entities = await readPast(ctx, actor, numbers, past)
  const hits = await rank(query, found.observations, entities)
  const receipts = await findReceipts(
    ctx,
    actor,
    hits.map(({ id }) => id),
    asksForSource(query.with),
  )
  const { facts, left } = takeFacts(budget, hits.slice(0, query.limit), {
    perEntityMax: query.limit,
    isFirstForced: true,
    ...receipts,
  })
  const related = await findRelationsAsOf(
    ctx.db,
    actor,
    found.relations.map(({ id }) => numberOf('rel', id)),
    past.seq,
  )
  const named = [...related.values()].map(({ fromEntity, type, toEntity }) => ({
    from: fromEntity.name,
    relationType: type,
    to: toEntity.name,
  }))
  const relations = takeWithinBudget(budget, named, relationsPart, relationInLine)
  const recalled = {
    ...(facts.length === 0 ? {} : { observations: facts }),
    ...(relations.length === 0 ? {} : { relations }),
    ...(left === 0 && hits.length <= query.limit ? {} : { total: hits.length }),
  }
  const empty = facts.length + relations.length === 0 ? ' Nothing was remembered about this.' : ''
  const notice = `${sentenceOfPast(past)}${empty} Entities that were deleted since are not searched; read_graph with asOf has them.`
  return { recalled, notice, found: { ...found, observations: hits } }
}

/** The facts of then, best first: by their score today where they still say the same, else by the words they share. */
async function rank(
  { query, types = [], after, before, storedAfter, storedBefore }: RecallQuery,
  found: readonly ObservationHit[],
  entities: readonly PastEntity[],
): Promise<ObservationHit[]> {
  const today = new Map(found.map((hit) => [hit.id, hit]))
  const isBounded = [after, before, storedAfter, storedBefore].some((bound) => bound !== undefined)
  const asked = termsOf(query)
  const best = Math.max(...found.map(({ score }) => score), 0.001)
  const pace = createPace()
  const hits: ObservationHit[] = []
  for (const { id, name, type, facts } of entities) {
    if (types.length > 0 && !types.includes(type)) continue
    const inName = termsOf(name)
    const isTooLarge = facts.length > observationsMax
    for (const fact of facts) {
      await pace()
      const hit = today.get(fact.id)
      const isSame = hit?.content === fact.content
      if ((isBounded || isTooLarge) && hit === undefined) continue
      const score = isSame ? hit.score / best : likenessOf(asked, inName, fact)
      if (score > 0)
        hits.push({
          ...toHit(fact),
          highlights: isSame ? hit.highlights : [],
          score,
          entity: { id, name, type },
        })
    }
  }
  return hits.sort((a, b) => b.score - a.score)
}

const toHit = ({ entityId: _, replacedBy: __, ...fact }: StoredObservation) => ({
  ...fact,
  before: [],
  after: [],
})

const termsOf = (text: string) =>
  new Set(analyse(text.slice(0, comparedCharacters)).tokens.map(({ term }) => term))

/** Which part of the question's words, other than those of the entity's name, a fact has. */
function likenessOf(
  asked: ReadonlySet<string>,
  inName: ReadonlySet<string>,
  { content }: StoredObservation,
): number {
  const wanted = [...asked].filter((term) => !inName.has(term))
  if (wanted.length === 0) return 1
  const terms = termsOf(content)
  return wanted.filter((term) => terms.has(term)).length / wanted.length
}
