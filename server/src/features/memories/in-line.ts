import { inLine, shownName } from '../../ground/lib/for-models.ts'

/** A relation within a line; the arrows are ours, since a name that has one is in quotes. */
export const relationInLine = ({ from, relationType, to }: Record<'from' | 'relationType' | 'to', string>) =>
  `${inLine(from)} -> ${inLine(relationType)} -> ${inLine(to)}`

/** An entity within a line. */
export const entityInLine = ({ name, entityType }: { name: string; entityType: string }) =>
  `${inLine(name)} (${inLine(entityType)})`

/** The same with its metadata behind it. */
export const entityWithMetadata = ({
  metadata,
  ...entity
}: {
  name: string
  entityType: string
  metadata?: Record<string, unknown>
}) =>
  metadata === undefined
    ? entityInLine(entity)
    : `${entityInLine(entity)} ${shownName(JSON.stringify(metadata))}`
