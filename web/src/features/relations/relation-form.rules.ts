import { knownRelationTypes } from '@loci/contract/relations'

export type RelationFormValues = { fromEntityId: string; toEntityId: string; type: string }
export type RelationFormErrors = Partial<Record<keyof RelationFormValues, string>>

export function validateRelation({ fromEntityId, toEntityId, type }: RelationFormValues): RelationFormErrors {
  const errors: RelationFormErrors = {}
  if (fromEntityId === '') errors.fromEntityId = 'Source entity is required'
  if (toEntityId === '') errors.toEntityId = 'Target entity is required'
  if (type.trim() === '') errors.type = 'Relation type is required'
  if (fromEntityId !== '' && fromEntityId === toEntityId) {
    errors.toEntityId = 'Source and target entities cannot be the same'
  }
  return errors
}

/** The types that the form offers: the usual ones, then the account's, then the relation's own. */
export function offeredTypes(current: string, ofAccount: readonly string[] = []): string[] {
  return [...new Set([...knownRelationTypes, ...ofAccount, ...(current === '' ? [] : [current])])]
}
