import type { Stop } from '../../features/memory/recall-plan.tsx'
import type { AnswerNow } from '../../features/recalls/recalls.queries.ts'

/** The entities of an answer in order, each labelled with the rank of its first row. */
export function stopsOf({ rows, entities }: Pick<AnswerNow, 'rows' | 'entities'>): Stop[] {
  const stops = new Map<string, Stop>()
  for (const { entity, rank } of rows) {
    if (entity !== undefined && !stops.has(entity.id))
      stops.set(entity.id, { id: entity.id, type: entity.type, label: String(rank) })
  }
  if (stops.size > 0) return [...stops.values()]
  return entities.map(({ id, type }, index) => ({ id, type, label: String(index + 1) }))
}
