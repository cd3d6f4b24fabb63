import { stemmer as stemArabic } from '@orama/stemmers/arabic'
import { stemmer as stemDutch } from '@orama/stemmers/dutch'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import { stemmer as stemGerman } from '@orama/stemmers/german'
import { stemmer as stemItalian } from '@orama/stemmers/italian'
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese'
import { stemmer as stemRussian } from '@orama/stemmers/russian'
import { stemmer as stemSpanish } from '@orama/stemmers/spanish'
import { isEnglishWord } from './dictionary.ts'
import { stemEnglish } from './english.ts'
import { foldDiacritics } from './fold.ts'

export type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'pt' | 'nl' | 'ru' | 'ar'

/** "And" and "so" are prefixed to the article, which the stemmer removes only at the start. */
const conjunctionBeforeArticle = /^[وف](?=(?:ال|بال|كال|لل)\p{L}{3})/u

const stemmers: Record<Language, (word: string) => string> = {
  en: (word) => stemEnglish(foldDiacritics(word)),
  de: stemGerman,
  fr: stemFrench,
  es: stemSpanish,
  it: stemItalian,
  pt: stemPortuguese,
  nl: stemDutch,
  ru: stemRussian,
  ar: (word) => stemArabic(word.replace(conjunctionBeforeArticle, '')),
}

/** Languages in Latin script, told apart by their function words; English is the default. */
export const latinLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const satisfies Language[]

function bitOf(language: Language): number {
  const index = (latinLanguages as readonly Language[]).indexOf(language)
  return index < 0 ? 0 : 1 << index
}

/**
 * Words without content, by language: articles, pronouns, prepositions, auxiliaries, question words.
 * They are not indexed, and they identify the language of a text.
 */
const functionWords = {
  en: `a about above after again against all am an and any are aren arent as at be because been before being
    below between both but by can cannot cant could couldn couldnt did didn didnt do does doesn doesnt doing
    don dont down during each few for from further had hadn hadnt has hasn hasnt have haven havent having he
    hed hell her here hers herself hes him himself his how i id if ill im in into is isn isnt it its itself
    ive just let lets me more most mustn my myself no nor not of off on once only or other ought our ours
    ourselves out over own same shall shan she shes should shouldn shouldnt so some such than that thats the
    their theirs them themselves then there theres these they theyre theyve this those through to too under
    until up us very was wasn wasnt we were weren werent weve what whats when where which while who whom
    whose why will with won wont would wouldn wouldnt yes you youd youll your youre yours yourself
    yourselves youve`,
  de: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist
    da damit dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir
    doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gibt hab habe haben
    hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede
    jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner können könnte man manche mein meine
    meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem
    seinen seiner seit sich sie sind so solche soll sollte sondern sonst über um und uns unser unsere unter
    viel vom von vor war waren warum was weg weil weiter welche welchem welchen welcher welches wem wen wenn
    wer werde werden wie wieder will wir wird wirst wo wohin wollen worden wurde wurden würde zu zum zur
    zwar zwischen`,
  fr: `à ai aie aient ait alors as au aucun aussi autre aux avait avec avez avoir avons c ça ce ceci cela ces
    cet cette ceux chez ci comme comment d dans de depuis des donc dont du elle elles en encore entre es est
    et étaient était étant été être eu eux fait il ils j je jusque l la là le lequel les leur leurs lui m ma
    mais me même mes mon n ne ni nos notre nous on ont ou où par parce pas pendant plus pour pourquoi qu
    quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous suis sur t ta te tes
    toi ton tous tout toute très tu un une vers vos votre vous y`,
  es: `a al algo algunos ante antes aquel aquella aunque como con contra cual cuál cuando cuándo de del desde
    dónde donde durante e el él ella ellas ellos en entre era eran es esa ese eso esta está están estaba este
    esto estos fue fueron ha había hace han has hasta hay la las le les lo los más me mi mis mucho muy nada ni
    no nos nosotros nuestra nuestro o os otra otro para pero poco por porque qué que quien quién se sea ser si
    sí sin sobre son soy su sus también tanto te tiene tienen todo todos tu tus un una uno unos y ya yo`,
  it: `a ad agli ai al alla alle allo anche avere aveva c che chi ci come con contro cosa cui da dagli dai dal
    dalla dalle de degli dei del della delle dello di dove e è ed era erano essere fra gli ha hai hanno ho i
    il in io l la le lei li lo loro lui ma mi mia mio molto ne negli nei nel nella nelle no noi non nostro o
    ogni per perché più poi quale quando quanto quella quelle quelli quello questa queste questi questo se
    sei si sia siamo sono sta stato su sua sue sugli sui sul sulla suo suoi ti tra tu tua tuo tutti tutto un
    una uno vi voi`,
  pt: `a à ao aos as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era
    eram essa esse esta está estão estava este eu foi foram há isso isto já lhe mais mas me mesmo meu minha
    muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelo pelos por porque qual
    quando que quem se sem ser seu seus só sua suas também te tem têm ter teu tinha tu tua um uma você vocês`,
  nl: `aan af al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er
    ge geen had heb hebben heeft hem het hier hij hoe hun ik in is ja je jij jou jouw kan kon kunnen maar me
    meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over te tegen toch
    toen tot u uit uw van veel voor waar waarom wanneer want waren was wat we wel werd wie wij wil worden
    wordt zal ze zelf zich zij zijn zo zonder zou`,
  ru: `а без бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если
    есть еще же за здесь и из или им их к как какая какие какой когда кого кто куда ли мне меня мой моя мы на
    над надо нам нас наш не него нее нет ни них но ну о об он она они оно от очень по под почему при про с
    свой себя со так также такой там то тогда того тоже только том ты у уже чего чей чем что чтобы эта эти
    это этого этой этом этот я`,
  ar: `في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم هن أنا أنت نحن كان كانت يكون قد لقد لا لم لن
    ما ماذا متى أين كيف لماذا هل أن إن أو ثم و ف ب ل ك كل بعض بين بعد قبل عند حتى إذا كما أي لكن ليس غير`,
}

const stopWordsOf = new Map<Language, Set<string>>()
const masks = new Map<string, number>()
for (const [language, words] of Object.entries(functionWords) as [Language, string][]) {
  const folded = words.split(/\s+/).map(foldDiacritics)
  stopWordsOf.set(language, new Set(folded))
  const bit = bitOf(language)
  if (bit !== 0) for (const word of folded) masks.set(word, (masks.get(word) ?? 0) | bit)
}

const cyrillic = /\p{Script=Cyrillic}/u
const arabic = /\p{Script=Arabic}/u

/** The language used to stem a word: its script's, or for Latin script that of the text. */
export function languageOfWord(word: string, textLanguage: Language): Language {
  if (word.charCodeAt(0) < 0x250) return textLanguage
  if (cyrillic.test(word)) return 'ru'
  if (arabic.test(word)) return 'ar'
  return textLanguage
}

/** The Latin-script languages, as bits, that have the (folded) word among their function words. */
export function functionWordMask(word: string): number {
  return masks.get(word) ?? 0
}

export function isStopWord(word: string, language: Language): boolean {
  return stopWordsOf.get(language)?.has(word) ?? false
}

/** The function words of all languages. */
export const listFunctionWords = (): string[] => [...stopWordsOf.values()].flatMap((words) => [...words])

/** The stem of a lower-case word with diacritics; the stem has none. */
export function stem(word: string, language: Language): string {
  return foldDiacritics(stemmers[language](word)) || foldDiacritics(word)
}

/** Letters that identify a language on their own. */
const tellingLetters: [RegExp, Language][] = [
  [/[äöüß]/i, 'de'],
  [/[èêçœùîû]/i, 'fr'],
  [/[ñ¿]/i, 'es'],
  [/[ãõ]/i, 'pt'],
]
const beyondAscii = /\P{ASCII}/u

/** The Latin-script languages, as bits, that the letters of a word suggest. */
export function letterMask(word: string): number {
  if (!beyondAscii.test(word)) return 0
  const told = tellingLetters.filter(([letters]) => letters.test(word))
  return told.reduce((mask, [, language]) => mask | bitOf(language), 0)
}

const english = bitOf('en')

/**
 * Weight of a word for English against all other languages: if the sum over a text is at least 0, the
 * text is English.
 */
export const speakForEnglish = (functionWordMask: number): number =>
  functionWordMask === english ? 1 : functionWordMask === 0 || functionWordMask & english ? 0 : -1

/**
 * One vote per function word, and two for characteristic letters if nothing is English: names have such
 * letters too.
 */
function countVotes(chunks: readonly { functionWordMask: number; letterMask: number }[]): number[] {
  let letters = 0
  const votes = latinLanguages.map(() => 0)
  for (const chunk of chunks) {
    letters |= chunk.letterMask
    if (chunk.functionWordMask === 0) continue
    for (let i = 0; i < votes.length; i += 1) if (chunk.functionWordMask & (1 << i)) votes[i]! += 1
  }
  const english = votes[0]!
  return english > 0 ? votes : votes.map((count, i) => (letters & (1 << i) ? count + 2 : count))
}

/**
 * The language of a text by its function words and letters, and whether that is certain. A language
 * other than English needs two votes and more than English has: a name ("Los Angeles") or a loanword
 * must not decide.
 */
export function detectLanguage(chunks: readonly { functionWordMask: number; letterMask: number }[]): {
  language: Language
  isCertain: boolean
} {
  const votes = countVotes(chunks)
  let best = 0
  for (let i = 1; i < votes.length; i += 1) if (votes[i]! > votes[best]!) best = i
  return votes[best]! >= 2
    ? { language: latinLanguages[best] ?? 'en', isCertain: true }
    : { language: 'en', isCertain: false }
}

type TextPart = { functionWordMask: number; letterMask: number }
const plainLetters = /^[a-z]+$/
const englishWordsMin = 2

/**
 * The language of a text and whether it is certain, as `detectLanguage` does, except that letters tell nothing among
 * English words: notes without function words often contain foreign names ("Speaker dinner, Brauhaus Früh").
 * `learntIn` returns the words of a part for the vocabulary, folded.
 */
export function detectTextLanguage<T extends TextPart>(
  parts: readonly T[],
  learntIn: (part: T) => readonly string[],
): { language: Language; isCertain: boolean } {
  const detected = detectLanguage(parts)
  if (detected.language === 'en' || !isToldByLetters(parts)) return detected
  const words = parts
    .filter(({ letterMask }) => letterMask === 0)
    .flatMap(learntIn)
    .filter((word) => plainLetters.test(word))
  const english = words.filter(isEnglishWord).length
  const isEnglish = english >= englishWordsMin && english * 2 > words.length
  return isEnglish ? { language: 'en', isCertain: false } : detected
}

const isToldByLetters = (parts: readonly TextPart[]) =>
  parts.some(({ letterMask }) => letterMask !== 0) &&
  detectLanguage(parts.map((part) => ({ ...part, letterMask: 0 }))).language === 'en'
