import type { GraphFont } from '../types.ts'

type FontScope = { fonts?: { add(face: FontFace): void } }

/** Loads the font, since a worker does not see those of the page; until then the next in the family is used. */
export function loadFont(font: GraphFont, loaded: () => void): void {
  if (!font.url) return
  const [family = 'sans-serif'] = font.family.split(',')
  const face = new FontFace(family.replaceAll(/["']/g, '').trim(), `url("${font.url}")`, {
    weight: '100 900',
  })
  face.load().then(
    () => {
      ;(self as unknown as FontScope).fonts?.add(face)
      loaded()
    },
    // Names in the fallback font are better than no graph.
    () => {},
  )
}
