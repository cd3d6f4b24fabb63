import type { GraphFont } from '../types.ts'

type FontScope = { fonts?: { add(face: FontFace): void } }

/** Longest wait for the font, so that names do not change visibly. */
const patienceMs = 700

/**
 * Loads the font, since a worker cannot see the fonts of the page; `loaded` is also called if that
 * fails or takes too long.
 */
export function loadFont(font: GraphFont, loaded: () => void): void {
  if (!font.url) {
    loaded()
    return
  }
  setTimeout(loaded, patienceMs)
  const [family = 'sans-serif'] = font.family.split(',')
  const face = new FontFace(family.replaceAll(/["']/g, '').trim(), `url("${font.url}")`, {
    weight: '100 900',
  })
  face.load().then(
    () => {
      ;(self as unknown as FontScope).fonts?.add(face)
      loaded()
    },
    // Names in the fallback font are better than none.
    loaded,
  )
}
