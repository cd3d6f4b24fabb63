import { splitAtHidden } from '@loci/contract/hidden-characters'

/**
 * Escapes control characters, and those that cannot be seen or turn the direction of what follows, so that untrusted
 * text cannot control the terminal or look like another. In JSON the escapes keep their meaning.
 */
export const withoutControls = (text: string) =>
  splitAtHidden(text)
    .map((piece) =>
      'text' in piece ? piece.text : String.fromCodePoint(...piece.hidden).replace(/./gsu, escapeOf),
    )
    .join('')
    .replace(/\p{Cc}/gu, escapeOf)

/** JSON in indented lines, for a terminal. */
export const linesOfJson = (value: unknown) =>
  JSON.stringify(value, null, 2).split('\n').map(withoutControls).join('\n')

const escapeOf = (char: string) =>
  Array.from(
    { length: char.length },
    (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')
