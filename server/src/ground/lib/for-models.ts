import { hasControls, withoutHidden } from '@loci/contract/hidden-characters'

/* How stored text reaches a model. Whoever wrote it, it must not look like anything but data: a name stays within its
   line, a text within its marked lines, and nothing is hidden in either. */

const printableAscii = /^[\x20-\x7e]*$/
const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu
/** Not that of NUL, which no name has. */
const pictures = /[\u2401-\u241f\u2421]/g
const picturesStart = 0x2400
const pictureOfDelete = '\u2421'
const pictureOfBreak = '\u2424'
const lineBreaks = '\u0085\u2028\u2029'

/** A name on one line: pictures such as ␊ replace control characters, and hidden characters are dropped. */
export function shownName(name: string): string {
  if (printableAscii.test(name)) return name
  const shown = withoutHidden(name).replace(controls, pictureOf)
  return shown.trim() === '' ? codePointsOf(name) : shown
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(picturesStart + code)
  if (code === 0x7f) return pictureOfDelete
  return lineBreaks.includes(control) ? pictureOfBreak : '\ufffd'
}

/** A name of nothing but hidden characters. */
const codePointsOf = (name: string) =>
  [...name].map((char) => `U+${char.codePointAt(0)!.toString(16).toUpperCase()}`).join(' ')

/** The name that {@link shownName} may have been made from, as far as its pictures tell. */
export const withControls = (shown: string): string =>
  shown.replace(pictures, (picture) =>
    picture === pictureOfDelete ? '\u007f' : String.fromCharCode(picture.charCodeAt(0) - picturesStart),
  )

const rareBreaks = /[\v\f\u0085\u2028\u2029]/g
const otherControls = /(?![\t\n\r])\p{Cc}/gu

/** A text without hidden and control characters; tabs and line breaks stay. */
export function shownText(text: string): string {
  if (printableAscii.test(text)) return text
  const shown = withoutHidden(text)
  return hasControls(shown) ? shown.replace(rareBreaks, '\n').replace(otherControls, '') : shown
}

const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'’&/+#@-]*$/u
const arrow = '->'

/** A name within a line of ours: in JSON quotes if it could be taken for anything but a name. */
export function inLine(name: string): string {
  const shown = shownName(name)
  return plainName.test(shown) && !shown.includes(arrow) ? shown : JSON.stringify(shown)
}

/** Begins the further lines of a text; no line of ours begins so. */
const furtherLine = '> '

/** A text as lines that can only be its own: the first continues a line of ours, the others are marked. */
export const inLines = (text: string): string => shownText(text).replace(/\r\n|[\n\r]/g, `\n${furtherLine}`)
