/** A stretch of words that was kept, removed or added. */
export type Piece = { kind: 'same' | 'removed' | 'added'; text: string }

/** How one text became the other: a common start and end are kept, everything between is replaced. */
export function diffWording(before: string, after: string): Piece[] {
  const [old, now] = [before, after].map((text) => text.split(/(?<=\s)/)) as [string[], string[]]
  const shorter = Math.min(old.length, now.length)
  let head = 0
  while (head < shorter && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  const pieces: Piece[] = [
    { kind: 'same', text: now.slice(0, head).join('') },
    { kind: 'removed', text: old.slice(head, old.length - tail).join('') },
    { kind: 'added', text: now.slice(head, now.length - tail).join('') },
    { kind: 'same', text: now.slice(now.length - tail).join('') },
  ]
  return pieces.filter(({ text }) => text !== '')
}

/** With at most `max` characters of each piece: what was kept is cut where it is farthest from the change. */
export function cutPieces(pieces: readonly Piece[], max: number): Piece[] {
  return pieces.map(({ kind, text }, place) => {
    if (text.length <= max) return { kind, text }
    const isBeforeChange = place === 0 && kind === 'same' && pieces.length > 1
    return { kind, text: isBeforeChange ? `…${text.slice(-max)}` : `${text.slice(0, max)}…` }
  })
}
