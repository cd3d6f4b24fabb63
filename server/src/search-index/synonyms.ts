import { readFileSync } from 'node:fs'
import { listLemmas } from './lemmas.ts'

const file = new URL('./synonyms.json', import.meta.url)
/**
 * Loaded with the first question that needs it. Each word starts with a capital; spaces separate the
 * groups.
 */
let groups: Record<'synonyms' | 'kinds', string> | undefined

const groupsMax = 4
const wordsMax = 12

/**
 * English words that share one of the most common meanings of a (folded) word, the most common meaning
 * first.
 */
export function findSynonyms(word: string): string[] {
  return listOthers(word, 'synonyms', (_, words) => words)
}

/** English hyponyms and hypernyms of a word ("meal": "lunch"). */
export function findKinds(word: string): string[] {
  return listOthers(word, 'kinds', (lemma, [head = '', ...kinds]) => (head === lemma ? kinds : [head]))
}

function listOthers(
  word: string,
  list: 'synonyms' | 'kinds',
  pick: (lemma: string, words: string[]) => string[],
): string[] {
  groups ??= JSON.parse(readFileSync(file, 'utf8')) as Record<typeof list, string>
  const lemmas = listLemmas(word)
  const others = new Set<string>()
  for (const lemma of lemmas) {
    for (const words of groupsWith(groups[list], lemma)) for (const one of pick(lemma, words)) others.add(one)
  }
  for (const lemma of lemmas) others.delete(lemma)
  return [...others].slice(0, wordsMax)
}

/** The first groups that contain a word. */
function groupsWith(text: string, word: string): string[][] {
  const written = `${word[0]!.toUpperCase()}${word.slice(1)}`
  const found: string[][] = []
  let at = text.indexOf(written)
  while (at >= 0 && found.length < groupsMax) {
    const next = text.charCodeAt(at + written.length)
    const isLonger = next >= firstSmall && next <= lastSmall
    const space = text.indexOf(' ', at)
    const end = space < 0 ? text.length : space
    if (!isLonger) found.push(wordsOf(text.slice(text.lastIndexOf(' ', at) + 1, end)))
    at = text.indexOf(written, isLonger ? at + 1 : end)
  }
  return found
}

const [firstSmall, lastSmall] = ['a'.charCodeAt(0), 'z'.charCodeAt(0)]
const wordsOf = (group: string) => (group.match(/[A-Z][a-z]+/g) ?? []).map((word) => word.toLowerCase())
