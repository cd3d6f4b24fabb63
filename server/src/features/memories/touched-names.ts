import type { Change } from '@loci/contract/changes'
import type { Context } from '../../context.ts'
import { findEntitiesById } from '../../graph/entities.repo.ts'
import type { Scope } from '../../scope.ts'
import { stateOf } from './change-subjects.ts'

/** The names of the entities that changes affect directly or through observations and relations. */
export async function findTouchedNames(
  ctx: Context,
  scope: Scope,
  changes: readonly Change[],
): Promise<Set<string>> {
  const entityIds = new Set(changes.flatMap(({ subject }) => subject.entityId ?? []))
  const entities = await findEntitiesById(ctx.db, scope, [...entityIds])
  return new Set([...entities.map((entity) => entity.name), ...changes.flatMap(namesIn)])
}

function namesIn(change: Change): string[] {
  const { fromEntity, toEntity } = stateOf(change)
  const names =
    change.subject.kind === 'relation'
      ? [fromEntity?.name, toEntity?.name]
      : [change.before?.name, change.after?.name]
  return names.filter((name) => typeof name === 'string')
}
