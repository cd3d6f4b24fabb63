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
  return characters.length > max ? `${characters.slice(0, max).join('')}...` : label
}

/** A type of relation as drawn: `took_part_in` reads as "took part in". */
export function wordsOf(relationType: string): string {
  return relationType.replace(/[-_]/g, ' ')
}
