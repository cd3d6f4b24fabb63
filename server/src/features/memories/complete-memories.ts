import type { Actor } from '../../auth/actor.ts'
import type { Context } from '../../context.ts'
import { getCounters, listTypeCounts } from '../../graph/counters.repo.ts'
import { findEntitiesById, listEntities, listEntityNames } from '../../graph/entities.repo.ts'
import { foldCase, foldDiacritics } from '../../search-index/fold.ts'
import { rankEntities } from '../search/search.service.ts'

/** What a person may go on with; `total` only where it is known. */
export type Completion = { values: string[]; total?: number; hasMore: boolean }

/** As many as the protocol allows in one answer. */
const valuesMax = 100
/** Up to here all names are looked at; past that the best that the search finds. */
const namesReadMax = 2_000
/** Entities found by their facts come between those found by their names. */
const rankedMax = 300

/** The names of entities that contain what was typed, those that begin with it first; the newest before anything is. */
export async function completeEntityName(ctx: Context, actor: Actor, typed: string): Promise<Completion> {
  const { entities: total } = await getCounters(ctx.db, actor)
  if (typed.trim() === '') return { ...(await listNewest(ctx, actor)), total, hasMore: total > valuesMax }
  if (total > namesReadMax) return completeByRank(ctx, actor, typed)
  return toCompletion(pickContaining(await listEntityNames(ctx.db, actor, namesReadMax), typed))
}

/** The types and names of entities that contain what was typed, types first. */
export async function completeTopic(ctx: Context, actor: Actor, typed: string): Promise<Completion> {
  const types = (await listTypeCounts(ctx.db, actor, 'entity')).map(({ type }) => type)
  const names = await completeEntityName(ctx, actor, typed)
  const values = [...new Set([...pickContaining(types, typed), ...names.values])]
  return { values: values.slice(0, valuesMax), hasMore: names.hasMore || values.length > valuesMax }
}

async function listNewest(ctx: Context, actor: Actor): Promise<{ values: string[] }> {
  const newest = await listEntities(ctx.db, actor, { cursor: undefined, limit: valuesMax })
  return { values: newest.map(({ name }) => name) }
}

async function completeByRank(ctx: Context, actor: Actor, typed: string): Promise<Completion> {
  const ids = await rankEntities(ctx, actor, { query: typed, limit: rankedMax })
  const entities = await findEntitiesById(ctx.db, actor, ids)
  const nameOf = new Map(entities.map(({ id, name }) => [id, name]))
  const names = ids.flatMap((id) => nameOf.get(id) ?? [])
  const values = pickContaining(names, typed).slice(0, valuesMax)
  // The search looks only at the names that fit best.
  return { values, hasMore: values.length > 0 }
}

const toCompletion = (all: readonly string[]): Completion => ({
  values: all.slice(0, valuesMax),
  total: all.length,
  hasMore: all.length > valuesMax,
})

function pickContaining(texts: readonly string[], typed: string): string[] {
  const part = toPlain(typed)
  const places = texts.map((text) => ({ text, place: toPlain(text).indexOf(part) }))
  const { first = [], later = [] } = Object.groupBy(
    places.filter(({ place }) => place >= 0),
    ({ place }) => (place === 0 ? 'first' : 'later'),
  )
  return [...first, ...later].map(({ text }) => text)
}

const toPlain = (text: string) =>
  foldDiacritics(foldCase(text))
    .replaceAll(/[-_\s]+/g, ' ')
    .trim()
