import type { Change } from '@loci/contract/changes'
import type { Context } from '../../context.ts'
import { findEntitiesById } from '../../graph/entities.repo.ts'
import { numbersOf } from '../../graph/numbers-of.ts'
import { findLastPast } from '../../graph/versions.repo.ts'
import { toId } from '../../lib/ids.ts'
import type { Scope } from '../../scope.ts'
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
