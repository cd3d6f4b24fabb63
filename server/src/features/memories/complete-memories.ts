import { getCounters, listTypeCounts } from '../../rows/counters.repo.ts'
import { findEntitiesById, listEntityNames, listEntityRows } from '../../rows/entities.repo.ts'
import { foldCase, foldDiacritics } from '../../search/analyse/fold.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { rankEntities } from '../search/search.service.ts'

/** Suggested completions; `total` only if it is known. */
export type Completion = { values: string[]; total?: number; hasMore: boolean }

/** Protocol maximum for one response. */
const valuesMax = 100
/** Up to this many names are all read; beyond that, only the best search results are used. */
const namesReadMax = 2_000
/** Larger than the result, since entities found by their facts are ranked among those found by name. */
const rankedMax = 300

/** Entity names that contain the typed text, those beginning with it first; the newest ones if nothing was typed. */
export async function completeEntityName(ctx: Context, actor: Actor, typed: string): Promise<Completion> {
  const { entities: total } = await getCounters(ctx.db, actor)
  if (typed.trim() === '') return { ...(await listNewest(ctx, actor)), total, hasMore: total > valuesMax }
  if (total > namesReadMax) return completeByRank(ctx, actor, typed)
  return toCompletion(pickContaining(await listEntityNames(ctx.db, actor, namesReadMax), typed))
}

/** Entity types and names that contain the typed text, types first. */
export async function completeTopic(ctx: Context, actor: Actor, typed: string): Promise<Completion> {
  const types = (await listTypeCounts(ctx.db, actor, 'entity')).map(({ type }) => type)
  const names = await completeEntityName(ctx, actor, typed)
  const values = [...new Set([...pickContaining(types, typed), ...names.values])]
  return { values: values.slice(0, valuesMax), hasMore: names.hasMore || values.length > valuesMax }
}

async function listNewest(ctx: Context, actor: Actor): Promise<{ values: string[] }> {
  const newest = await listEntityRows(ctx.db, actor, { cursor: undefined, limit: valuesMax })
  return { values: newest.map(({ name }) => name) }
}

async function completeByRank(ctx: Context, actor: Actor, typed: string): Promise<Completion> {
  const ids = await rankEntities(ctx, actor, { query: typed, limit: rankedMax })
  const entities = await findEntitiesById(ctx.db, actor, ids)
  const nameOf = new Map(entities.map(({ id, name }) => [id, name]))
  const names = ids.flatMap((id) => nameOf.get(id) ?? [])
  const values = pickContaining(names, typed).slice(0, valuesMax)
  // The search covers only the best-matching names, so there is no total.
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
