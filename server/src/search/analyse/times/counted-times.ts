import { matchesOf } from '../../../ground/lib/matches.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { type FoundTime, startOfDay, type TimeSpan } from './time-span.ts'

const numbers: Record<string, number> = {}
const numberWords = [
  'a an one ein eine einem einer un une una um uma een 一',
  'two zwei deux dos due dois duas twee 二 两 兩',
  'three drei trois tres tre três drie 三',
  'four vier quatre cuatro quattro quatro 四',
  'five fünf cinq cinco cinque vijf 五',
  'six sechs seis sei zes 六',
  'seven sieben sept siete sette sete zeven 七',
  'eight acht huit ocho otto oito 八',
  'nine neun neuf nueve nove negen 九',
  'ten zehn dix diez dieci dez tien 十',
  'eleven',
  'twelve',
]
numberWords.forEach((words, i) => {
  for (const word of words.split(' ')) numbers[word] = i + 1
})
/** Vague amounts, with their tolerance. */
const vague: Record<string, [count: number, off: number]> = {
  'a couple of': [2, 1],
  'a few': [3.5, 2],
  several: [5, 3],
  'ein paar': [3.5, 2],
  einigen: [5, 3],
  quelques: [3.5, 2],
  algunos: [3.5, 2],
  algunas: [3.5, 2],
}

const unitDays: [RegExp, number][] = [
  [/^(?:min|минут|分)/, 1 / (24 * 60)],
  [/^(?:h$|hour|stunde|heure|hora|or[ae]$|uur|час|小时|小時|時間|시간)/, 1 / 24],
  [/^(?:w$|wee?k|woche|semaine|semana|settiman|недел|个?星期|周|週|주)/, 7],
  [/^(?:month|monat|mois|mes|mês|maand|месяц|个月|個月|か月|ヶ月|カ月|달|개월)/, 30],
  [/^(?:year|jahr|an|anno|année|año|ano|jaar|год|лет|年|년)/, 365],
  [/^(?:d$|day|tag|jour|d[ií]a|giorn|dag|день|дня|дней|天|日|일)/, 1],
]

const wordBefore = '(?<![\\p{L}\\p{N}])'
const many = `(?<n>\\d{1,3}|${[
  ...Object.keys(vague),
  ...Object.keys(numbers).filter((word) => /^\p{Script=Latin}/u.test(word)),
]
  .sort((a, b) => b.length - a.length)
  .join('|')})\\s`

const ago = [
  `${wordBefore}${many}(?<u>minute|min|hour|day|week|month|year)s? ago(?!\\p{L})`,
  `${wordBefore}vor ${many}(?<u>minute|stunde|tag|woche|monat|jahr)(?:en|e|n|s)?(?!\\p{L})`,
  `${wordBefore}il y a ${many}(?<u>minute|heure|jour|semaine|mois|année|an)s?(?!\\p{L})`,
  `${wordBefore}hace ${many}(?<u>minuto|hora|d[ií]a|semana|mes|año)(?:es|s)?(?!\\p{L})`,
  `${wordBefore}${many}(?<u>minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa(?!\\p{L})`,
  `${wordBefore}há ${many}(?<u>minuto|hora|dia|semana|mês|mes|ano)(?:es|s)?(?!\\p{L})`,
  `${wordBefore}${many}(?<u>minuut|minuten|uur|dag|week|weken|maand|jaar)(?:en)? geleden(?!\\p{L})`,
  `${wordBefore}(?:(?<n>\\d{1,3}) )?(?<u>час|день|дня|дней|недел|месяц|год|лет)\\p{L}{0,2} назад(?!\\p{L})`,
  `${wordBefore}(?<n>\\d{1,3})(?<u>min|h|d|w) ago(?!\\p{L})`,
  '(?<!\\d)(?<n>\\d{1,3}|[一二两兩三四五六七八九十])\\s?(?<u>小时|小時|時間|天|日|个?星期|周|週|个月|個月|か月|ヶ月|カ月|年)間?(?:以)?前',
  '(?<!\\d)(?<n>\\d{1,3})\\s?(?<u>시간|일|주|달|개월|년)\\s?전',
].map((pattern) => new RegExp(pattern, 'gu'))

const past = [
  `${wordBefore}(?:last|past|previous) ${many.replace('a few', 'few').replace('a couple of', 'couple of')}(?<u>minute|min|hour|day|week|month|year)s?(?!\\p{L})`,
  `${wordBefore}(?:last|past|previous) (?<n>\\d{1,3})(?<u>min|h|d|w)(?!\\p{L})`,
  `${wordBefore}(?:letzten|vergangenen) ${many}(?<u>minute|stunde|tag|woche|monat|jahr)(?:en|e|n)?(?!\\p{L})`,
  `${wordBefore}${many}derni[eè]re?s (?<u>heure|jour|semaine|mois|année|an)s?(?!\\p{L})`,
  `${wordBefore}[úu]ltim[oa]s ${many}(?<u>hora|d[ií]a|semana|mes|mês|año|ano)(?:es|s)?(?!\\p{L})`,
].map((pattern) => new RegExp(pattern, 'gu'))

const ahead = [
  `${wordBefore}(?:next|coming) ${many.replace('a few', 'few').replace('a couple of', 'couple of')}(?<u>minute|min|hour|day|week|month|year)s?(?!\\p{L})`,
  `${wordBefore}(?:nächsten|kommenden) ${many}(?<u>minute|stunde|tag|woche|monat|jahr)(?:en|e|n)?(?!\\p{L})`,
  `${wordBefore}${many}prochaine?s (?<u>heure|jour|semaine|mois|année|an)s?(?!\\p{L})`,
  `${wordBefore}pr[óo]xim[oa]s ${many}(?<u>hora|d[ií]a|semana|mes|mês|año|ano)(?:es|s)?(?!\\p{L})`,
].map((pattern) => new RegExp(pattern, 'gu'))

/** "In 3 days" is a time only on its own: within a question it may be how long something took. */
const later = [
  `${wordBefore}${many}(?<u>day|week|month|year)s? from now(?!\\p{L})`,
  `^in ${many}(?<u>day|week|month|year)s?$`,
].map((pattern) => new RegExp(pattern, 'gu'))

type Counted = { count: number; off: number; unitMs: number }

const toAgo = ({ count, off, unitMs }: Counted, now: number): TimeSpan => ({
  from: now - (count + off) * unitMs,
  to: Math.min(now + 1, now - (count - off) * unitMs),
})
/** Includes the tolerance, since "the past few days" may be a few more. */
const toPast = ({ count, off, unitMs }: Counted, now: number): TimeSpan => ({
  from: now - Math.floor(count + off) * unitMs,
  to: now + 1,
})

/** To the end of the day, since its end was not counted. */
const toAhead = ({ count, off, unitMs }: Counted, now: number): TimeSpan => {
  const to = now + Math.floor(count + off) * unitMs
  return { from: now, to: unitMs < dayMs ? to : startOfDay(to) + dayMs }
}

const toLater = ({ count, off, unitMs }: Counted, now: number): TimeSpan => ({
  from: startOfDay(now + Math.ceil(count - off) * unitMs),
  to: startOfDay(now + Math.floor(count + off) * unitMs) + dayMs,
})

/** Finds "3 weeks ago", "a couple of days ago", "the last 24 hours", "the next 3 days" in a lower-case text. */
export function readCountedTimes(text: string, now: number): FoundTime[] {
  const readWith = (pattern: RegExp, toSpan: typeof toAgo) =>
    matchesOf(pattern, text).map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      spans: [toSpan(toCounted(match.groups ?? {}), now)],
    }))
  return [
    ...ago.flatMap((pattern) => readWith(pattern, toAgo)),
    ...past.flatMap((pattern) => readWith(pattern, toPast)),
    ...ahead.flatMap((pattern) => readWith(pattern, toAhead)),
    ...later.flatMap((pattern) => readWith(pattern, toLater)),
  ]
}

function toCounted({ n = 'a', u = '' }: Record<string, string | undefined>): Counted {
  const unit = unitDays.find(([names]) => names.test(u))?.[1] ?? 1
  const [count, off] = vague[n] ?? vague[`a ${n}`] ?? [numbers[n] ?? Number(n), 0.5]
  return { count, off, unitMs: unit * dayMs }
}
