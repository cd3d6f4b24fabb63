import type { Change } from '@loci/contract/changes'
import { shownName } from '../../ground/lib/for-models.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { stateOf } from './change-subjects.ts'

/** The names, stored and as models are shown them, of the entities that changes affect directly or through others. */
export async function findTouchedNames(
  ctx: Context,
  scope: Scope,
  changes: readonly Change[],
): Promise<Set<string>> {
  const entityIds = new Set(changes.flatMap(({ subject }) => subject.entityId ?? []))
  const entities = await findEntitiesById(ctx.db, scope, [...entityIds])
  const names = [...entities.map((entity) => entity.name), ...changes.flatMap(namesIn)]
  return new Set(names.flatMap((name) => [name, shownName(name)]))
}

function namesIn(change: Change): string[] {
  const { fromEntity, toEntity } = stateOf(change)
  const names =
    change.subject.kind === 'relation'
      ? [fromEntity?.name, toEntity?.name]
      : [change.before?.name, change.after?.name]
  return names.filter((name) => typeof name === 'string')
}
