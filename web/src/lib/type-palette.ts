import { fixedColourOf } from '@loci/contract/entity-types'
import { slotColors, styleOfSlot } from '@loci/graph/model/palette'

/** The colours of entity types, those of the graph's picture: see its palette. */
export const typePalette = slotColors.light.map((light, index) => ({ light, dark: slotColors.dark[index]! }))

export type ColorScheme = 'light' | 'dark'

/** How to draw a type: as a disc, or as a ring. */
export type TypeColor = { color: string; isRing: boolean }

/** The colour at a position in the palette, counted from 1: the `colour` that the server assigns to a type. */
export function colorOfPlace(place: number, scheme: ColorScheme): TypeColor {
  const { color, hollow } = styleOfSlot(place, scheme)
  return { color, isRing: hollow }
}

/** The position for a type that is not (yet) in the list of types. */
export function placeOfType(type: string): number {
  return fixedColourOf(type) ?? typePalette.length
}
