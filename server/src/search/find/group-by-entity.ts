import { numberOf } from '../../rows/numbers-of.ts'
import type { RankedObservation } from '../rank/ranking.ts'
import type { Findings, Inquiry } from './findings.ts'
import { answersBy } from './subject-hits.ts'

/** Best observations shown of an entity. */
export const matchesPerEntity = 5
/** A name that matches the whole question outweighs any observation. */
const nameWeight = 2
/** Weight of an end of a relation of the requested type. */
const relationWeight = 1

/** An entity with its best observations. */
export type Group = {
  entityId: number
  score: number
  parts: Record<string, number>
  hits: RankedObservation[]
}

/** Groups the findings by entity, best first: by observations, fields (name, type, metadata), relations, or list. */
export function groupByEntity(findings: Findings, inquiry: Inquiry): Group[] {
  const groups = new Map<number, Group>()
  for (const hit of findings.ranked) {
    const { entityId } = hit.passage
    const group = groups.get(entityId)
    if (group === undefined)
      groups.set(entityId, { entityId, score: hit.score, parts: hit.parts, hits: [hit] })
    else if (group.hits.length < matchesPerEntity) group.hits.push(hit)
  }
  const isDated = inquiry.after !== undefined || inquiry.before !== undefined
  const add = (id: number, type: string, part: Record<string, number>) => {
    if (inquiry.types?.length && !inquiry.types.includes(type)) return
    const group = groups.get(id)
    if (group === undefined && isDated) return
    const score = Object.values(part).reduce((sum, value) => sum + value, group?.score ?? 0)
    groups.set(id, { entityId: id, hits: group?.hits ?? [], score, parts: { ...group?.parts, ...part } })
  }
  for (const { id, type, score } of findings.names) {
    if (score > 0) add(id, type, { entityName: nameWeight * score })
  }
  for (const [id, { type, score }] of endsOf(findings)) add(id, type, { relation: relationWeight * score })
  for (const { id, type } of findings.listed?.entities ?? [])
    add(numberOf('ent', id), type, { listed: nameWeight })
  return [...groups.values()].sort((a, b) => b.score - a.score || b.entityId - a.entityId)
}

/** The ends of the relations that answer the question, each with its best relation. */
function endsOf(findings: Findings): Map<number, { type: string; score: number }> {
  const ends = new Map<number, { type: string; score: number }>()
  for (const ranked of findings.relations.filter(answersBy)) {
    const { fromEntityId, toEntityId, fromEntity, toEntity } = ranked.relation
    const [from, to] = [numberOf('ent', fromEntityId), numberOf('ent', toEntityId)]
    if (!ends.has(from)) ends.set(from, { type: fromEntity.type, score: ranked.score })
    if (!ends.has(to)) ends.set(to, { type: toEntity.type, score: ranked.score })
  }
  return ends
}
