/** Words that the rules would stem wrongly, with their stems. */
export const exceptions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ skis: 'ski', skies: 'sky', dying: 'die', lying: 'lie', tying: 'tie', idly: 'idl', gently: 'gentl' },
    ...{ ugly: 'ugli', early: 'earli', only: 'onli', singly: 'singl', sky: 'sky', news: 'news' },
    ...{ howe: 'howe', atlas: 'atlas', cosmos: 'cosmos', bias: 'bias', andes: 'andes' },
  }),
)
/** Words that are final after the first step. */
const finished = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))

type Ending = { suffix: string; replacement: string; before?: string }
/**
 * `ational:ate` replaces, `ness:` removes, `(l)ogi:og` replaces only after one of these letters.
 * Longest first.
 */
function endings(rules: string): Map<string, Ending[]> {
  const parsed = rules.split(' ').map((rule): Ending => {
    const [, before, suffix = '', replacement = ''] = /^(?:\((\w+)\))?(\w+):(\w*)$/.exec(rule) ?? []
    return { suffix, replacement, ...(before === undefined ? {} : { before }) }
  })
  parsed.sort((a, b) => b.suffix.length - a.suffix.length)
  return Map.groupBy(parsed, ({ suffix }) => suffix.at(-1)!)
}
const derivations = endings(
  'tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate alism:al ' +
    'aliti:al alli:al fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble (l)ogi:og fulli:ful ' +
    'lessli:less (cdeghkmnrt)li:',
)
const moreDerivations = endings(
  'tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:',
)
const lastDerivations = endings(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ism: ate: iti: ous: ive: ize: (st)ion:',
)

/** `Y` is a y used as a consonant. */
const isVowel = (letter: string | undefined) => letter !== undefined && 'aeiouy'.includes(letter)

/**
 * The stem of an English word of lower-case letters, by Porter2 (snowballstem.org/algorithms/english/stemmer.html).
 */
export function stemPorter2(text: string): string {
  if (text.length < 3) return text
  const exception = exceptions.get(text)
  if (exception !== undefined) return exception
  let word = cutPlural(text.includes('y') ? markConsonants(text) : text)
  if (!finished.has(word)) {
    word = cutInflection(word)
    if (/.[^aeiouy][yY]$/.test(word)) word = `${word.slice(0, -1)}i`
    const { r1, r2 } = regionsOf(word)
    word = replaceEnding(word, derivations, r1)
    word = replaceEnding(word, moreDerivations, r1, r2)
    word = replaceEnding(word, lastDerivations, r2)
    word = cutLast(word, r1, r2)
  }
  return word.includes('Y') ? word.toLowerCase() : word
}

const markConsonants = (word: string) => word.replace(/^y/, 'Y').replaceAll(/([aeiou])y/g, '$1Y')

function cutPlural(word: string): string {
  if (word.endsWith('sses') && word.length > 4) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) {
    return word.length > 4 ? word.slice(0, -2) : word.length === 4 ? word.slice(0, -1) : word
  }
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word
}

function cutInflection(word: string): string {
  for (const suffix of ['eedly', 'eed']) {
    if (!word.endsWith(suffix)) continue
    const start = word.length - suffix.length
    return start >= regionsOf(word).r1 ? `${word.slice(0, start)}ee` : word
  }
  const suffix = ['ingly', 'edly', 'ing', 'ed'].find((ending) => word.endsWith(ending))
  if (suffix === undefined) return word
  const stem = word.slice(0, -suffix.length)
  if (!hasVowel(stem, stem.length)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1)
  return endsShort(stem) && regionsOf(stem).r1 >= stem.length ? `${stem}e` : stem
}

function cutLast(word: string, r1: number, r2: number): string {
  const last = word.length - 1
  if (word.endsWith('e')) {
    const stem = word.slice(0, last)
    return last >= r2 || (last >= r1 && !endsShort(stem)) ? stem : word
  }
  return word.endsWith('ll') && last >= r2 ? word.slice(0, last) : word
}

/** Replaces the longest matching ending if it starts at or after `from`; "ative" only at or after `r2`. */
function replaceEnding(word: string, rules: Map<string, Ending[]>, from: number, r2 = from): string {
  const rule = rules.get(word.at(-1)!)?.find(({ suffix }) => word.endsWith(suffix))
  if (rule === undefined) return word
  const start = word.length - rule.suffix.length
  if (start < (rule.suffix === 'ative' ? r2 : from)) return word
  if (rule.before !== undefined && !(start > 0 && rule.before.includes(word[start - 1]!))) return word
  return word.slice(0, start) + rule.replacement
}

/** R1 starts after the first consonant that follows a vowel; R2 is the same, starting from R1. */
function regionsOf(word: string): { r1: number; r2: number } {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)
  const r1 = prefix === null ? regionAfter(word, 0) : prefix[0].length
  return { r1, r2: regionAfter(word, r1) }
}

function regionAfter(word: string, from: number): number {
  let at = from
  while (at < word.length && !isVowel(word[at])) at += 1
  while (at < word.length && isVowel(word[at])) at += 1
  return at + 1
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i += 1) if (isVowel(word[i])) return true
  return false
}

/** A vowel between consonants, the last not w, x or consonant y; or a vowel and a consonant alone. */
function endsShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]?$/.test(word)
}
