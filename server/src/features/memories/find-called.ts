import { shownName, withControls } from '../../ground/lib/for-models.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import { findNamed, listEntityNames } from '../../rows/entities.repo.ts'
import { findNameCandidates } from '../../search/find/find-similar-names.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Up to this many names are all compared; beyond that, those that share words with the one asked for. */
const namesReadMax = 2_000
const lookedUpMax = 20

/** The entities with these names or aliases, as they are stored or as models are shown them. */
export async function findCalled(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, StoredEntity>> {
  const found = await findNamed(ctx.db, scope, names)
  const missing = [...new Set(names)].filter((name) => !found.has(name))
  if (missing.length === 0) return found
  const stored = await findStoredNames(ctx, scope, missing.slice(0, lookedUpMax))
  const entities = await findNamed(ctx.db, scope, [...stored.values()])
  for (const [shown, name] of stored) {
    const entity = entities.get(name)
    if (entity !== undefined) found.set(shown, entity)
  }
  return found
}

/** The stored names of which models are shown these. */
async function findStoredNames(
  ctx: Context,
  scope: Scope,
  shown: readonly string[],
): Promise<Map<string, string>> {
  const withPictures = shown.map((name): [string, string] => [name, withControls(name)])
  const stored = new Map(withPictures.filter(([name, other]) => name !== other))
  const { entities } = await getCounters(ctx.db, scope)
  const all = entities > namesReadMax ? undefined : await listEntityNames(ctx.db, scope, namesReadMax)
  const candidates = all === undefined ? await findNameCandidates(ctx, scope, shown) : undefined
  for (const name of shown) {
    const others = all ?? candidates?.get(name)?.map((candidate) => candidate.name) ?? []
    const match = others.find((other) => other !== name && shownName(other) === name)
    if (match !== undefined) stored.set(name, match)
  }
  return stored
}
