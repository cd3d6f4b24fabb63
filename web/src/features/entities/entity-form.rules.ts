import type { EntityWithObservations } from '@loci/contract/entities'

export const customTypeOption = 'Custom Type...'

export type EntityFormValues = {
  name: string
  /** One of the offered types, or {@link customTypeOption}. */
  type: string
  customType: string
  /** JSON as typed. */
  metadata: string
  observations: ObservationBox[]
}

/** A text box; its key stays the same when others are removed. With an id it edits that observation. */
export type ObservationBox = { key: number; text: string; id?: string }
export type EntityFormErrors = Partial<Record<'name' | 'type' | 'metadata' | 'observations', string>>
export type EntityInput = {
  name: string
  type: string
  metadata: Record<string, unknown>
  observations: (string | { id: string; content: string })[]
}

let lastKey = 0

export function newBox(text = '', id?: string): ObservationBox {
  return { key: ++lastKey, text, ...(id === undefined ? {} : { id }) }
}

/** The form's initial values; the list of observations always has an empty box. */
export function initialValues(entity?: EntityWithObservations): EntityFormValues {
  const boxes = entity?.observations.map(({ id, content }) => newBox(content, id)) ?? []
  const hasMetadata = entity && Object.keys(entity.metadata).length > 0
  return {
    name: entity?.name ?? '',
    type: entity?.type ?? '',
    customType: '',
    metadata: hasMetadata ? JSON.stringify(entity.metadata, null, 2) : '',
    observations: boxes.length > 0 ? boxes : [newBox()],
  }
}

export function validateEntity(values: EntityFormValues): EntityFormErrors {
  const errors: EntityFormErrors = {}
  if (values.name.trim() === '') errors.name = 'Name is required'
  if (typeOf(values) === '') errors.type = 'Type is required'
  const metadata = parseMetadata(values.metadata)
  if (typeof metadata === 'string') errors.metadata = metadata
  return errors
}

/** The request: trimmed, without blank boxes. */
export function toInput(values: EntityFormValues): EntityInput {
  const metadata = parseMetadata(values.metadata)
  return {
    name: values.name.trim(),
    type: typeOf(values),
    metadata: typeof metadata === 'string' ? {} : metadata,
    observations: values.observations
      .filter(({ text }) => text.trim() !== '')
      .map(({ id, text }) => (id === undefined ? text : { id, content: text })),
  }
}

function typeOf({ type, customType }: EntityFormValues): string {
  return (type === customTypeOption ? customType : type).trim()
}

/** Returns the parsed object, or a description of the problem. */
function parseMetadata(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : 'Metadata must be a JSON object'
  } catch {
    return 'Invalid JSON format'
  }
}
