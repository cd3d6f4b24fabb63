/** A text that an answer shows, and the entity under which it is shown. */
export type Shown = { entity: string; text: string }

/** A shorter excerpt of a longer text tells a reader too little to count. */
const excerptMin = 60

/** All texts in a structured answer, each with the closest enclosing entity name. */
export function readShown(answer: unknown, entity = ''): Shown[] {
  if (typeof answer === 'string') return [{ entity, text: answer }]
  if (Array.isArray(answer)) return answer.flatMap((part) => readShown(part, entity))
  if (typeof answer !== 'object' || answer === null) return []
  const name = nameIn(answer) ?? entity
  return Object.values(answer).flatMap((part) => readShown(part, name))
}

function nameIn(part: object): string | undefined {
  if ('entity' in part) {
    if (typeof part.entity === 'string') return part.entity
    return typeof part.entity === 'object' && part.entity !== null ? nameIn(part.entity) : undefined
  }
  return 'name' in part && typeof part.name === 'string' ? part.name : undefined
}

/** The share of the evidence that is shown; `textOf` maps ids of evidence to their texts. */
export function shareShown(
  evidence: readonly string[],
  textOf: ReadonlyMap<string, Shown>,
  shown: readonly Shown[],
): number {
  const seen = evidence
    .map((id) => textOf.get(id))
    .filter((text) => text !== undefined && isShown(text, shown))
  return seen.length / evidence.length
}

/** The id of the text that an excerpt comes from. */
export function findExcerpted(textOf: ReadonlyMap<string, Shown>, excerpt: Shown): string | undefined {
  return textOf.entries().find(([, text]) => isShown(text, [excerpt]))?.[0]
}

/** True if a text is shown whole, or if a substantial excerpt of a long one is shown. */
export function isShown({ entity, text }: Shown, shown: readonly Shown[]): boolean {
  return shown.some((part) => part.entity === entity && (part.text === text || isExcerpt(part.text, text)))
}

function isExcerpt(part: string, text: string): boolean {
  const pieces = part.split(/(?:^|\s)\.\.\.(?:\s|$)/)
  return pieces.some((piece) => piece.length >= excerptMin && text.includes(piece))
}
