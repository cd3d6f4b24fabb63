import { entityNameMax } from '@loci/contract/entities'
import { findEndsByName } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findNameCandidates } from './find-name-candidates.ts'
import { nearnessOf, variantsOf } from './near-names.rules.ts'

/** Only the first names are looked up. */
const namesMax = 20
const answersPerName = 3

/**
 * The entities that unknown names may mean, likeliest first: different case or punctuation, typos, a part of the name
 * or more than the name. Names without any are omitted.
 */
export async function findNearNames(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, { name: string; type: string }[]>> {
  const asked = [...new Set(names)].filter((name) => name.length <= entityNameMax).slice(0, namesMax)
  if (asked.length === 0) return new Map()
  const variants = new Map(asked.map((name) => [name, variantsOf(name)]))
  const written = await findEndsByName(ctx.db, scope, [...new Set([...variants.values()].flat())])
  const candidates = await findNameCandidates(ctx, scope, asked)
  const near = new Map<string, { name: string; type: string }[]>()
  for (const name of asked) {
    const sameLetters = (variants.get(name) ?? []).flatMap((variant) => written.get(variant) ?? [])
    const found = pickNearest(name, [...sameLetters, ...(candidates.get(name) ?? [])])
    if (found.length > 0) near.set(name, found)
  }
  return near
}

function pickNearest(asked: string, candidates: readonly { name: string; type: string }[]) {
  const byName = new Map(candidates.map(({ name, type }) => [name, { name, type }]))
  byName.delete(asked)
  return [...byName.values()]
    .map((candidate) => ({ candidate, nearness: nearnessOf(asked, candidate.name) }))
    .filter(({ nearness }) => nearness > 0)
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, answersPerName)
    .map(({ candidate }) => candidate)
}
