/** Lists as one query parameter: items are separated by commas; `\,` is a comma in an item, `\\` a backslash. */

/** Encodes a list as a query parameter. */
export function toCommaList(items: readonly string[]): string {
  return items.map((item) => item.replace(/[\\,]/g, '\\$&')).join(',')
}

/** Decodes a query parameter; items are trimmed, and empty ones dropped. */
export function fromCommaList(text: string): string[] {
  const items = text.match(/(?:\\[\\,]|[^,])+/g) ?? []
  return items.map((item) => item.replace(/\\([\\,])/g, '$1').trim()).filter((item) => item !== '')
}
