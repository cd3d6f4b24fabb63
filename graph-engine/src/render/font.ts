import type { GraphFont } from '../types.ts'

type Fonts = { add(face: FontFace): void }
/** Workers have fonts of their own; in a page they belong to the document. */
type FontScope = { fonts?: Fonts; document?: { fonts: Fonts } }

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
      const scope = self as unknown as FontScope
      ;(scope.fonts ?? scope.document?.fonts)?.add(face)
      loaded()
    },
    // Names in the fallback font are better than none.
    loaded,
  )
}
