const partMax = 1_500
const partsMax = 50

/**
 * The parts into which a long text falls: paragraphs and list items, never the middle of code. Only the text itself if
 * it has none, or if a part would still be too long.
 */
export function partsOf(content: string): string[] {
  const parts: string[] = []
  let block: string[] = []
  let isCode = false
  const close = () => {
    const text = block.join('\n').trim()
    if (text !== '') parts.push(text)
    block = []
  }
  for (const line of content.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (!isCode && (line.trim() === '' || /^(?:[-*+]|\d{1,3}[.)])\s/.test(line))) close()
    block.push(line)
    if (isFence) isCode = !isCode
  }
  close()
  const joined = withHeadings(parts)
  return joined.length > 1 && joined.length <= partsMax && joined.every((part) => part.length <= partMax)
    ? joined
    : [content]
}

/** A heading, or a line that ends in a colon, goes with what follows it. */
function withHeadings(parts: readonly string[]): string[] {
  const joined: string[] = []
  let pending = ''
  for (const part of parts) {
    const isHeading = !part.includes('\n') && (/^#{1,6}\s/.test(part) || part.endsWith(':'))
    if (isHeading) pending = pending === '' ? part : `${pending}\n${part}`
    else {
      joined.push(pending === '' ? part : `${pending}\n${part}`)
      pending = ''
    }
  }
  if (pending !== '') joined.push(pending)
  return joined
}
