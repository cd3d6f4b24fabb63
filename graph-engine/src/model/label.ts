const labelLengthMax = 15
const observationLabelLengthMax = 30

/** The name as drawn: cut at 15 characters plus '...', or at 30 for nodes of the type `observation`. */
export function cutLabel(label: string, type: string): string {
  return cutText(label, type === 'observation' ? observationLabelLengthMax : labelLengthMax)
}

/** The text, cut at `max` characters plus '...'. */
export function cutText(label: string, max: number): string {
  if (label.length <= max) return label
  // By code point: half a surrogate pair would be drawn as a box.
  const characters = Array.from(label)
  if (characters.length <= max) return label
  const cut = `${characters.slice(0, max).join('')}...`
  return rightToLeft.test(cut) ? `${isolate}${cut}${endOfIsolate}` : cut
}

/** Letters of the scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** Between these, the first letter decides on which side the text ends. */
const [isolate, endOfIsolate] = ['\u2068', '\u2069']

/** A type of relation as drawn: `took_part_in` reads as "took part in". */
export function wordsOf(relationType: string): string {
  return relationType.replace(/[-_]/g, ' ')
}
