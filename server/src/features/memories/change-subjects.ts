import type { Change } from '@loci/contract/changes'

/** The subject after the change, or before it when it is gone. */
export const stateOf = ({ before, after }: Change) =>
  (after ?? before ?? {}) as Record<string, string | undefined> & Ends
type Ends = { fromEntity?: { name: string }; toEntity?: { name: string } }

/** The entities that a change is about: itself, the owner of an observation, the ends of a relation; by id. */
export function subjectsOf(change: Change): { id: string; name: string | undefined }[] {
  const { name, entityId, fromEntityId, toEntityId, fromEntity, toEntity } = stateOf(change)
  const subjects = change.operation.startsWith('relation')
    ? [
        { id: fromEntityId, name: fromEntity?.name },
        { id: toEntityId, name: toEntity?.name },
      ]
    : [
        change.operation.startsWith('entity')
          ? { id: change.subjectId, name }
          : { id: entityId, name: undefined },
      ]
  return subjects.map(({ id = '', name }) => ({ id, name }))
}

/** The entity that a changed observation belongs to. */
export const entityIdOf = (change: Change) =>
  change.operation.startsWith('observation') ? stateOf(change).entityId : undefined
