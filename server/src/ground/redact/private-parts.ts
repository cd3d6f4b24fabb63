type Part = { from: number; to: number }

/** What stands between `<private>` and `</private>`, tags included; an outer part covers the parts inside it. */
function privateParts(text: string): Part[] {
  const open: number[] = []
  const parts: Part[] = []
  for (const tag of text.matchAll(/<(?<end>\/?)private>/gi)) {
    if (!tag.groups?.end) {
      open.push(tag.index)
      continue
    }
    const from = open.pop()
    if (from === undefined) continue
    while (parts.length > 0 && (parts.at(-1) as Part).from > from) parts.pop()
    parts.push({ from, to: tag.index + tag[0].length })
  }
  return parts
}

/** The text without its private parts. A tag that is never closed stays, as does text that only speaks of it. */
export function redactPrivate(text: string, replace: (kind: string) => string): string {
  let kept = ''
  let at = 0
  for (const part of privateParts(text)) {
    kept += text.slice(at, part.from) + replace('private')
    at = part.to
  }
  return kept + text.slice(at)
}
