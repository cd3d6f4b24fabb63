import { matchesOf } from '../../ground/lib/matches.ts'

/** A number, share, time of day or phone number as one term, however it is written; offsets are UTF-16. */
export type Quantity = { term: string; start: number; end: number }

const digit = /\d/

/** The quantities of a text that cannot be read from its words alone. */
export function readQuantities(text: string): Quantity[] {
  if (!digit.test(text)) return []
  const quantities = [...readNumbers(text), ...readTimes(text), ...readPhones(text)]
  return quantities.filter(({ term, start, end }) => term !== asWord(text.slice(start, end)))
}

/** The term of a number as a word. */
const asWord = (text: string) => text.replaceAll(/,(?=\d{3}(?!\d))/g, '')

const numbers =
  /(?<![\p{L}\p{N}_]|\p{N}[.,:])(?:\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?|\d{1,15}(?:[.,]\d{1,6})?)(?![.,:]?\p{N})/gu
const percent =
  /^[ \u00a0\u202f]?(?:[%％]|(?:percent|per cent|pct|prozent|pour cent|por ciento|por cento|per cento|procent|процент(?:а|ов)?)(?!\p{L}))/iu
const letterScale = /^([kKMB])(?![\p{L}\p{N}_])/u
const wordScale =
  /^[ \u00a0\u202f-]?(?:(thousand|tausend|tsd|mille|mila|duizend|тыс)|(millions?|millionen|mio|mln|mn|millón|millones|milione|milioni|milhão|milhões|miljoen|млн|миллион(?:а|ов)?)|(billions?|bn|mrd|mld|milliarden?|milliards?|miliardi|miljard|млрд|миллиард(?:а|ов)?))(?!\p{L})/iu
const hanScale = /^([万萬億亿])/u
const scaleOf: Record<string, number> = {
  ...{ k: 1e3, K: 1e3, M: 1e6, B: 1e9 },
  ...{ 万: 1e4, 萬: 1e4, 億: 1e8, 亿: 1e8 },
}
const lookAhead = 16

function* readNumbers(text: string): Generator<Quantity> {
  for (const { 0: written, index: start } of matchesOf(numbers, text)) {
    const end = start + written.length
    const after = text.slice(end, end + lookAhead)
    const share = percent.exec(after)
    if (share !== null) {
      yield { term: `${toPlain(written)}:percent`, start, end: end + share[0].length }
      continue
    }
    const scale = readScale(after)
    const plain = toPlain(written)
    if (scale === undefined) yield { term: plain, start, end }
    else yield { term: multiply(plain, scale.factor), start, end: end + scale.length }
  }
}

function readScale(after: string): { factor: number; length: number } | undefined {
  const symbol = letterScale.exec(after) ?? hanScale.exec(after)
  if (symbol !== null) return { factor: scaleOf[symbol[1]!]!, length: symbol[0].length }
  const word = wordScale.exec(after)
  if (word === null) return undefined
  return { factor: word[1] ? 1e3 : word[2] ? 1e6 : 1e9, length: word[0].length }
}

const multiply = (plain: string, factor: number) => String(Math.round(Number(plain) * factor * 100) / 100)

/**
 * Normalises a number to a decimal point and no other separator: of two kinds of separator, the last is
 * the decimal one; a comma before three digits, or any separator that occurs twice, is not. Decimals
 * that are all zeros are dropped.
 */
function toPlain(written: string): string {
  const marks = written.match(/[.,]/g) ?? []
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))
  const decimals = last < 0 ? '' : written.slice(last + 1)
  const isGrouping =
    marks.length === 0 ||
    (marks.length > 1 && marks.every((mark) => mark === marks[0])) ||
    (marks.length === 1 && marks[0] === ',' && decimals.length === 3)
  if (isGrouping) return written.replaceAll(/\D/g, '')
  const whole = written.slice(0, last).replaceAll(/\D/g, '')
  return /^0*$/.test(decimals) ? whole : `${whole}.${decimals}`
}

const times =
  /(?<![\p{L}\p{N}_]|\p{N}[.,:-])([01]?\d|2[0-3])(?:([:.h])([0-5]\d)(?::[0-5]\d)?)?(?:[ \u00a0\u202f]?(?:([ap])\.?m(?!\p{L})|(Uhr)(?:[ \u00a0\u202f]([0-5]\d)(?!\p{N}))?))?(?![.,:]?\p{N}|\p{L})/giu

function* readTimes(text: string): Generator<Quantity> {
  for (const match of matchesOf(times, text)) {
    const [written, hour = '', mark, minute, half, clock, minuteAfter] = match
    const isTime = half !== undefined || clock !== undefined || mark === ':' || mark?.toLowerCase() === 'h'
    if (!isTime) continue
    const hours =
      half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    const term = `${String(hours).padStart(2, '0')}:${minute ?? minuteAfter ?? '00'}`
    yield { term, start: match.index, end: match.index + written.length }
  }
}

/** With a country code, or starting with a zero or an area code in brackets, or grouped as in the USA. */
const phones =
  /(?<![\p{L}\p{N}_.,/:-])(?:(?:\+|00)[1-9](?:[ \-./]?\(?\d+\)?){1,7}|\(?0\d{1,5}\)?(?:[ \-./]{1,2}\d{2,}){1,5}|0\d{7,13}|\(?\d{3}\)?[ \-.]\d{3}[ \-.]\d{4})(?![.,:]?\p{N}|[\p{L}_])/gu
const date = /^\d{1,4}[-./ ]\d{1,2}[-./ ]\d{2,4}$/
const [phoneDigitsMin, phoneDigitsMax] = [7, 15]

/** As all digits, and as the last seven, which are the same with and without the country code. */
function* readPhones(text: string): Generator<Quantity> {
  for (const { 0: written, index: start } of matchesOf(phones, text)) {
    const digits = written.replace('(0)', '').replaceAll(/\D/g, '').replace(/^00/, '')
    const isPhone = digits.length >= phoneDigitsMin && digits.length <= phoneDigitsMax && !date.test(written)
    if (!isPhone) continue
    const end = start + written.length
    yield { term: digits, start, end }
    yield { term: `tel:${digits.slice(-phoneDigitsMin)}`, start, end }
  }
}
