import type { Change } from '@loci/contract/changes'
import type { Scope } from '../../auth/actor.ts'
import { listChangesOf } from '../../changes/changes.repo.ts'
import type { Context } from '../../context.ts'
import { findEntitiesById } from '../../graph/entities.repo.ts'
import { stateOf, subjectsOf } from './change-subjects.ts'

/** The name of an entity that is gone is looked for among so many changes before and after. */
const changesSearched = 5_000

/** The names of the entities that changes are about, by id; of those that are gone, the last that is known. */
export async function findChangedNames(
  ctx: Context,
  scope: Scope,
  changes: readonly Change[],
): Promise<Map<string, string>> {
  const subjects = changes.toReversed().flatMap(subjectsOf)
  const names = new Map(subjects.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])))
  const ids = [...new Set(subjects.map(({ id }) => id))]
  for (const entity of await findEntitiesById(ctx.db, ctx.dialect, scope, ids))
    names.set(entity.id, entity.name)
  const unknown = ids.filter((id) => !names.has(id))
  if (unknown.length === 0) return names
  const numbers = changes.map(({ seq }) => seq)
  const range = {
    from: Math.min(...numbers) - changesSearched,
    to: Math.max(...numbers) + changesSearched,
  }
  const further = await listChangesOf(ctx.db, ctx.dialect, scope, unknown, range)
  for (const [id, name] of further.flatMap(nameIn)) names.set(id, name)
  return names
}

function nameIn(change: Change): [string, string][] {
  const { name } = stateOf(change)
  return change.operation.startsWith('entity') && name !== undefined ? [[change.subjectId, name]] : []
}
