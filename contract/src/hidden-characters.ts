/* Characters that a reader does not see: zero-width and bidirectional ones, tags, fillers, variation selectors. Text
   hidden in them reaches a model, but nobody who looks at the memory. */

/** Scripts in which a joiner or non-joiner after a letter changes how the word is written. */
const joining =
  '\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}' +
  '\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}'

/** Joiners, selectors of Mongolian letters, and what emoji are made of. */
const needed = [
  `(?<=(?![\\p{DI}])[${joining}])[\\u200c\\u200d]`,
  '(?<=\\p{scx=Mong})[\\u180b-\\u180d\\u180f]',
  '(?<=\\p{ExtPict}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
].join('|')

const hidden = /[\p{DI}\ufff9-\ufffb]/u
const hiddenUnlessNeeded = new RegExp(`(${needed})|${hidden.source}`, 'gu')

/** The text without hidden characters, except those that scripts and emoji need. */
export function withoutHidden(text: string): string {
  return hidden.test(text) ? text.replace(hiddenUnlessNeeded, '$1') : text
}

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Whether a text has line breaks or other control characters. */
export const hasControls = (text: string): boolean => control.test(text)

/** A piece of a text: as written, or the code points of characters beside each other that cannot be seen. */
export type TextPiece = { text: string } | { hidden: number[] }

const unseen = '(?![\\t\\n\\r])[\\p{DI}\\ufff9-\\ufffb\\p{Cc}\\p{Zl}\\p{Zp}]'
const someUnseen = new RegExp(unseen, 'u')
const unseenUnlessNeeded = new RegExp(`(${needed})|${unseen}`, 'gu')

/** Splits a text at characters that cannot be seen; white space counts as seen. */
export function splitAtHidden(text: string): TextPiece[] {
  if (!someUnseen.test(text)) return [{ text }]
  const pieces: TextPiece[] = []
  let end = 0
  for (const { 0: char, 1: kept, index } of text.matchAll(unseenUnlessNeeded)) {
    if (kept !== undefined) continue
    if (index > end) pieces.push({ text: text.slice(end, index) })
    const last = pieces.at(-1)
    if (last !== undefined && 'hidden' in last) last.hidden.push(char.codePointAt(0)!)
    else pieces.push({ hidden: [char.codePointAt(0)!] })
    end = index + char.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}
