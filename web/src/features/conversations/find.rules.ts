/** Words in any case, with any white space between them, as the server finds them; undefined for no words. */
function patternOf(sought: string): RegExp | undefined {
  const words = sought.trim().split(/\s+/).filter(Boolean)
  return words.length === 0 ? undefined : new RegExp(words.map(escapeWord).join('\\s+'), 'giu')
}

const escapeWord = (word: string) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

type Piece = { text: string; isFound: boolean }

/** A text in pieces; those that are looked for are found. */
export function splitAtWords(text: string, sought: string): Piece[] {
  const pattern = patternOf(sought)
  const pieces: Piece[] = []
  let at = 0
  for (const match of pattern === undefined ? [] : text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), isFound: false })
    pieces.push({ text: match[0], isFound: true })
    at = match.index + match[0].length
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), isFound: false })
  return pieces
}

export const contains = (text: string, sought: string | undefined): boolean =>
  sought !== undefined && splitAtWords(text, sought).some(({ isFound }) => isFound)

/** The place of the next match, round and round; from none, the first one or the last. */
export function stepTo(at: number, step: 1 | -1, count: number): number {
  if (at === -1) return step === 1 ? 0 : count - 1
  return (at + step + count) % count
}
