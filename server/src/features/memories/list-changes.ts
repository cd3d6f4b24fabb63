import type { Change } from '@loci/contract/changes'
import type { Actor } from '../../auth/actor.ts'
import { findLastChangeBefore, listChangesAfter } from '../../changes/changes.repo.ts'
import type { Context } from '../../context.ts'
import { findEntitiesById } from '../../graph/entities.repo.ts'

/** One change as a sentence's worth of words. */
export type NamedChange = { number: number; at: string; operation: string; subject: string; by: string }

const subjectMax = 300

/** What changed since a moment (milliseconds), or after the change of a number; oldest first, at most `limit`. */
export async function listNamedChanges(
  ctx: Context,
  actor: Actor,
  { since, after }: { since: number; after: number },
  limit: number,
): Promise<{ changes: NamedChange[]; more: boolean }> {
  // Whoever goes on has seen all that is older. One call can make more changes of one moment than fit in an answer.
  const seen = after > 0 ? after : await findLastChangeBefore(ctx.db, actor, since)
  const changes = await listChangesAfter(ctx.db, actor, seen, limit + 1)
  const shown = changes.slice(0, limit)
  const entityIds = shown.flatMap((change) => entityIdOf(change) ?? [])
  const entities = await findEntitiesById(ctx.db, ctx.dialect, actor, [...new Set(entityIds)])
  const names = new Map(entities.map((entity) => [entity.id, entity.name]))
  return {
    changes: shown.map((change) => ({
      number: change.seq,
      at: change.at,
      operation: change.operation,
      subject: subjectOf(change, names).slice(0, subjectMax),
      by: change.actor.client ?? change.actor.kind,
    })),
    more: changes.length > limit,
  }
}

/** The subject after the change, or before it when it is gone. */
export const stateOf = ({ before, after }: Change) =>
  (after ?? before ?? {}) as Record<string, string | undefined> & Ends
type Ends = { fromEntity?: { name: string }; toEntity?: { name: string } }

/** The entity that a changed observation belongs to. */
export const entityIdOf = (change: Change) =>
  change.operation.startsWith('observation') ? stateOf(change).entityId : undefined

function subjectOf(change: Change, names: Map<string, string>): string {
  const state = stateOf(change)
  if (change.operation.startsWith('relation')) {
    return `${state.fromEntity?.name} ${state.relationType} ${state.toEntity?.name}`
  }
  if (change.operation.startsWith('observation')) {
    return `${names.get(state.entityId ?? '') ?? 'a deleted entity'}: ${state.content}`
  }
  return `${state.name} (${state.type})`
}
