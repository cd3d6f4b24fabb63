export type Piece = { text: string } | { removed: string }

const removal = /\[redacted: (?<kind>[a-z0-9-]{1,64})\]/g

/** A text at the marks of what was removed from it before it was stored. */
export function splitAtRemovals(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(removal)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) })
    pieces.push({ removed: match.groups!.kind! })
    at = match.index + match[0].length
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at) })
  return pieces
}
