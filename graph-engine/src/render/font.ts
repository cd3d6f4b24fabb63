import type { GraphFont } from '../types.ts'

type FontScope = { fonts?: { add(face: FontFace): void } }

/** Names wait so long for their font, so that they do not change before one's eyes. */
const patienceMs = 700

/** Loads the font, since a worker does not see those of the page; `loaded` is also called when that takes long or fails. */
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
