/** Linking letters in German and Dutch compounds; a part may also be stored with one of them as its ending. */
const links = ['', 's', 'es', 'n', 'en', 'er', 'e']
const partLengthMin = 3
const longPartMin = 4
const partsMax = 3
const splitLengthMin = 8
const splitLengthMax = 40

/** All possible parts of a long word, with their possible endings. */
export function listParts(word: string): string[] {
  if (word.length < splitLengthMin || word.length > splitLengthMax) return []
  const parts = new Set<string>()
  for (let from = 0; from + partLengthMin <= word.length; from += 1) {
    for (let to = from + partLengthMin; to <= word.length; to += 1) {
      const isOuter = (from === 0) !== (to === word.length)
      if (from === 0 && to === word.length) continue
      for (const form of isOuter ? formsOf(word.slice(from, to)) : [word.slice(from, to)]) parts.add(form)
    }
  }
  return [...parts]
}

const formsOf = (part: string) => links.map((ending) => part + ending)

/** The fewest known words that make up a word ("Autoverkauf"), in their known form; empty if it cannot be split. */
export function splitWord(word: string, isKnown: (part: string) => boolean): string[] {
  for (let count = 2; count <= partsMax; count += 1) {
    const parts = splitFrom(word, 0, count, isKnown)
    if (parts?.some((part) => part.length > longPartMin)) return parts
  }
  return []
}

function splitFrom(
  word: string,
  from: number,
  count: number,
  isKnown: (part: string) => boolean,
): string[] | undefined {
  if (count === 1) {
    const last = word.length - from < partLengthMin ? undefined : formsOf(word.slice(from)).find(isKnown)
    return last === undefined ? undefined : [last]
  }
  for (let to = word.length - partLengthMin; to >= from + partLengthMin; to -= 1) {
    const part = formsOf(word.slice(from, to)).find(isKnown)
    if (part === undefined) continue
    for (const link of links) {
      if (!word.startsWith(link, to)) continue
      const rest = splitFrom(word, to + link.length, count - 1, isKnown)
      if (rest !== undefined) return [part, ...rest]
    }
  }
  return undefined
}
