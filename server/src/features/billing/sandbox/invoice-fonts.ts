import { fileURLToPath } from 'node:url'

/**
 * DejaVu Sans, reduced to the letters below; its licence is in the file. Made by `pyftsubset DejaVuSans.ttf
 * --unicodes=U+0020-007E,U+00A0-024F,U+0259,U+02BC,U+0300-0304,U+0306-030C,U+0323,U+0370-03FF,U+0400-052F,U+1E00-1EFF,
 * U+2010-2027,U+2030-203A,U+20A0-20BF,U+2116,U+2122 --layout-features=kern,mark,mkmk,ccmp --no-hinting --name-IDs='*'`.
 */
const regular = new URL('./invoice-font.ttf', import.meta.url)
const bold = new URL('./invoice-font-bold.ttf', import.meta.url)

/** Letters of the PDF's own fonts, which need not be embedded. */
const western = /^[\u0020-\u007e\u00a0-\u00ff]*$/
/** Latin, Greek and Cyrillic with their extensions, and punctuation. */
const embedded =
  /^[\u0020-\u007e\u00a0-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2116\u2122]*$/

/** The font that can print a text: a standard one, or the path of one to embed. */
export function fontFor(text: string, isBold = false): string {
  if (western.test(text)) return isBold ? 'Helvetica-Bold' : 'Helvetica'
  return fileURLToPath(isBold ? bold : regular)
}

/** False for a text with letters that no font here has, such as Chinese ones. */
export const isPrintable = (text: string): boolean => embedded.test(text.normalize('NFC'))
