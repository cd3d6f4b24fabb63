/** The first and the last line of a part of a text file that a program owns. */
export type BlockMarks = { begin: string; end: string }

function placeOf(text: string, { begin, end }: BlockMarks): { from: number; to: number } | undefined {
  const from = text.indexOf(begin)
  const to = from === -1 ? -1 : text.indexOf(end, from)
  return to === -1 ? undefined : { from, to: to + end.length }
}

/** The text with the block at its end, or in place of an earlier one. */
export function setBlock(text: string, marks: BlockMarks, body: string): string {
  const block = `${marks.begin}\n${body.trimEnd()}\n${marks.end}`
  const place = placeOf(text, marks)
  if (place) return text.slice(0, place.from) + block + text.slice(place.to)
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${text}${gap}${block}\n`
}

/** The text as it was before {@link setBlock}, up to a line break at its end. */
export function removeBlock(text: string, marks: BlockMarks): string {
  const place = placeOf(text, marks)
  if (!place) return text
  const before = text.slice(0, place.from).replace(/\n\n$/, '\n')
  return before + text.slice(place.to).replace(/^\n/, '')
}
