import type { Change } from '@loci/contract/changes'

/** The subject after the change, or before it when it is gone. */
export const stateOf = ({ before, after }: Change) =>
  (after ?? before ?? {}) as Record<string, string | undefined> & Ends
type Ends = { fromEntity?: { name: string }; toEntity?: { name: string } }

/** The entities that a change is about: itself, the owner of an observation, the ends of a relation; by id. */
export function subjectsOf(change: Change): { id: string; name: string | undefined }[] {
  const { subject } = change
  if (subject.kind === 'entity') return [{ id: subject.id, name: subject.name }]
  if (subject.kind === 'observation') return [{ id: subject.entityId ?? '', name: undefined }]
  const { fromEntityId = '', toEntityId = '', fromEntity, toEntity } = stateOf(change)
  return [
    { id: fromEntityId, name: fromEntity?.name },
    { id: toEntityId, name: toEntity?.name },
  ]
}
