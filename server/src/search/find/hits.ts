import { isTold, stateOf } from '@loci/contract/observations'
import type { EntityHit, NeighbourObservation, RelationHit } from '@loci/contract/search'
import type { z } from 'zod'
import { numberOf, toId } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { fromIso, toIso } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyse, analyseWords } from '../analyse/analyser.ts'
import type { Inquiry } from '../ask/question.ts'
import type { ReadObservation } from '../match/passage-reader.ts'
import { weights } from '../match/weights.ts'
import type { RankedObservation } from '../rank/ranking.ts'
import { listAround } from '../store/around.repo.ts'
import type { Around } from '../store/index-rows.ts'
import { readEntities, readObservations } from '../store/read-space.ts'
import type { WithMemory } from '../store/search-index.repo.ts'
import type { RankedRelation } from './find-relations.ts'
import type { Findings } from './findings.ts'

/** Best observations shown of an entity. */
export const matchesPerEntity = 5
/** A name that matches the whole question outweighs any observation. */
const nameWeight = 2
/** Weight of an end of a relation of the requested type. */
const relationWeight = 1

/** An entity with its best observations. */
type Group = {
  entityId: number
  score: number
  parts: Record<string, number>
  hits: RankedObservation[]
}

/** With bounds, only an entity with a fact within them is told. */
const hasBounds = ({ after, before, storedAfter, storedBefore }: Omit<Inquiry, 'types'>) =>
  [after, before, storedAfter, storedBefore].some((bound) => bound !== undefined)

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
  const isDated = hasBounds(inquiry)
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

const relationsMax = 50
const entitiesMax = 20
/** Minimum part of the question that an entity must cover to be a subject. */
const subjectMin = 0.3
/** Minimum part of the question that a relation must cover to answer by its type. */
const answerMin = 0.3

/** Whether a relation's type is named in the question, and it covers enough of the question. */
const answersBy = ({ isOfAskedType, score }: RankedRelation) => isOfAskedType && score >= answerMin

/** The relations found that pass the filter, best first, in their public form. */
export function toRelationHits({ relations }: Findings, inquiry: Inquiry): RelationHit[] {
  const { types = [], after, before, storedAfter, storedBefore } = inquiry
  const [first, end] = [
    Math.max(after ?? Number.NEGATIVE_INFINITY, storedAfter ?? Number.NEGATIVE_INFINITY),
    Math.min(before ?? Number.POSITIVE_INFINITY, storedBefore ?? Number.POSITIVE_INFINITY),
  ]
  const fits = ({ relation: { fromEntity, toEntity, createdAt } }: RankedRelation) =>
    (types.length === 0 || types.includes(fromEntity.type) || types.includes(toEntity.type)) &&
    fromIso(createdAt) >= first &&
    fromIso(createdAt) < end
  return relations
    .filter(fits)
    .slice(0, relationsMax)
    .map(({ relation, score }) => ({
      id: relation.id,
      from: { id: relation.fromEntityId, ...relation.fromEntity },
      relationType: relation.type,
      to: { id: relation.toEntityId, ...relation.toEntity },
      createdAt: relation.createdAt,
      score: round(score),
    }))
}

/** The entities that a question is about, best first; if it asks for a list, all of the list. */
export async function loadEntityHits(
  { db }: Context,
  scope: Scope,
  { listed, names, created, ranked, memory }: Findings,
  { types = [], ...inquiry }: Inquiry,
): Promise<EntityHit[]> {
  const told = new Set(ranked.map(({ passage }) => passage.entityId))
  const isDated = hasBounds(inquiry)
  const fits = (id: number, type: string) =>
    (types.length === 0 || types.includes(type)) && (!isDated || told.has(id))
  const all = created.length > 0 ? created : listed?.entities
  if (all !== undefined) {
    return all.filter(({ id, type }) => fits(numberOf('ent', id), type)).map((entity) => toHit(entity, 1))
  }
  const subjects = names
    .filter(({ score }) => score >= subjectMin)
    .filter(({ id, type }) => fits(id, type))
    .slice(0, entitiesMax)
  const ids = subjects.map(({ id }) => toId('ent', id))
  const byId = new Map(
    (await readEntities(db, { ...scope, memory }, ids)).map((entity) => [entity.id, entity]),
  )
  return subjects.flatMap(({ id, score }) => {
    const entity = byId.get(toId('ent', id))
    return entity === undefined ? [] : [toHit(entity, score)]
  })
}

const toHit = (
  { id, name, type, metadata, observationsCount }: Omit<EntityHit, 'score'>,
  score: number,
): EntityHit => ({ id, name, type, metadata, observationsCount, score: round(score) })

const round = (score: number) => Math.round(score * 10_000) / 10_000

/** An observation as a neighbour is shown. */
export type ShownObservation = z.infer<typeof NeighbourObservation>
type Neighbours = { before: ShownObservation[]; after: ShownObservation[] }

const noNeighbours: Around = { before: [], after: [] }

/** The hits, each with the observations of its entity before and after it, up to `count` on each side, all by number. */
export async function loadWithNeighbours(
  { db, now }: Context,
  scope: Scope,
  { around, observation, memory }: Pick<Findings, 'around' | 'observation' | 'memory'>,
  hits: readonly RankedObservation[],
  count: number,
): Promise<{ observations: Map<number, ShownObservation>; neighboursOf: (id: number) => Neighbours }> {
  const isKnown = (id: number) => count <= weights.neighboursMax && around(id) !== undefined
  const unknown = hits
    .map(({ passage: { observationId: id, entityId } }) => ({ id, entityId }))
    .filter(({ id }) => count > 0 && !isKnown(id))
  const listed = new Map(
    (await listAround(db, { ...scope, memory }, unknown, { beforeMax: count, afterMax: count })).map(
      (found) => [found.id, found],
    ),
  )
  const idsOf = (id: number): Around => {
    const { before, after } = listed.get(id) ?? around(id) ?? noNeighbours
    return { before: before.slice(0, count).toReversed(), after: after.slice(0, count) }
  }
  const ids = new Set<number>()
  for (const { passage } of hits) {
    const { before, after } = idsOf(passage.observationId)
    for (const id of [passage.observationId, ...before, ...after]) ids.add(id)
  }
  const observations = await loadObservations({ db, now }, { ...scope, memory }, [...ids], observation)
  const show = (wanted: readonly number[]): ShownObservation[] =>
    wanted.flatMap((number) => observations.get(number) ?? [])
  const neighboursOf = (id: number) => {
    const { before, after } = idsOf(id)
    return { before: show(before), after: show(after) }
  }
  return { observations, neighboursOf }
}

/** Those that ranking has read, and the others from the database if they are current, by number. */
export async function loadObservations(
  { db, now }: Pick<Context, 'db' | 'now'>,
  scope: WithMemory,
  ids: readonly number[],
  read: Findings['observation'],
): Promise<Map<number, ShownObservation>> {
  const observations = new Map<number, ShownObservation>()
  const unread: string[] = []
  for (const number of ids) {
    const [id, found] = [toId('obs', number), read(number)]
    if (found === undefined) unread.push(id)
    else
      observations.set(number, {
        id,
        content: found.content,
        createdAt: toIso(found.createdAt),
        ...toldOf(found, now()),
      })
  }
  for (const row of await readObservations(db, scope, unread)) {
    if (!isTold(row, now())) continue
    const { id, content, createdAt, at, until, stale } = row
    const remark = stale && { stale, state: 'stale' as const }
    const shown = { id, content, createdAt, ...(at && { at }), ...(until && { until }), ...remark }
    observations.set(numberOf('obs', id), shown)
  }
  return observations
}

/** When an observation was true, and whether it still is. */
function toldOf({ trueFrom, trueUntil, expiresAt, replacedBy, stale }: ReadObservation, now: number) {
  const fields: Omit<ShownObservation, 'id' | 'content' | 'createdAt'> = {}
  if (trueFrom !== null) fields.at = trueFrom
  if (trueUntil !== null) fields.until = trueUntil
  if (expiresAt !== null) fields.expiresAt = toIso(expiresAt)
  if (replacedBy !== null) fields.replacedBy = toId('obs', replacedBy)
  if (stale !== null) fields.stale = JSON.parse(stale)
  const state = stateOf(fields, now)
  return state === 'current' ? fields : { ...fields, state }
}

const highlightsMax = 200
const digit = /\d/

/** Analysing this much takes a few milliseconds. */
const sliceLength = 8_192

/** Finds the words of a question in a text. */
export type Highlight = (content: string) => Promise<[number, number][]>

/**
 * Finds the words with one of the terms in texts: their positions as UTF-16 offsets, in order, never overlapping. Yields
 * to other work within long texts.
 */
export function createHighlighter(terms: ReadonlySet<string>): Highlight {
  if (terms.size === 0) return async () => []
  const pace = createPace()
  // Every term of a date has a digit.
  const read = [...terms].some((term) => digit.test(term)) ? analyse : analyseWords
  const isAsked = ({ term }: { term: string }) => terms.has(term)
  return async (content) => {
    const found: { start: number; end: number }[] = []
    for (let from = 0; from < content.length && found.length < highlightsMax; ) {
      await pace()
      const to = endOfSlice(content, from)
      const { tokens, wholes } = read(content.slice(from, to))
      for (const { start, end } of [...tokens.filter(isAsked), ...wholes.filter(isAsked)])
        found.push({ start: from + start, end: from + end })
      from = to
    }
    return merged(found)
  }
}

/** Slices end after a space, so that they do not divide words. */
function endOfSlice(content: string, from: number): number {
  const end = from + sliceLength
  if (end >= content.length) return content.length
  const space = content.lastIndexOf(' ', end - 1)
  return space > from ? space + 1 : end
}

function merged(found: readonly { start: number; end: number }[]): [number, number][] {
  const ranges = found.map(({ start, end }): [number, number] => [start, end]).sort((a, b) => a[0] - b[0])
  const kept: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = kept.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else if (kept.length < highlightsMax) kept.push([start, end])
  }
  return kept
}
