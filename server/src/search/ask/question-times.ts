import { MomentBound } from '@loci/contract/text'
import { dayMs, fromIso } from '../../ground/lib/time.ts'
import { analyse } from '../analyse/analyser.ts'
import { toPlain } from '../analyse/dates.ts'
import { foldDiacritics } from '../analyse/fold.ts'
import { isStopWord, type Language } from '../analyse/languages.ts'
import { readCalendarTimes } from '../analyse/times/calendar-times.ts'
import { readCountedTimes } from '../analyse/times/counted-times.ts'
import { looksAhead } from '../analyse/times/looks-ahead.ts'
import { bound } from '../analyse/times/open-periods.ts'
import { narrow } from '../analyse/times/period-parts.ts'
import { joinRanges } from '../analyse/times/ranges.ts'
import { readRelativeTimes } from '../analyse/times/relative-times.ts'
import { mayNameTime } from '../analyse/times/time-hint.ts'
import { earliest, type FoundTime, type TimeSpan, withoutOverlaps } from '../analyse/times/time-span.ts'
import { readWeekdays } from '../analyse/times/weekdays.ts'

const readLengthMax = 1_000

/** The periods that a question names ("in May", "last summer", "3 weeks ago", "seit gestern", "2024-05-08"). */
export function readTimeSpans(query: string, now: number): TimeSpan[] {
  return timeSpansOf(readTimes(query, now).filter(({ isVague }) => !isVague))
}

/** The spans of times, only the narrower one if one contains another. */
function timeSpansOf(times: readonly FoundTime[]): TimeSpan[] {
  const spans = times.flatMap((time) => time.spans)
  const valid = spans.filter((span) => Number.isFinite(span.from) && Number.isFinite(span.to))
  // "On Monday last week" means the narrower one.
  return valid.filter((span) => !valid.some((other) => isWithin(other, span)))
}

/** The words (folded) of a question that say when: that nothing stored has them tells nothing. */
export function readTimeWords(query: string, now: number): Set<string> {
  const phrases = [...query.matchAll(timePhrases)].map(([phrase]) => phrase)
  const times = readTimes(query, now).map(({ start, end }) => query.slice(start, end))
  return new Set([...phrases, ...times].flatMap((text) => analyse(text).tokens.map(({ surface }) => surface)))
}

/** Of words that mean something else elsewhere ("right now", "no longer"). */
const timePhrases =
  /(?<!\p{L})(?:right (?:now|away)|so far|long ago|(?:no|any) longer|(?:in|for) the (?:meantime|moment|time being)|at (?:the|this|that) (?:moment|time|point)|(?:for|in|over) (?:\p{L}+ )?(?:days|weeks|months|years|ages)|(?:these|those|other) (?:days|weeks|months|years)|(?:every|each|per) \p{L}+|(?:at|by|until|since|before|after|around|during|towards) (?:the )?(?:start|beginning|middle|end)(?: of)?|at (?:first|last|once)|(?:at|by|until|since|before|after|around) \d{1,2}(?::\d\d)? ?(?:[ap]\.?m\.?|o['’]clock|uhr|h)|on the \d{1,2}(?:st|nd|rd|th)?|nicht mehr|(?:noch|schon) (?:nicht|immer)|zur zeit|de nos jours|en ce moment|en este momento|al momento|no momento|op dit moment)(?!\p{L})/giu

let last: { query: string; now: number; times: FoundTime[] } | undefined

/**
 * The times that a text names, with their positions. Cached, since a search needs those of its question repeatedly; a
 * text that names none names none at another time either.
 */
function readTimes(query: string, now: number): FoundTime[] {
  const isKnown = last?.query === query && (last.now === now || last.times.length === 0)
  if (last === undefined || !isKnown) last = { query, now, times: readTimesAnew(query, now) }
  return last.times
}

function readTimesAnew(query: string, now: number): FoundTime[] {
  const text = toPlain(query.slice(0, readLengthMax))
  if (!mayNameTime(text)) return []
  const found = [
    ...readCalendarTimes(text, now).map((time) => (looksAhead(text) ? withNextYear(time, now) : time)),
    ...readRelativeTimes(text, now),
    ...readCountedTimes(text, now),
    ...readWeekdays(text, now),
  ]
  const joined = joinRanges(text, withoutOverlaps(found))
  return withoutOverlaps(joined.map((time) => bound(text, narrow(text, time), now)))
}

/** A month or day without a year is also the next one, if this year's has passed. */
function withNextYear(time: FoundTime, now: number): FoundTime {
  const [latest, before] = time.spans
  if (latest === undefined || before === undefined || latest.to > now) return time
  const next = { from: inNextYear(latest.from), to: inNextYear(latest.to) }
  return { ...time, spans: [next, ...time.spans] }
}

const inNextYear = (moment: number) => {
  const day = new Date(moment)
  return day.setUTCFullYear(day.getUTCFullYear() + 1)
}

function isWithin(inner: TimeSpan, outer: TimeSpan): boolean {
  return inner.from >= outer.from && inner.to <= outer.to && inner.to - inner.from < outer.to - outer.from
}

/**
 * How well a moment fits the spans, 0 to 1. Events are recorded on the day or soon after, so the value fades out after
 * a span over the span's own length, at least two days and at most a month.
 */
export function fitsTime(spans: readonly TimeSpan[], moment: number): number {
  let best = 0
  for (const { from, to } of spans) {
    if (moment < from) continue
    const fade = Math.min(Math.max(to - from, 2 * dayMs), 30 * dayMs)
    best = Math.max(best, moment < to ? 1 : Math.exp((to - moment) / fade))
  }
  return best
}

/** Words that carry no subject, in addition to the function words of their language. */
const genericWords: Record<Language, string> = {
  en: `what whats s tell show list give summarize summarise summary recap overview catch please everything anything something
    nothing thing things stuff fact facts memory memories observation observations note notes entry entries item items
    conversation conversations session sessions chat chats happen happens happened happening going go went goes come
    came change changes changed learn learned learnt store stored remember remembered save saved add added write wrote
    written record recorded log logged know known say said talk talked talking discuss discussed discussing mention
    mentioned do does did done work worked working get got since last past previous recent recently new newest latest
    news update updates updated between ago day today far like find found see there u us me my have planned scheduled
    calendar agenda diary due`,
  de: `was passiert passierte geschehen geschah geschieht gab gemacht tun getan gearbeitet gelernt gespeichert gesagt
    gesprochen besprochen erinnert notiert geändert neu neue neues neuigkeiten zuletzt erzähl zeig mir alles letzte los
    kürzlich neulich seit steht geplant ansteht`,
  fr: `passé passe passait quoi neuf nouveau nouveautés nouvelles fait faire avons dit appris changé travaillé discuté noté
    raconte montre résume depuis s qu récemment hier dernier dernière prévu`,
  es: `pasó paso pasado pasa ocurrió sucedió hice hizo hicimos hacer dicho dijo dijimos aprendido aprendimos cambió cambiado
    nuevo nueva novedades noticias hablamos trabajamos muestra cuéntame resumen recientemente desde hay tengo tenemos previsto`,
  it: `successo succede accaduto fatto abbiamo detto imparato cambiato nuovo novità notizie parlato lavorato mostra raccontami
    riassunto recente recentemente c`,
  pt: `aconteceu aconteceram fizemos fez fiz feito dito disse dissemos aprendemos mudou novo nova novidades notícias falamos
    trabalhamos mostra resumo recentemente desde`,
  nl: `gebeurd gebeurde gebeurt gedaan deden geleerd gezegd besproken veranderd nieuw nieuws gewerkt vertel toon samenvatting
    onlangs sinds`,
  ru: `произошло случилось было сделали делали сделал узнали сказали изменилось нового новое новости новостей работали покажи
    расскажи недавно`,
  ar: `حدث حصل جديد الجديد فعلنا قلنا تعلمنا تغير عملنا`,
}
/** Scripts without spaces. */
const genericUnspaced =
  /^(?:什么|什麼|甚么|么|事|事情|发生|發生|过|過|了|吗|嗎|呢|的|我|我们|我們|做|有|新|说|說|聊|记|哪些|些|何|なに|が|を|は|に|の|も|か|あり|あっ|あった|ある|た|ま|まし|ました|し|した|私|たち|起き|新しい|こと|뭐|무엇|무슨|일|이|가|을|를|있었|어|나|했|있었어|있었나요)+$/u

const newsWords =
  /(?<!\p{L})(?:what['’]?s up|new|newest|latest|news|recent|updates?|updated|changed|changes|happened|happening|going on|neu|neues|neuigkeiten|passiert|neuf|nouveau|nouveautés|nuevo|novedades|nuovo|novità|successo|novo|novidades|nieuws?|нового|новости|جديد)(?!\p{L})/iu
const newsDays = 14
const isOneWord = /^\s*\S+\s*$/

const words = Object.entries(genericWords).map(([language, list]): [Language, Set<string>] => [
  language as Language,
  new Set(list.split(/\s+/).map(foldDiacritics)),
])

/**
 * The time of a question that is about nothing else: "what happened today?", "this week", "what's new?". News without a
 * time cover two weeks. A season, a holiday or "new" on its own is a search word.
 */
export function readOnlyTime(query: string, now: number): TimeSpan[] | undefined {
  const times = readTimes(query, now)
  if (times.length === 0 && (!newsWords.test(query) || isOneWord.test(query))) return undefined
  const rest = times.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    query,
  )
  if (!isGeneric(rest)) return undefined
  if (times.length > 0 && times.every(({ isName }) => isName) && rest.trim() === '') return undefined
  return times.length > 0 ? timeSpansOf(times.map(toTheDay)) : [{ from: now - newsDays * dayMs, to: now + 1 }]
}

const toTheDay = (time: FoundTime): FoundTime =>
  time.calendar === undefined ? time : { ...time, spans: [time.calendar] }

/** Whether, in one of the languages, all words are generic or function words. */
function isGeneric(text: string): boolean {
  const surfaces = analyse(text).tokens.map(({ surface }) => surface)
  const spaced = surfaces.filter((surface) => !genericUnspaced.test(surface))
  return words.some(([language, generic]) =>
    spaced.every((surface) => generic.has(surface) || isStopWord(surface, language)),
  )
}

const lengthMax = 100
/** Without a zone, which means UTC. */
const zoneless = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/

/**
 * A time in milliseconds, from an ISO-8601 date or date-time, or the start of a year, of a month (2026-02) or of a period
 * in words ("last week", "Monday", "May 2024"). Undefined if the text is not a time.
 */
export function readMoment(text: string, now: number): number | undefined {
  const written = text.trim()
  if (written.length > lengthMax) return undefined
  if (MomentBound.safeParse(written).success) return fromIso(written)
  if (zoneless.test(written)) {
    const moment = fromIso(`${written.replace(' ', 'T')}Z`)
    return Number.isNaN(moment) ? undefined : moment
  }
  if (written.toLowerCase() === 'now') return now
  const readings = [written, `on ${written}`, `${written} ago`, `in ${written}`].map(
    (words) => timeSpansOf(readTimes(words, now))[0],
  )
  const span = readings.find((reading) => reading !== undefined)
  // "Before May" has no start.
  return span?.from === earliest ? span.to : span?.from
}
