import { fixedColourOf } from '@loci/contract/entity-types'

/** The colours of entity types, light and dark. The first six belong to the known types, the last to observations. */
export const typePalette = [
  { light: '#3a62e2', dark: '#3878f5' },
  { light: '#006e50', dark: '#0cdea9' },
  { light: '#b97b5a', dark: '#dda172' },
  { light: '#4e1cce', dark: '#ac98fe' },
  { light: '#ce030a', dark: '#ff4602' },
  { light: '#418896', dark: '#58b3c3' },
  { light: '#0691e6', dark: '#aad6fe' },
  { light: '#f3349a', dark: '#e5607e' },
  { light: '#910182', dark: '#cb42c1' },
  { light: '#5a6d2d', dark: '#a9d210' },
  { light: '#252c48', dark: '#6d6f8f' },
  { light: '#a08b03', dark: '#fde48a' },
  { light: '#5e2e1d', dark: '#9c664b' },
  { light: '#14413d', dark: '#119072' },
  { light: '#6c5167', dark: '#af969c' },
  { light: '#757575', dark: '#eae5ef' },
] as const

export type ColorScheme = 'light' | 'dark'

/** How to draw a type: types 17 to 32 are rings in the colours of the first sixteen, and so on. */
export type TypeColor = { color: string; isRing: boolean }

/** The colour at a position in the palette, counted from 1: the `colour` that the server assigns to a type. */
export function colorOfPlace(place: number, scheme: ColorScheme): TypeColor {
  const index = (place - 1) % (2 * typePalette.length)
  return {
    color: typePalette[index % typePalette.length]![scheme],
    isRing: index >= typePalette.length,
  }
}

/** The position for a type that is not (yet) in the list of types. */
export function placeOfType(type: string): number {
  return fixedColourOf(type) ?? typePalette.length
}
