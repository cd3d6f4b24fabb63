import { breathe } from '../../ground/lib/pace.ts'
import { createSharedKeys } from '../../ground/lib/shared-keys.ts'
import { compareNames } from '../duplicates/compare-names.rules.ts'
import { keysOf } from '../duplicates/name-keys.rules.ts'
import type { HealthEntity } from './health-source.ts'

type Alike = { pair: readonly [number, number]; reasons: readonly string[]; score: number }

/** Names alone decide here, so they must be closer than where relations and facts are weighed too. */
const scoreMin = 0.75
const otherType = 0.1
const sharedMax = 12
const pairsMax = 500

/** Pairs of entities whose names suggest the same thing, the most likely first; the one that knows more stays. */
export async function findAlikeNames(entities: readonly HealthEntity[]): Promise<Alike[]> {
  const keys = createSharedKeys()
  for (const [at, { name, aliases = [] }] of entities.entries()) {
    await breathe()
    for (const text of [name, ...aliases.slice(0, 20)])
      for (const key of keysOf(text).close) keys.add(key, at)
  }
  const found = new Map<string, Alike>()
  for await (const group of keys.groups(sharedMax)) {
    await breathe()
    for (const [i, second] of group.entries())
      for (const first of group.slice(0, i)) {
        const alike = compare(entities[first]!, entities[second]!)
        if (alike !== undefined) found.set(`${first} ${second}`, alike)
      }
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, pairsMax)
}

function compare(one: HealthEntity, other: HealthEntity): Alike | undefined {
  const names = compareNames(one, other)
  if (names === undefined) return undefined
  const score = names.score - (one.type.toLowerCase() === other.type.toLowerCase() ? 0 : otherType)
  const knownOf = ({ observations, relations }: HealthEntity) => observations + relations
  const [keep, go] = knownOf(other) > knownOf(one) ? [other, one] : [one, other]
  return score < scoreMin ? undefined : { pair: [keep.number, go.number], reasons: [names.reason], score }
}
