import { matchesOf } from '../../../ground/lib/matches.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { looksAhead } from './looks-ahead.ts'
import { type FoundTime, startOfDay } from './time-span.ts'

/** Sunday first. */
const names = [
  'sunday monday tuesday wednesday thursday friday saturday',
  'sonntag montag dienstag mittwoch donnerstag freitag samstag',
  'dimanche lundi mardi mercredi jeudi vendredi samedi',
  'domingo lunes martes miércoles jueves viernes sábado',
  'domenica lunedì martedì mercoledì giovedì venerdì sabato',
  'domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado',
  'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
]
const dayOf = new Map(names.flatMap((list) => list.split(' ').map((name, i) => [name, i] as const)))
const name = `(?<w>${[...dayOf.keys()].join('|')})(?!\\p{L})`

/** A bare weekday may mean every week ("the Monday meeting"), but not after these words or as the last word. */
const patterns = [
  '(?<=(?<!\\p{L})(?:last|past|on|this|since|after|before|until|by|from|between|(?:sun|mon|tues|wednes|thurs|fri|satur)day ' +
    '(?:and|to)|am|letzten|vergangenen|vorigen|seit|bis|(?:sonn|mon|diens|donners|frei|sams)tag und|depuis|el|desde|' +
    `afgelopen|vorige|sinds|op)\\s)${name}`,
  `(?<!\\p{L})${name}(?=\\s(?:dernier|passé|pasado|scors[oa]|passad[oa])(?!\\p{L})|\\s*[?.!]*$)`,
].map((pattern) => new RegExp(pattern, 'gu'))

/** With "next" before or after it. */
const comingPatterns = [
  `(?<!\\p{L})(?:next|coming|nächste[rn]?|kommende[rn]?|volgende|komende|el próximo|la próxima|la prossima|il prossimo) ${name}`,
  `(?<!\\p{L})(?:el )?${name} (?:prochain|que viene|prossim[oa]|que vem)(?!\\p{L})`,
].map((pattern) => new RegExp(pattern, 'gu'))

/** Finds weekdays in a lower-case text, each meaning the last one before today, or after "next" a coming one. */
export function readWeekdays(text: string, now: number): FoundTime[] {
  return [...readPast(text, now), ...readComing(text, now)]
}

/** The first one after today, and if that is in this week, the one of the next week too. */
function readComing(text: string, now: number): FoundTime[] {
  const today = new Date(now).getUTCDay()
  const leftOfWeek = (7 - today) % 7
  return comingPatterns.flatMap((pattern) =>
    matchesOf(pattern, text).map((match) => {
      const ahead = (dayOf.get(match.groups?.w ?? '')! - today + 7) % 7 || 7
      const from = startOfDay(now) + ahead * dayMs
      const first = { from, to: from + dayMs }
      const second = { from: from + 7 * dayMs, to: from + 8 * dayMs }
      const spans = ahead <= leftOfWeek ? [first, second] : [first]
      return { start: match.index, end: match.index + match[0].length, spans }
    }),
  )
}

function readPast(text: string, now: number): FoundTime[] {
  const today = new Date(now).getUTCDay()
  return patterns.flatMap((pattern) =>
    matchesOf(pattern, text).map((match) => {
      const back = (today - dayOf.get(match.groups?.w ?? '')! + 7) % 7 || 7
      const from = startOfDay(now) - back * dayMs
      const last = { from, to: from + dayMs }
      const next = { from: from + 7 * dayMs, to: from + 8 * dayMs }
      const spans = looksAhead(text) ? [next, last] : [last]
      return { start: match.index, end: match.index + match[0].length, spans }
    }),
  )
}
