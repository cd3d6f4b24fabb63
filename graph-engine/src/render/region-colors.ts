import type { GraphTheme } from '../types.ts'

/** The hues of the tints, in degrees of oklch; type colours use other hues. */
const hues = [255, 75, 330, 155, 25, 205, 300, 110] as const

type Part = 'fill' | 'line' | 'name'

const parts: Readonly<
  Record<GraphTheme['scheme'], Record<Part, readonly [lightness: number, chroma: number]>>
> = {
  light: { fill: [0.965, 0.02], line: [0.86, 0.055], name: [0.36, 0.07] },
  dark: { fill: [0.262, 0.032], line: [0.42, 0.06], name: [0.9, 0.06] },
}

/** The colour of a part of a region; tints beyond the last are grey. */
export function regionColor(scheme: GraphTheme['scheme'], part: Part, tint: number): string {
  const [lightness, chroma] = parts[scheme][part]
  const hue = hues[tint]
  return hue === undefined ? `oklch(${lightness} 0.006 255)` : `oklch(${lightness} ${chroma} ${hue})`
}
