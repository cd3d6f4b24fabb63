import type { Change } from '@loci/contract/changes'

/** The subject after the change, or before it if it was deleted. */
export const stateOf = ({ before, after }: Change) =>
  (after ?? before ?? {}) as Record<string, string | undefined> & Ends
type Ends = { fromEntity?: { name: string }; toEntity?: { name: string } }

/** The entities that a change concerns, by id: the entity itself, an observation's owner or a relation's ends. */
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
