import type { EntityHit } from '@loci/contract/search'
import { entityWithMetadata } from './in-line.ts'
import { type Budget, costOf, takeWithinBudget } from './recall-budget.ts'

export type RecalledEntity = { name: string; entityType: string; metadata?: Record<string, unknown> }

/** Longer metadata, as JSON, is left to explore_entity. */
const metadataMax = 400

export function toEntity(hit: EntityHit): RecalledEntity {
  const length = JSON.stringify(hit.metadata).length
  const isTold = length > 2 && length <= metadataMax
  return { ...toName(hit), ...(isTold ? { metadata: hit.metadata } : {}) }
}

const toName = ({ name, type }: EntityHit): RecalledEntity => ({ name, entityType: type })

/**
 * Takes the first `limit` names, which can use the whole budget. Further names, and then metadata, are added while the
 * list costs at most `part` of the budget.
 */
export function takeListed(
  budget: Budget,
  hits: readonly EntityHit[],
  limit: number,
  part: number,
): RecalledEntity[] {
  const allowed = budget.left * part
  const whole = budget.left
  const entities = takeWithinBudget(budget, hits.slice(0, limit).map(toName), 1, entityWithMetadata)
  const more: Budget = { left: Math.max(0, allowed - (whole - budget.left)) }
  const room = more.left
  entities.push(...takeWithinBudget(more, hits.slice(entities.length).map(toName), 1, entityWithMetadata))
  addMetadata(more, entities, hits)
  budget.left -= room - more.left
  return entities
}

/** Adds metadata to the first entities as long as it fits. */
function addMetadata(budget: Budget, entities: RecalledEntity[], hits: readonly EntityHit[]): void {
  for (const [i, entity] of entities.entries()) {
    const full = toEntity(hits[i]!)
    const cost = costOf(entityWithMetadata(full)) - costOf(entityWithMetadata(entity))
    if (cost > budget.left) return
    budget.left -= cost
    entities[i] = full
  }
}
