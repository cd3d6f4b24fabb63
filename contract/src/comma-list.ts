/**
 * Lists as one query parameter: items are separated by commas; `\,` is a comma in an item, `\\` a backslash, and a
 * backslash before a space keeps it at the beginning or end of an item.
 */

/** Encodes a list as a query parameter. */
export function toCommaList(items: readonly string[]): string {
  return items.map((item) => item.replace(/[\\,]|^\s+|\s+$/g, escaped)).join(',')
}

const escaped = (found: string) => found.replace(/./gsu, '\\$&')

/** Decodes a query parameter, which holds no NUL; items are trimmed, and empty ones dropped. */
export function fromCommaList(text: string): string[] {
  const items = text.match(/(?:\\[\\,]|[^,])+/g) ?? []
  return items.map(toItem).filter((item) => item !== '')
}

/** Between NULs, an escaped space is not trimmed. */
const toItem = (item: string) =>
  item
    .replace(/\\([\\,\s])/g, '\0$1\0')
    .trim()
    .replaceAll('\0', '')
