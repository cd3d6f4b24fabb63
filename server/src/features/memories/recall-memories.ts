import type { ObservationHit } from '@loci/contract/search'
import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { estimateTokens } from '../../lib/tokens.ts'
import { searchObservations } from '../search/search.service.ts'

export type RecallQuery = {
  query: string
  limit: number
  /** The answer is about this long. */
  maxTokens: number
  types?: string[] | undefined
  after?: string | undefined
  before?: string | undefined
  context: number
  expand: boolean
  /** Adds the parts of each score. */
  explain: boolean
}

type Fact = { content: string; createdAt: string }
export type Memory = Fact & {
  entity: { name: string; entityType: string }
  before: Fact[]
  after: Fact[]
  explain?: Record<string, number>
}

/** What an observation costs beside its own text: names of fields, the entity, the date. */
const tokensPerFact = 15
/** Of one long observation at most this part of the budget, so that others fit beside it. */
const longestPart = 0.5
const neighbourPart = 0.25
/** A cut text begins this part of its length before what matched. */
const leadPart = 0.2

/** The best observations for a question that fit the budget. No text is given twice, as a hit or as a neighbour. */
export async function recallMemories(
  ctx: Context,
  actor: Actor,
  { maxTokens, ...query }: RecallQuery,
): Promise<{ observations: Memory[]; total: number; more: boolean }> {
  const { observations: hits, total } = await searchObservations(ctx, actor, query)
  const told = new Set<string>()
  const waiting = new Set(hits.map((hit) => hit.id))
  let room = maxTokens
  let left = total
  const memories: Memory[] = []
  for (const hit of hits) {
    if (told.has(keyOf(hit.entity.id, hit.content))) {
      left -= 1
      continue
    }
    const content = excerpt(hit, maxTokens * longestPart)
    const cost = costOf(content) + estimateTokens(hit.entity.name)
    if (cost > room && memories.length > 0) break
    room -= cost
    told.add(keyOf(hit.entity.id, hit.content))
    memories.push({
      entity: { name: hit.entity.name, entityType: hit.entity.type },
      content,
      createdAt: hit.createdAt,
      before: takeNeighbours(hit.entity.id, hit.before.toReversed()).reverse(),
      after: takeNeighbours(hit.entity.id, hit.after),
      ...(hit.explain === undefined ? {} : { explain: hit.explain }),
    })
  }
  return { observations: memories, total, more: left > memories.length }

  /** Neighbours from the nearest outwards, as long as they are new and there is room. */
  function takeNeighbours(entityId: string, neighbours: ObservationHit['before']): Fact[] {
    const taken: Fact[] = []
    for (const { id, content, createdAt } of neighbours) {
      const key = keyOf(entityId, content)
      if (waiting.has(id) || told.has(key)) continue
      if (costOf(content) > room * neighbourPart) break
      told.add(key)
      room -= costOf(content)
      taken.push({ content, createdAt })
    }
    return taken
  }
}

const keyOf = (entityId: string, content: string) => `${entityId} ${content}`
const costOf = (content: string) => estimateTokens(content) + tokensPerFact

/** Of a text that is too long the part with the most matches in it. */
function excerpt({ content, highlights }: ObservationHit, tokens: number): string {
  const needed = estimateTokens(content)
  if (needed <= tokens) return content
  const length = Math.floor((content.length * tokens) / needed)
  let best = { start: 0, matches: 0 }
  for (const [start] of highlights) {
    const from = Math.max(0, start - Math.floor(length * leadPart))
    const matches = highlights.filter(([at, end]) => at >= from && end <= from + length).length
    if (matches > best.matches) best = { start: from, matches }
  }
  const end = best.start + length
  const part = content.slice(best.start, end).toWellFormed()
  return `${best.start > 0 ? '... ' : ''}${part}${end < content.length ? ' ...' : ''}`
}
