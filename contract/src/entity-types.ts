export const entityTypeMax = 64

/**
 * The types that every screen has a label and colour for; any other text of up to 64 characters is also
 * a type.
 */
export const knownEntityTypes = ['concept', 'person', 'company', 'technology', 'product', 'event'] as const

/** Number of colours for types; those after the sixteenth are the same ones drawn as rings. */
export const typeColourMax = 32
const observationColour = 16

/** The colour of a known type as an index into the palette, from 1; undefined for any other type. */
export function fixedColourOf(type: string): number | undefined {
  const name = type.toLowerCase()
  if (name === 'observation') return observationColour
  const index = (knownEntityTypes as readonly string[]).indexOf(name)
  return index === -1 ? undefined : index + 1
}

/** Most entities in one bulk call. */
export const bulkEntitiesMax = 500
