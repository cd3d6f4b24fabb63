import type { Change } from '@loci/contract/changes'
import { numbersOf, toId } from '../../ground/lib/ids.ts'
import { findLastPast } from '../../memory/versions/versions.repo.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { subjectsOf } from './change-subjects.ts'

/** The names of the entities that changes concern, by id; deleted entities have their last name. */
export async function findChangedNames(
  ctx: Context,
  scope: Scope,
  changes: readonly Change[],
): Promise<Map<string, string>> {
  const ids = [...new Set(changes.flatMap(subjectsOf).map(({ id }) => id))]
  const present = await findEntitiesById(ctx.db, scope, ids)
  const names = new Map(present.map(({ id, name }) => [id, name]))
  const gone = numbersOf(
    'ent',
    ids.filter((id) => !names.has(id)),
  )
  const versions = await findLastPast(ctx.db, scope, 'entities', gone)
  for (const { id, name } of versions.values()) names.set(toId('ent', id), name)
  return names
}
