import { lemmaOfIrregular } from './english.ts'

/** WordNet's rules for the endings of nouns, verbs and adjectives; the letter before them may be doubled. */
const endings: [RegExp, string][] = [
  [/ies$/, 'y'],
  [/men$/, 'man'],
  [/(?<=s|x|z|ch|sh)es$/, ''],
  [/(?<!s)s$/, ''],
  [/(?:ed|ing|er|est)$/, ''],
  [/(?:ed|ing|er|est)$/, 'e'],
  [/ied$/, 'y'],
]
const lemmaLengthMin = 3

/** Possible base forms of an English word, the word itself first; not all of these are words. */
export function listLemmas(word: string): string[] {
  const lemmas = [word, lemmaOfIrregular(word)]
  for (const [ending, replacement] of endings) {
    if (!ending.test(word)) continue
    const lemma = word.replace(ending, replacement)
    lemmas.push(lemma, /([b-df-hj-np-tv-z])\1$/.test(lemma) ? lemma.slice(0, -1) : lemma)
  }
  return [...new Set(lemmas)].filter((lemma) => lemma.length >= lemmaLengthMin)
}
