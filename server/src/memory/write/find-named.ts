import { toId } from '../../ground/lib/ids.ts'
import { findAliases } from '../../rows/aliases.repo.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { findEntitiesById, findEntitiesByName, findEntityNamed } from '../../rows/entities.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** The entities with these names or aliases, in order of insertion. */
export async function findNamed(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, StoredEntity>> {
  const wanted = [...new Set(names)]
  if (wanted.length === 1) {
    const [name] = wanted as [string]
    const entity = await findEntityNamed(db, scope, name)
    return new Map(entity === undefined ? [] : [[name, entity]])
  }
  const found = new Map((await findEntitiesByName(db, scope, wanted)).map((entity) => [entity.name, entity]))
  const missing = wanted.filter((name) => !found.has(name))
  const aliases = await findAliases(db, scope, missing)
  if (aliases.size === 0) return found
  const ids = [...new Set(aliases.values())].map((id) => toId('ent', id))
  const merged = new Map((await findEntitiesById(db, scope, ids)).map((entity) => [entity.id, entity]))
  for (const [name, id] of aliases) {
    const entity = merged.get(toId('ent', id))
    if (entity !== undefined) found.set(name, entity)
  }
  return found
}
