/**
 * One CSV record (RFC 4180). A cell that a spreadsheet would read as a formula is prefixed with an apostrophe
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** The first record of a file: by the byte order mark Excel knows that the text is UTF-8. */
export const toCsvHead = (names: readonly string[]): string => `\ufeff${toCsvLine(names)}`

function toCell(text: string): string {
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless
}
