import { foldCase, foldDiacritics } from './fold.ts'

/** Month names in lower case, January first, with `|` between spellings and inflections. */
const names = {
  en: 'january february march april may june july august september october november december',
  enShort: 'jan feb mar apr may jun jul aug sep|sept oct nov dec',
  de: 'januar|jänner februar märz|maerz april mai juni juli august september oktober november dezember',
  fr: 'janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
  ru:
    'январь|января|январе февраль|февраля|феврале март|марта|марте апрель|апреля|апреле май|мая|мае ' +
    'июнь|июня|июне июль|июля|июле август|августа|августе сентябрь|сентября|сентябре ' +
    'октябрь|октября|октябре ноябрь|ноября|ноябре декабрь|декабря|декабре',
  ar:
    'يناير فبراير|شباط مارس|آذار أبريل|ابريل|نيسان مايو|أيار يونيو|يونيه|حزيران يوليو|يوليه|تموز ' +
    'أغسطس|اغسطس سبتمبر|أيلول أكتوبر|اكتوبر نوفمبر ديسمبر',
} as const

/** Abbreviations that are also words in other languages, so they count only between a day and a year. */
const shortNames = {
  de: 'jän feb mär|mrz apr mai jun jul aug sep okt nov dez',
  fr: 'janv févr|fevr mars avr mai juin juil août sept oct nov déc',
  es: 'ene feb mar abr may jun jul ago sep|set oct nov dic',
  it: 'gen feb mar apr mag giu lug ago set ott nov dic',
  pt: 'jan fev mar abr mai jun jul ago set out nov dez',
  nl: 'jan feb mrt apr mei jun jul aug sep okt nov dec',
} as const

function toNumbers(lists: readonly string[]): Map<string, number> {
  const months = lists.flatMap((list) => list.split(' ').map((forms, i) => [forms, i + 1] as const))
  return new Map(months.flatMap(([forms, month]) => forms.split('|').map((form) => [form, month])))
}

const full = toNumbers(Object.values(names))
const english = toNumbers([names.en, names.enShort])
const short = toNumbers(Object.values(shortNames))
/** Month names in all languages of the analyser, in lower case. */
export const namesOfMonths: readonly string[] = [...full.keys()]

/** The same as words. */
export const monthWords: ReadonlySet<string> = new Set(
  namesOfMonths.map((name) => foldDiacritics(foldCase(name))),
)

/** English abbreviations of months ("jun"). */
export const shortMonthWords: readonly string[] = names.enShort.split(/[ |]/)

/** The number, 1 to 12, of a month from its lower-case name. */
export const monthOfName = (name: string): number | undefined => full.get(name)

/** The same, for English names only. */
export const monthOfEnglishName = (name: string): number | undefined => english.get(name)

/** The same, also for abbreviations. */
export const monthOfShortName = (name: string): number | undefined => full.get(name) ?? short.get(name)

/** Whether a folded word is a month name in a language of the analyser. */
export const isMonthName = (word: string): boolean => monthWords.has(word)
