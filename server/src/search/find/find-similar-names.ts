import { toId } from '../../ground/lib/ids.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { EntityLabel } from '../store/search.repo.ts'
import { findNameCandidates } from './find-name-candidates.ts'
import { areSimilarNames, type NamedThing } from './similar-names.rules.ts'

/** Only the first names of a large call are checked, so that advice does not slow down bulk creation. */
const namesMax = 20
const answersPerName = 5

type SimilarEntity = { id: string; name: string; type: string }
const toSimilar = ({ id, name, type }: EntityLabel): SimilarEntity => ({ id: toId('ent', id), name, type })

/**
 * Existing entities that may be the same as the ones about to be created, spelt differently, by new name; names without
 * any are omitted.
 */
export async function findSimilarNames(
  ctx: Context,
  scope: Scope,
  things: readonly NamedThing[],
): Promise<Map<string, SimilarEntity[]>> {
  const asked = things.slice(0, namesMax)
  const candidates = await findNameCandidates(
    ctx,
    scope,
    asked.map((thing) => thing.name),
  )
  const similar = new Map<string, SimilarEntity[]>()
  for (const thing of asked) {
    const found = (candidates.get(thing.name) ?? []).filter(
      ({ name, type }) => name !== thing.name && areSimilarNames(thing, { name, type }),
    )
    if (found.length > 0) similar.set(thing.name, found.slice(0, answersPerName).map(toSimilar))
  }
  return similar
}
