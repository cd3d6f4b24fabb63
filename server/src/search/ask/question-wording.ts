import type { Token } from '../analyse/analyser.ts'
import type { Language } from '../analyse/languages.ts'

const quotes =
  /(?<![\p{L}\p{N}])"([^"]{1,300})"(?![\p{L}\p{N}])|[“„]([^“”„]{1,300})[”“]|«([^«»]{1,300})»|»([^«»]{1,300})«|「([^「」]{1,300})」/dgu
const phraseLengthMin = 2
const phrasesMax = 8
/** Only the first words of a query are scanned for negations. */
const readWordsMax = 256

/** The terms of each quoted phrase of at least two words, including function words. */
export function readPhrases(query: string, tokens: readonly Token[]): string[][] {
  const phrases: string[][] = []
  for (const { indices } of query.matchAll(quotes).take(phrasesMax)) {
    const [start, end] = indices!.slice(1).find((span) => span !== undefined)!
    const inside = tokens.filter((token) => token.start >= start && token.end <= end)
    if (inside.length >= phraseLengthMin) phrases.push(inside.map(({ term }) => term))
  }
  return phrases
}

const wordsOf = (text: string) => new Set(text.split(/\s+/))

/** Folded like tokens; each list applies only to questions in its language. */
const negations: Partial<Record<Language, Set<string>>> = {
  en: wordsOf(`no not never without cannot cant dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont
    wouldnt couldnt shouldnt mustnt neither nor nobody nicht ohne kein keine keinen keiner keinem keines niemals
    niet geen zonder senza не без нет никогда`),
  de: wordsOf('nicht ohne kein keine keinen keiner keinem keines nie niemals'),
  fr: wordsOf('pas sans jamais aucun aucune'),
  es: wordsOf('no sin nunca jamas ningun ninguna ninguno'),
  it: wordsOf('non senza mai nessun nessuno nessuna'),
  pt: wordsOf('nao sem nunca nenhum nenhuma'),
  nl: wordsOf('niet geen zonder nooit'),
}
/** `turns` end a negation; `noNegationBefore` are words before which "not" does not negate ("not only"). */
const turns =
  wordsOf(`but and because that which who while although though aber sondern und weil dass mais et car que
  qui pero y porque quien e perche che mas quem maar omdat а но и что который`)
const noNegationBefore = wordsOf('only just nur seulement solo apenas alleen только')
const clauseEnd = /[,.;:?!()。，、！？\n]/
const excludedPerNegation = 4

/** The negated terms of a question: the content words after "not", "without" or "ohne" up to the end of the clause. */
export function readExcluded(query: string, tokens: readonly Token[], language: Language): string[] {
  const known = negations[language]
  if (known === undefined) return []
  const excluded = new Set<string>()
  tokens.slice(0, readWordsMax).forEach((token, place) => {
    if (!known.has(token.surface)) return
    for (const term of negatedBy(query, tokens, place)) excluded.add(term)
  })
  return [...excluded]
}

function negatedBy(query: string, tokens: readonly Token[], negation: number): string[] {
  const next = tokens[negation + 1]
  if (next !== undefined && noNegationBefore.has(next.surface)) return []
  const negated: string[] = []
  for (let i = negation + 1; i < tokens.length && negated.length < excludedPerNegation; i += 1) {
    const token = tokens[i]!
    if (turns.has(token.surface) || clauseEnd.test(query.slice(tokens[i - 1]!.end, token.start))) break
    if (!token.isStop && !isLonger(token, tokens[i - 1]!)) negated.push(token.term)
  }
  return negated
}

/** "No longer" and "not yet" are about time, so "longer" and "yet" are not negated terms. */
const isLonger = ({ surface }: Token, before: Token) =>
  surface === 'yet' || (before.surface === 'no' && surface === 'longer')
