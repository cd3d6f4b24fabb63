import { matchesOf } from '../../../ground/lib/matches.ts'
import { days, eachYear, type FoundTime, type TimeSpan } from './time-span.ts'

type Holiday = [names: string, span: (year: number) => TimeSpan]

const holidays: Holiday[] = [
  ['christmas eve|heiligabend|nochebuena', (year) => days(year, 12, 24, 1)],
  [
    'christmas(?: day)?|xmas|weihnachten|noël|navidad(?:es)?|natale|natal|kerst(?:mis)?|圣诞节|クリスマス|크리스마스',
    (year) => days(year, 12, 24, 3),
  ],
  ["new year[’']?s eve|silvester|nochevieja|oudejaarsavond|大晦日", (year) => days(year, 12, 31, 1)],
  [
    "new year(?:[’']?s)?(?: day)?|neujahr|nouvel an|año nuevo|capodanno|ano novo|元旦",
    (year) => days(year, 1, 1, 1),
  ],
  ['halloween', (year) => days(year, 10, 31, 1)],
  ['thanksgiving', (year) => days(year, 11, fourthThursday(year), 1)],
  ["valentine[’']?s(?: day)?|valentinstag|saint-valentin|san valent[ií]n", (year) => days(year, 2, 14, 1)],
  // Good Friday to Easter Monday.
  ['easter|ostern|pâques|pascua|pasqua|páscoa|pasen', (year) => days(year, 3, easterInMarch(year) - 2, 4)],
]

const patterns = holidays.map(([names, span]): [RegExp, Holiday[1]] => [
  new RegExp(`(?<!\\p{L})(?:${names})(?!\\p{L})(?:,?\\s(?:of\\s)?(?<year>(?:19|20)\\d\\d)(?!\\d))?`, 'gu'),
  span,
])

/** Finds holidays in a lower-case text, in the given year or in each of the last years. */
export function readHolidays(text: string, now: number): FoundTime[] {
  return patterns.flatMap(([pattern, span]) =>
    matchesOf(pattern, text).map((match) => {
      const year = match.groups?.year
      const spans = eachYear(year === undefined ? undefined : Number(year), now, span)
      return { start: match.index, end: match.index + match[0].length, spans, isName: true }
    }),
  )
}

function fourthThursday(year: number): number {
  const first = new Date(Date.UTC(year, 10, 1)).getUTCDay()
  return 22 + ((4 - first + 7) % 7)
}

/** Easter Sunday as a day counted from 1 March (Meeus, Jones and Butcher's Gregorian algorithm). */
function easterInMarch(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  return epact + weekday - 7 * late + 22
}
