type Part = { from: number; to: number }

/**
 * What stands between `<private>` and `</private>`, tags included; an outer part covers the parts inside it. A tag that
 * is never closed hides all that follows, unless it stands in backquotes of its own, as in a text that speaks of it.
 */
function privateParts(text: string): Part[] {
  const open: number[] = []
  const parts: Part[] = []
  const add = (part: Part) => {
    while (parts.length > 0 && (parts.at(-1) as Part).from > part.from) parts.pop()
    parts.push(part)
  }
  for (const tag of text.matchAll(/<(?<end>\/?)private>/gi)) {
    if (!tag.groups?.end) {
      open.push(tag.index)
      continue
    }
    const from = open.pop()
    if (from !== undefined) add({ from, to: tag.index + tag[0].length })
  }
  const unclosed = open.find((from) => !isSpokenOf(text, from))
  if (unclosed !== undefined) add({ from: unclosed, to: text.length })
  return parts
}

const isSpokenOf = (text: string, from: number) =>
  text[from - 1] === '`' && text[from + '<private>'.length] === '`'

/** The text without its private parts. */
export function redactPrivate(text: string, replace: (kind: string) => string): string {
  let kept = ''
  let at = 0
  for (const part of privateParts(text)) {
    kept += text.slice(at, part.from) + replace('private')
    at = part.to
  }
  return kept + text.slice(at)
}
