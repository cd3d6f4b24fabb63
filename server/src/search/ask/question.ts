import { memoised } from '../../ground/lib/memoised.ts'
import { analyse, type Token, type Whole } from '../analyse/analyser.ts'
import { asksInFirstPerson } from '../analyse/first-person.ts'
import { foldCase } from '../analyse/fold.ts'
import { type Language, latinLanguages, stem } from '../analyse/languages.ts'
import { lettersOf } from '../analyse/name-letters.ts'
import { toFullNameTerm } from '../analyse/passages.ts'
import { isTimeWord } from '../analyse/time-words.ts'
import type { PassageFilter } from '../store/search.repo.ts'
import { type AnswerKind, readAnswerKind } from './answer-kind.ts'
import { readTimeWords } from './question-times.ts'

/** A word of the question, before it is matched with the vocabulary of the space. */
export type AskedWord = {
  term: string
  /** As written, folded. */
  surface: string
  /** Stems in other possible languages; other readings of a date. */
  otherStems: string[]
  /** Stands for a whole identifier, a pair of ideographs or a date. */
  isWhole: boolean
  /** The terms of the identifiers that contain it. */
  partOf: string[]
  /** Still being typed, so words that begin with it match too. */
  isPrefix: boolean
  isCapitalised: boolean
  /** The first word, function words included, whose capital says nothing. */
  isFirst: boolean
  /** Says when: that nothing stored has it tells nothing. */
  saysWhen: boolean
}

/** A query to the index. */
export type Inquiry = PassageFilter & {
  query: string
  /** Number of results wanted. */
  limit: number
  expand: boolean
  /** The last word may be incomplete. */
  typing: boolean
  /** Also search by meaning, if there is an embedder. */
  byMeaning: boolean
}

export type Question = Inquiry & {
  /** What it asks for, if its words say so. */
  kind: AnswerKind | undefined
  isFirstPerson: boolean
  words: AskedWord[]
  /** All its words, including function words, as terms and as written (folded), to match names. */
  terms: Set<string>
  written: Set<string>
  /** What may be a whole name. */
  fullNames: FullNames
  /** True if there are only function words, which are not indexed for observations. */
  isBare: boolean
  /** True if it is in a language that writes compounds as one word. */
  hasCompounds: boolean
  /** True if it may be in such a language. */
  mayHaveCompounds: boolean
  /** True unless it is certainly in another language. */
  mayBeEnglish: boolean
  /** True if it is certainly English. */
  isEnglish: boolean
  /** The terms of each quoted phrase, including function words. */
  phrases: string[][]
  /** Negated terms ("who does not eat fish"). */
  excluded: string[]
}

/** What is denied is then the matter itself: "Why didn't we take MySQL?", "How do I build without Docker?", "Isn't it red?" */
const asksWhyNot =
  /^\P{L}*(?:why|how(?! many)|wie(?! viele)|warum|wieso|weshalb|pourquoi|por qu[eé]|perch[eé]|waarom|почему|\p{L}+n['’]t)(?!\p{L})/iu

const wordsMax = 256
/** Longer queries are cut, since every token is checked against every identifier (quadratic time). */
const readTokensMax = 512
const datesMax = 64
const compoundingLanguages: readonly Language[] = ['de', 'nl']
/** Longer tokens are not words of any language, and stemmers take quadratic time. */
const stemmedLengthMax = 64
const partOfDate = /^\p{N}{1,2}$|[年月日号號년월일]/u
const latinWord = /^[\p{Script=Latin}'’]+$/u

export function readQuestion(inquiry: Inquiry, now: number): Question {
  const query = subjectOf(inquiry.query)
  const { tokens, wholes, dates, content, asked, language, isCertain } = readContent(query)
  const last = tokens.at(-1)
  const isOpen = inquiry.typing && last !== undefined && last.end === query.length
  const timeWords = readTimeWords(query, now)
  const words = asked.map((token): AskedWord => {
    const written = foldCase(query.slice(token.start, token.end))
    return {
      term: token.term,
      surface: token.surface,
      otherStems: isCertain && language === 'en' ? [] : otherStems(written, token.term),
      isWhole: false,
      partOf: wholes
        .filter(({ start, end }) => start <= token.start && token.end <= end)
        .map(({ term }) => term),
      isPrefix: isOpen && token === last,
      isCapitalised: /^\p{Lu}/u.test(query.slice(token.start, token.end)),
      isFirst: token === tokens[0],
      saysWhen: isTimeWord(token.surface) || timeWords.has(token.surface),
    }
  })
  const kept = wholes.flatMap((whole): AskedWord[] => {
    const [term, ...others] = termsOfWhole(whole, dates)
    if (term === undefined) return []
    return [
      {
        ...{ term, surface: term, otherStems: others, partOf: [] },
        ...{ isWhole: true, isPrefix: false, isCapitalised: false, isFirst: false, saysWhen: false },
      },
    ]
  })
  return {
    ...inquiry,
    kind: readAnswerKind(inquiry.query),
    isFirstPerson: asksInFirstPerson(inquiry.query),
    words: distinct([...words, ...kept]).slice(0, wordsMax),
    terms: new Set([...tokens, ...kept].map(({ term }) => term)),
    written: new Set(tokens.map(({ surface }) => surface)),
    fullNames: listFullNames(query, tokens),
    isBare: content.length === 0 && wholes.length === 0,
    hasCompounds: isCertain && compoundingLanguages.includes(language),
    mayHaveCompounds: !isCertain || compoundingLanguages.includes(language),
    mayBeEnglish: !isCertain || language === 'en',
    isEnglish: isCertain && language === 'en',
    phrases: readPhrases(query, tokens),
    excluded: readDenied(query, tokens, language),
  }
}

/** The words of a question's subject, and those among them that are asked for. */
function readContent(query: string) {
  const { language, isCertain, ...analysis } = analyse(query)
  const tokens = analysis.tokens.slice(0, readTokensMax)
  const wholes = analysis.wholes.slice(0, readTokensMax).filter(({ after }) => after < readTokensMax)
  const dates = wholes.filter(({ asked = [] }) => asked.length > 0).slice(0, datesMax)
  const content = withoutFillers(
    tokens.filter((token) => !token.isStop && !isPartOfDate(token, dates)),
    language,
  )
  const asked = content.length > 0 || dates.length > 0 ? content : tokens
  return { language, isCertain, tokens, wholes, dates, content, asked }
}

const termsOfWhole = (whole: Whole, dates: readonly Whole[]): readonly string[] =>
  whole.asked ?? (isPartOfDate(whole, dates) ? [] : [whole.term])

/** Words of a question that its answer does not repeat ("how many", "which customers might"). */
const englishFillers = new Set('many much might must anyone anybody anything everything'.split(' '))
/** The same in other languages: words that are nothing else anywhere, since the language of a short question is uncertain. */
const fillers = new Set(
  'wann wieso weshalb wieviel wieviele combien cuanto cuantos cuantas quanti quante quantos quantas hoeveel сколько'.split(
    ' ',
  ),
)

/** All words if there are only fillers. */
function withoutFillers(content: readonly Token[], language: Language): readonly Token[] {
  const kept = content.filter(
    ({ surface }) => !fillers.has(surface) && !(language === 'en' && englishFillers.has(surface)),
  )
  return kept.length === 0 ? content : kept
}

/** Days and months of dates are matched only as whole dates, since numbers can mean anything. */
function isPartOfDate({ term, start, end }: Token | Whole, dates: readonly Whole[]): boolean {
  return partOfDate.test(term) && dates.some((date) => start >= date.start && end <= date.end)
}

/** The language of a short query is uncertain, and texts are stemmed in their own language. */
function otherStems(word: string, term: string): string[] {
  if (word.length > stemmedLengthMax || !latinWord.test(word)) return []
  return listStems(word).filter((other) => other !== term)
}

const stemmedWordsMax = 2_000
const listStems = memoised(stemmedWordsMax, (word) => [
  ...new Set(latinLanguages.map((language) => stem(word, language))),
])

function distinct(words: readonly AskedWord[]): AskedWord[] {
  const byTerm = new Map<string, AskedWord>()
  for (const word of words) {
    const known = byTerm.get(word.term)
    if (known === undefined) byTerm.set(word.term, word)
    else if (word.isPrefix) known.isPrefix = true
  }
  return [...byTerm.values()]
}

const starts = [
  '(?:please |can you |could you |would you )*(?:tell|remind|give|show|send) (?:me|us)(?: again)?',
  '(?:please |can you |could you )*(?:list|show|enumerate|name|describe|explain|summari[sz]e|recall|remember|look up|find)',
  '(?:what|which things?) (?:do|did|does|can|could) (?:you|i|we|one) (?:already |still )?(?:know|remember|recall|have|say|learn)',
  '(?:do|did) (?:you|i|we) (?:already |still )?(?:know|remember|recall|have)',
  '(?:what|which) (?:is|was|are|were|else is)(?: already| still)? (?:known|remembered|stored|saved|recorded)',
  '(?:what|which) (?:have|had) (?:you|i|we) (?:stored|saved|learned|learnt|recorded|remembered|noted)',
  'was wei(?:ss|ß)t? (?:du|ich|man)|was wissen wir|erzähl(?:e)? mir|zeig(?:e)? mir|liste',
  'que sais-tu|que savons-nous|parle-moi|qu[ée] sabes|que sabemos|dime|cosa sai|o que (?:você )?sabe',
]
const askingFillers =
  '(?:[\\s,:]+(?:all|any|anything|everything|something|more|stuff|facts?|details?|info(?:rmation)?|things|alles|etwas|tout|todo|tutto|tudo))*'
const links =
  '(?:[\\s,:]+(?:about|regarding|concerning|on|of|that|what|(?:ü|ue)ber|von|zu|sur|de|sobre|di|da|su|om)(?=\\s))?'
const asking = new RegExp(`^(?:${starts.join('|')})${askingFillers}${links}[\\s,:]+(?=\\S)`, 'iu')

/** The question without introductory words ("What do you know about", "Tell me about", "List"). */
export function subjectOf(query: string): string {
  const subject = query.replace(asking, '')
  return /[\p{L}\p{N}]/u.test(subject) ? subject : query
}

const nameTokensMax = 40
const nameWordsMax = 6

/** Words of a question in a row that may be a whole name, by its term in the index. */
type FullNames = ReadonlyMap<string, readonly Token[]>

/** Function words alone are no name. */
function listFullNames(query: string, all: readonly Token[]): FullNames {
  const tokens = all.slice(0, nameTokensMax)
  const own = tokens.map(({ start, end }) => lettersOf(query.slice(start, end)))
  /** With what stands before the next word. */
  const withNext = tokens.map(({ start }, i) => lettersOf(query.slice(start, all[i + 1]?.start)))
  const names = new Map<string, readonly Token[]>()
  for (let first = 0; first < tokens.length; first += 1) {
    const end = Math.min(tokens.length, first + nameWordsMax)
    let before = ''
    let hasContent = false
    for (let last = first; last < end; last += 1) {
      hasContent ||= !tokens[last]!.isStop
      if (hasContent) names.set(toFullNameTerm(before + own[last]!), tokens.slice(first, last + 1))
      before += withNext[last]!
    }
  }
  return names
}

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
/** `clauseStarts` end a negation; `noNegationBefore` are words before which "not" does not negate ("not only"). */
const clauseStarts =
  wordsOf(`but and because that which who while although though aber sondern und weil dass mais et car que
  qui pero y porque quien e perche che mas quem maar omdat а но и что который`)
const noNegationBefore = wordsOf('only just nur seulement solo apenas alleen только')
const clauseEnd = /[,.;:?!()。，、！？\n]/
const excludedPerNegation = 4

/** All up to the last sentence; what ends a sentence is no abbreviation. */
const sentencesBefore = /^.*(?:!|\p{Ll}{3}["”»)]{0,2}\.)\s+/su

/** What sentences before the question deny is told, not asked: "My object will not fit on one line. What do I delete?" */
function readDenied(query: string, tokens: readonly Token[], language: Language): string[] {
  const before = query.slice(0, Math.max(0, query.indexOf('?')))
  const from = sentencesBefore.exec(before)?.[0].length ?? 0
  if (asksWhyNot.test(query.slice(from))) return []
  const asking = tokens.filter(({ start }) => start >= from)
  return readExcluded(query, asking, language)
}

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
    if (clauseStarts.has(token.surface) || clauseEnd.test(query.slice(tokens[i - 1]!.end, token.start))) break
    if (!token.isStop && !isLonger(token, tokens[i - 1]!)) negated.push(token.term)
  }
  return negated
}

/** "No longer" and "not yet" are about time, so "longer" and "yet" are not negated terms. */
const isLonger = ({ surface }: Token, before: Token) =>
  surface === 'yet' || (before.surface === 'no' && surface === 'longer')
