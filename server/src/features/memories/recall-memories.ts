import type { ObservationHit } from '@loci/contract/search'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { searchObservations } from '../search/search.service.ts'

export type RecallQuery = {
  query: string
  limit: number
  /** The answer is about this long; a token is taken for four characters. */
  maxTokens: number
  types?: string[] | undefined
  after?: string | undefined
  before?: string | undefined
  context: number
  expand: boolean
}

type Fact = { content: string; createdAt: string }
export type Memory = Fact & { entity: { name: string; entityType: string }; before: Fact[]; after: Fact[] }

const charactersPerToken = 4
/** What an observation costs beside its own text: names of fields, the entity, the date. */
const charactersPerFact = 60

/** The best observations for a question that fit the budget. None is given twice, as a hit or as a neighbour. */
export async function recallMemories(
  ctx: Context,
  actor: Actor,
  { maxTokens, ...query }: RecallQuery,
): Promise<{ observations: Memory[]; total: number; more: boolean }> {
  const { observations: hits, total } = await searchObservations(ctx, actor, { ...query, explain: false })
  const told = new Set(hits.map((hit) => hit.id))
  let room = maxTokens * charactersPerToken
  const memories: Memory[] = []
  for (const hit of hits) {
    const cost = costOf(hit) + hit.entity.name.length
    if (cost > room && memories.length > 0) break
    room -= cost
    memories.push({
      entity: { name: hit.entity.name, entityType: hit.entity.type },
      content: cut(hit.content, maxTokens * charactersPerToken),
      createdAt: hit.createdAt,
      before: takeNeighbours(hit.before.toReversed()).reverse(),
      after: takeNeighbours(hit.after),
    })
  }
  return { observations: memories, total, more: total > memories.length }

  /** Neighbours from the nearest outwards, as long as they are new and there is room. */
  function takeNeighbours(neighbours: ObservationHit['before']): Fact[] {
    const taken: Fact[] = []
    for (const { id, content, createdAt } of neighbours) {
      if (told.has(id)) continue
      if (costOf({ content }) > room / 4) break
      told.add(id)
      room -= costOf({ content })
      taken.push({ content, createdAt })
    }
    return taken
  }
}

const costOf = ({ content }: { content: string }) => content.length + charactersPerFact

/** The start of a text that is longer than the whole budget. */
function cut(content: string, characters: number): string {
  return content.length <= characters ? content : `${content.slice(0, characters).toWellFormed()} ...`
}
