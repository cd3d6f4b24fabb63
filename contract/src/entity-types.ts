export const entityTypeMax = 64

/** The types that every screen knows; any other text of up to 64 characters is a type too. */
export const knownEntityTypes = ['concept', 'person', 'company', 'technology', 'product', 'event'] as const

/** Colours that a type can be given; those after the sixteenth are the same ones as rings. */
export const typeColourMax = 32
const observationColour = 16

/** The colour (a place in the palette, from 1) of a type that every screen knows; undefined for any other. */
export function fixedColourOf(type: string): number | undefined {
  const name = type.toLowerCase()
  if (name === 'observation') return observationColour
  const index = (knownEntityTypes as readonly string[]).indexOf(name)
  return index === -1 ? undefined : index + 1
}

/** Most entities in one call that changes many. */
export const bulkEntitiesMax = 500
