/** Endings of English words, with those that the same word may have in their place, the most likely first. */
const endings: readonly (readonly [string, readonly string[]])[] = [
  ['ies', ['y', 'ie']],
  ['ied', ['y']],
  ['ves', ['f', 'fe']],
  ['es', ['e']],
  ['s', ['']],
  ['ches', ['ch']],
  ['shes', ['sh']],
  ['sses', ['ss']],
  ['xes', ['x']],
  ['oes', ['o']],
  ['ed', ['', 'e']],
  ['ing', ['', 'e']],
  ['ers', ['er', '', 'e']],
  ['er', ['', 'e']],
  ['or', ['e', '']],
  ['est', ['', 'e']],
  ['ise', ['ize']],
  ['ised', ['ized']],
  ['isation', ['ization']],
  ['our', ['or']],
  ['oured', ['ored']],
  ['ly', ['', 'le']],
  ['ness', ['']],
  ['less', ['']],
  ['ation', ['ate', 'e']],
  ['y', ['', 'e']],
  ['', ['s', 'es', 'ed', 'd', 'ing', 'er']],
]
const prefixes = 'non anti multi pre un re mis dis over under sub super micro'.split(' ')
/** Before these a consonant may be doubled ("planned"), and what they follow in other words is longer ("larder"). */
const verbEndings = new Set(['ed', 'ing', 'er', 'ers', 'est'])
const longBaseOf = new Set([...verbEndings, 'or', 'ly', 'y'])
const wordMin = 3
const longBaseMin = 4
const partMin = 4
const lengthMax = 30

/** Another inflection of a word, or the word that it is made from, if that is known. */
export function toBase(word: string, isKnown: (word: string) => boolean): string | undefined {
  if (word.length > lengthMax) return undefined
  for (const [ending, others] of endings) {
    if (!word.endsWith(ending)) continue
    const base = word.slice(0, word.length - ending.length)
    if (longBaseOf.has(ending) && base.length < longBaseMin) continue
    const known = others.find((other) => base.length + other.length >= wordMin && isKnown(base + other))
    if (known !== undefined) return base + known
    const single = base.slice(0, -1)
    if (verbEndings.has(ending) && base.endsWith(single.at(-1)!) && isKnown(single)) return single
  }
  return undefined
}

/** What an unknown English word is made of: its base, or its parts ("lawnmower"). */
export function toKin(word: string, isKnown: (word: string) => boolean): readonly string[] {
  if (word.length > lengthMax || word.length <= wordMin) return []
  const base = toBase(word, isKnown)
  if (base !== undefined) return [base]
  for (const prefix of prefixes) {
    const rest = word.slice(prefix.length)
    if (!word.startsWith(prefix) || rest.length < partMin) continue
    const found = isKnown(rest) ? rest : toBase(rest, isKnown)
    if (found !== undefined) return [found]
  }
  for (let at = word.length - partMin; at >= partMin; at -= 1) {
    const [first, last] = [word.slice(0, at), word.slice(at)]
    if (!isKnown(first)) continue
    if (isKnown(last)) return [first, last]
    if (last.endsWith('s') && isKnown(last.slice(0, -1))) return [first, last.slice(0, -1)]
  }
  return []
}
